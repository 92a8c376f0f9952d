"""Reads orders and transactions."""

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import NamedTuple
from uuid import UUID

from frontdesk.custom_data.queries import FIELDS, joined
from frontdesk.orders.filters import OF_STAFF, RECORDS, OrderFilter, TransactionFilter
from frontdesk.orders.json_sql import ORDER_JOINS, LocalTimeFormat, order_list_item, transaction_item
from frontdesk.postgres.query import Query, document, found, json_bytes, page, page_keys, page_of, unknown_filters
from frontdesk.values.pagination import MAX_PER_PAGE, Page, PageRequest


class NumberedTable(NamedTuple):
    """A table whose rows are numbered without gaps, in the order of their creation."""

    table: str
    number: str  # the column, and the name of its counter


ORDERS = NumberedTable("orders", "order_number")
TRANSACTIONS = NumberedTable("transactions", "transaction_no")

_PAID = """
    JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id
    JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id"""


_ZONE = LocalTimeFormat("context.timezone")
_DECIMALS = "context.currency_decimals"


def get_order(order_id: UUID) -> Query[bytes]:
    return Query(_ORDER, (order_id,), document("order"))


_ORDER = f"SELECT $2::uuid AS id, {json_bytes('current_order_document($1, $2)')} AS document"


def known_order(order_id: UUID) -> Query[UUID]:
    """The id of an order that exists."""
    return Query(
        "SELECT o.id FROM orders o WHERE o.tenant_id = $1 AND o.id = $2",
        (order_id,),
        found("order", lambda row: UUID(str(row["id"]))),
    )


def get_pos_order_detail(order_id: UUID) -> Query[bytes]:
    """An API key that is bound to a branch finds no orders of another branch."""
    return Query(
        f"""
        SELECT {json_bytes("pos_order_detail_document($1, $2)")} AS document FROM orders o
        WHERE o.tenant_id = $1 AND o.id = $2 AND o.branch_id = coalesce(context.branch_id, o.branch_id)
        """,
        (order_id,),
        document("order"),
    )


def get_transaction(transaction_id: UUID) -> Query[bytes]:
    return Query(
        f"SELECT {json_bytes('transaction_document($1, $2)')} AS document", (transaction_id,), document("transaction")
    )


def list_orders(filter_: OrderFilter, page_request: PageRequest) -> Query[Page]:
    """Newest first, by number. Numbers and creation times have the same order, because one lock assigns both.

    With `since` of the filter in the order of the changes.
    """
    form = order_list_item(_DECIMALS, more=f", {FIELDS}")
    return _list(ORDERS, filter_, page_request, form, f"o {ORDER_JOINS} {joined('order', 'o.id')}")


def list_pos_orders(filter_: OrderFilter, page_request: PageRequest) -> Query[Page]:
    return _list(ORDERS, filter_, page_request, order_list_item(_DECIMALS, _ZONE), f"o {ORDER_JOINS}")


def list_transactions(filter_: TransactionFilter, page_request: PageRequest) -> Query[Page]:
    return _list(TRANSACTIONS, filter_, page_request, transaction_item(_DECIMALS, _ZONE.zone), f"t {_PAID}")


def _list(
    series: NumberedTable, filter_: OrderFilter | TransactionFilter, page_request: PageRequest, form: str, joins: str
) -> Query[Page]:
    order, sort = f"{joins[0]}.{series.number} DESC", None
    if filter_.since is not None:
        order = f"{joins[0]}.updated_at, {joins[0]}.{series.number}"
        sort = Sort(f"updated_at, {series.number}", f"updated_at DESC, {series.number} DESC")
    span = page_range(series, filter_, page_request, sort=sort)
    return Query(
        f"""
        WITH {span.parts}
        SELECT {page_of(form, order)} AS documents, {span.total} AS total,
               {unknown_filters(span.total, span.named)} AS unknown
        FROM page {joins}
        """,
        span.values,
        page,
        is_late=filter_.since is None,
    )


class PageRange(NamedTuple):
    """The rows of a page as CTEs, the last one of which is `page`, and the number of all rows."""

    parts: str
    values: tuple[object, ...]
    total: str
    named: Mapping[str, str]  # filters by id, with the SELECT that finds their record


class Sort(NamedTuple):
    """The order of a list, forward and backward, and the rows that it has."""

    forward: str
    backward: str
    rows: str = "true"


def page_range(
    series: NumberedTable,
    filter_: OrderFilter | TransactionFilter,
    page_request: PageRequest,
    first: int = 2,
    sort: Sort | None = None,
) -> PageRange:
    """Its parameters are numbered from `$first`. Newest first, unless `sort` says otherwise."""
    given = filter_.conditions()
    if not given and sort is None and not (isinstance(filter_, OrderFilter) and filter_.of_key_branch):
        return _range_by_number(series, (filter_.first, filter_.last), page_request, first)
    given.update(period_conditions(series, filter_))
    return _range_by_count(series, filter_, given, page_request, first, sort)


def period_conditions(series: NumberedTable, filter_: OrderFilter | TransactionFilter) -> dict[str, object]:
    """As `conditions` of the filter."""
    days = {_since(series): filter_.first, _until(series): filter_.last}
    return {test: day for test, day in days.items() if day is not None}


def _range_by_number(
    series: NumberedTable, period: tuple[date | None, date | None], page_request: PageRequest, first: int
) -> PageRange:
    """Without gaps, every page is a range of numbers, and the total needs no count."""
    since, until = period
    days = tuple(day for day in period if day is not None)
    parts = _numbers(series, first, since=since is not None, until=until is not None)
    return PageRange(
        parts, (page_request.offset, page_request.per_page, *days), "coalesce((SELECT total FROM bounds), 0)", {}
    )


@cache
def _numbers(series: NumberedTable, first: int, *, since: bool, until: bool) -> str:
    """The last LIMIT does not change the result; it lets the planner estimate few rows."""
    skip, take = f"${first}::bigint", f"${first + 1}::bigint"
    begin, end = f"${first + 2}::date", f"${first + 2 + since}::date"
    low, high = "1", f"(SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = '{series.number}')"
    if since:
        low = f"""(SELECT {series.number} FROM {series.table}
                   WHERE tenant_id = $1 AND created_at >= day_start({begin}, context.timezone)
                   ORDER BY created_at, {series.number} LIMIT 1)"""
    if until:
        high = f"""(SELECT {series.number} FROM {series.table}
                    WHERE tenant_id = $1 AND created_at < day_start({end} + 1, context.timezone)
                    ORDER BY created_at DESC, {series.number} DESC LIMIT 1)"""
    return f"""
        numbers AS MATERIALIZED (SELECT {low} AS low, {high} AS high), bounds AS MATERIALIZED (
            SELECT greatest(low, high - {skip} - {take} + 1) AS bottom, high - {skip} AS top,
                   high - low + 1 AS total
            FROM numbers WHERE low <= high
        ), page AS (
            SELECT * FROM {series.table} WHERE tenant_id = $1
            AND {series.number} BETWEEN (SELECT bottom FROM bounds) AND (SELECT top FROM bounds)
            ORDER BY {series.number} DESC LIMIT {MAX_PER_PAGE}
        )"""


def _range_by_count(
    series: NumberedTable,
    filter_: OrderFilter | TransactionFilter,
    given: Mapping[str, object],
    page_request: PageRequest,
    first: int,
    sort: Sort | None,
) -> PageRange:
    """The statement contains only the conditions of the request, so that its generic plan can use the best index."""
    numbers = {test: str(number) for number, test in enumerate(given, first)}
    tests = [test.replace("?", number) for test, number in numbers.items()]
    if isinstance(filter_, OrderFilter) and filter_.of_key_branch:
        tests.append("branch_id = coalesce(context.branch_id, branch_id)")
    if sort is not None:
        tests.append(sort.rows)
    source, skip = f"FROM {series.table} WHERE tenant_id = $1 AND {' AND '.join(tests)}", first + len(given)
    total = _total(series, source, given, first) if sort is None else f"SELECT count(*) {source}"
    # With + 0 the planner sorts the rows of the range instead of scanning all numbers.
    key = f"{series.number} + 0" if filter_.is_range else series.number
    order = (f"{key} DESC", f"{key} ASC") if sort is None else (sort.forward, sort.backward)
    keys = page_keys(source, f"{series.number} AS number", order, total, skip)
    parts = f"""{keys}, page AS (
            SELECT found.* FROM (SELECT number FROM keys LIMIT {MAX_PER_PAGE}) keys, LATERAL (
                SELECT * FROM {series.table} WHERE tenant_id = $1 AND {series.number} = keys.number OFFSET 0) found
        )"""
    named = {
        name: f"SELECT FROM {table} WHERE tenant_id = $1 AND id = ${numbers[test]}"
        for name, (test, table) in RECORDS.items()
        if test in numbers
    }
    values = (*given.values(), page_request.offset, page_request.per_page)
    return PageRange(parts, values, "(SELECT total FROM counted)", named)


def _total(series: NumberedTable, source: str, given: Mapping[str, object], first: int) -> str:
    if given.keys() == {OF_STAFF}:  # from the index of the lines only
        return f"SELECT count(DISTINCT order_id) FROM order_lines WHERE tenant_id = $1 AND staff_id = ${first}"
    if given:
        return f"SELECT count(*) {source}"
    return f"""SELECT CASE WHEN context.branch_id IS NULL
        THEN (SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = '{series.number}')
        ELSE (SELECT count(*) {source}) END"""


def _since(series: NumberedTable) -> str:
    """Numbers and creation times have the same order, so a period is a range of numbers, which all indexes end with."""
    return f"""{series.number} >= (SELECT p.{series.number} FROM {series.table} p
        WHERE p.tenant_id = $1 AND p.created_at >= day_start($?::date, context.timezone)
        ORDER BY p.created_at, p.{series.number} LIMIT 1)"""


def _until(series: NumberedTable) -> str:
    return f"""{series.number} <= (SELECT p.{series.number} FROM {series.table} p
        WHERE p.tenant_id = $1 AND p.created_at < day_start($?::date + 1, context.timezone)
        ORDER BY p.created_at DESC, p.{series.number} DESC LIMIT 1)"""
