"""Statements that orders and transactions are read with."""

from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.errors import not_found
from frontdesk.orders.filters import OF_STAFF, OrderFilter, TransactionFilter
from frontdesk.orders.json_sql import (
    ORDER_JOINS,
    LocalTimeFormat,
    detail_joins,
    json_bytes,
    order_detail,
    order_list_item,
    pos_order,
    pos_order_detail,
    transaction_document,
)
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.pagination import MAX_PER_PAGE, Page, PageRequest, choose_scan_direction
from frontdesk.values.time import get_zone, period_bounds

Period = tuple[datetime | None, datetime | None]

_PAID = """
    JOIN orders o ON o.tenant_id = t.tenant_id AND o.id = t.order_id
    JOIN payment_methods m ON m.tenant_id = t.tenant_id AND m.id = t.payment_method_id"""


_LISTED_ZONE = LocalTimeFormat("$3")
_ZONE = LocalTimeFormat("$4")
_ORDER = f"""
    SELECT {json_bytes(order_detail("$3", _ZONE))} FROM orders o {detail_joins(_ZONE)}
    WHERE o.tenant_id = $1 AND o.id = $2"""


async def get_order(conn: Connection, tenant: TenantContext, order_id: UUID) -> bytes:
    document: bytes | None = await conn.fetchval(
        _ORDER, tenant.tenant_id, order_id, tenant.currency_decimals, tenant.timezone
    )
    if document is None:
        raise not_found("order")
    return document


async def get_pos_order(conn: Connection, tenant: TenantContext, order_id: UUID) -> str:
    """The creation response of a till's order, read back in the transaction that made it."""
    document: str = await conn.fetchval(
        f"""
        SELECT ({pos_order("$3", _ZONE)})::text FROM orders o
        LEFT JOIN LATERAL (SELECT * FROM transactions f WHERE f.tenant_id = $1 AND f.order_id = o.id
                           ORDER BY f.transaction_no LIMIT 1) t ON true
        WHERE o.tenant_id = $1 AND o.id = $2
        """,
        tenant.tenant_id,
        order_id,
        tenant.currency_decimals,
        tenant.timezone,
    )
    return document


async def get_pos_order_detail(conn: Connection, tenant: TenantContext, order_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"""
        SELECT ({pos_order_detail("$3", _ZONE)})::text FROM orders o {ORDER_JOINS}
        LEFT JOIN LATERAL (SELECT * FROM transactions f WHERE f.tenant_id = $1 AND f.order_id = o.id
                           ORDER BY f.transaction_no LIMIT 1) t ON true
        WHERE o.tenant_id = $1 AND o.id = $2
        """,
        tenant.tenant_id,
        order_id,
        tenant.currency_decimals,
        tenant.timezone,
    )
    if document is None:
        raise not_found("order")
    return document


async def list_pos_orders(conn: Connection, tenant: TenantContext, filter_: OrderFilter, wanted: PageRequest) -> Page:
    span = await page_range(conn, tenant, ORDERS, filter_, wanted, first_value=4)
    row = await conn.fetchrow(
        f"""
        WITH {span.parts}
        SELECT coalesce(json_agg({order_list_item("$2", _LISTED_ZONE)} ORDER BY o.order_number DESC), '[]')::text
                   AS documents,
               {span.total} AS total
        FROM page o {ORDER_JOINS}
        """,
        tenant.tenant_id,
        tenant.currency_decimals,
        tenant.timezone,
        *span.values,
    )
    return _page(row)


async def get_transaction(conn: Connection, tenant: TenantContext, transaction_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"""
        SELECT {transaction_document("$3", _ZONE)}::text FROM transactions t {_PAID}
        WHERE t.tenant_id = $1 AND t.id = $2
        """,
        tenant.tenant_id,
        transaction_id,
        tenant.currency_decimals,
        tenant.timezone,
    )
    if document is None:
        raise not_found("transaction")
    return document


async def list_orders(conn: Connection, tenant: TenantContext, filter_: OrderFilter, wanted: PageRequest) -> Page:
    """Newest first, which is the order of their numbers: a number and a time of creation are given under one lock."""
    span = await page_range(conn, tenant, ORDERS, filter_, wanted)
    row = await conn.fetchrow(
        _orders_in(span.parts, span.total), tenant.tenant_id, tenant.currency_decimals, *span.values
    )
    return _page(row)


@lru_cache(maxsize=64)
def _orders_in(parts: str, total: str) -> str:
    documents = f"coalesce(json_agg({order_list_item('$2')} ORDER BY o.order_number DESC), '[]')"
    return f"WITH {parts} SELECT {json_bytes(documents)} AS documents, {total} AS total FROM page o {ORDER_JOINS}"


async def list_transactions(
    conn: Connection, tenant: TenantContext, filter_: TransactionFilter, wanted: PageRequest
) -> Page:
    span = await page_range(conn, tenant, TRANSACTIONS, filter_, wanted, first_value=4)
    row = await conn.fetchrow(
        f"""
        WITH {span.parts}
        SELECT coalesce(json_agg({transaction_document("$2", _LISTED_ZONE)} ORDER BY t.transaction_no DESC), '[]')::text
                   AS documents,
               {span.total} AS total
        FROM page t {_PAID}
        """,
        tenant.tenant_id,
        tenant.currency_decimals,
        tenant.timezone,
        *span.values,
    )
    return _page(row)


def _page(row: Record | None) -> Page:
    return Page(row["documents"], row["total"] or 0) if row else Page("[]", 0)


class NumberedTable(NamedTuple):
    """A table whose rows are numbered 1, 2, 3 … without a gap, in the order of their creation."""

    table: str
    number: str  # the column, and the name of its counter


ORDERS = NumberedTable("orders", "order_number")
TRANSACTIONS = NumberedTable("transactions", "transaction_no")


class PageRange(NamedTuple):
    """Which rows a page holds: parts of a statement, the last of them `page`; and how many there are in all."""

    parts: str
    values: list[object]
    total: str


async def page_range(
    conn: Connection,
    tenant: TenantContext,
    series: NumberedTable,
    filter_: OrderFilter | TransactionFilter,
    wanted: PageRequest,
    *,
    first_value: int = 3,
) -> PageRange:
    first, last = period_bounds((filter_.first, filter_.last), get_zone(tenant.timezone))
    if filter_.conditions():
        return await _span_by_count(conn, tenant.tenant_id, series, filter_, (first, last), wanted, first_value)
    return _span_by_number(series, (first, last), wanted, first_value)


def _span_by_number(series: NumberedTable, period: Period, wanted: PageRequest, first_value: int) -> PageRange:
    """Without gaps a page is a range of numbers, whichever page it is, and the total needs no counting."""
    first, last = period
    given = [moment for moment in period if moment is not None]
    parts = _numbers(series, first_value, since=first is not None, until=last is not None)
    return PageRange(parts, [wanted.offset, wanted.per_page, *given], "(SELECT total FROM bounds)")


@cache
def _numbers(series: NumberedTable, first_value: int, *, since: bool, until: bool) -> str:
    """The last LIMIT changes nothing, since no page is longer; it tells the planner so, who would fear a large part of
    the table and read all of it.
    """
    skip, take, begin = (f"${first_value + n}" for n in range(3))
    end = f"${first_value + 1 + since + until}"
    low, high = "1", f"(SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = '{series.number}')"
    if since:
        low = f"""(SELECT {series.number} FROM {series.table} WHERE tenant_id = $1 AND created_at >= {begin}
                   ORDER BY created_at, {series.number} LIMIT 1)"""
    if until:
        high = f"""(SELECT {series.number} FROM {series.table} WHERE tenant_id = $1 AND created_at < {end}
                    ORDER BY created_at DESC, {series.number} DESC LIMIT 1)"""
    return f"""
        numbers AS MATERIALIZED (SELECT {low} AS low, {high} AS high), bounds AS MATERIALIZED (
            SELECT greatest(low, high - {skip}::bigint - {take}::bigint + 1) AS bottom, high - {skip}::bigint AS top,
                   high - low + 1 AS total
            FROM numbers WHERE low <= high
        ), page AS (
            SELECT * FROM {series.table} WHERE tenant_id = $1
            AND {series.number} BETWEEN (SELECT bottom FROM bounds) AND (SELECT top FROM bounds)
            ORDER BY {series.number} DESC LIMIT {MAX_PER_PAGE}
        )"""


async def _span_by_count(
    conn: Connection,
    tenant_id: UUID,
    series: NumberedTable,
    filter_: OrderFilter | TransactionFilter,
    period: Period,
    wanted: PageRequest,
    first_value: int,
) -> PageRange:
    """Only what was asked for stands in the statement, so that its one plan can use the index that fits."""
    tests = {**filter_.conditions(), _since(series): period[0], _until(series): period[1]}
    given = {test: value for test, value in tests.items() if value is not None}
    values = list(given.values())

    def where(place: int) -> str:
        return " AND ".join(["tenant_id = $1", *(test.replace("?", str(n)) for n, test in enumerate(given, place))])

    if given.keys() == {OF_STAFF}:
        total = await _count_orders_of_staff(conn, tenant_id, *values)
    else:
        total = await conn.fetchval(f"SELECT count(*) FROM {series.table} WHERE {where(2)}", tenant_id, *values)
    span = choose_scan_direction(wanted, total)
    # + 0: sorted by what the range's own index holds, not found by walking all numbers.
    order = f"{series.number}{' + 0' if filter_.is_range else ''} {'ASC' if span.backward else 'DESC'}"
    after = first_value + len(values)
    parts = f"""
        keys AS (
            SELECT {series.number} AS number FROM {series.table} WHERE {where(first_value)}
            ORDER BY {order} OFFSET ${after} LIMIT ${after + 1}
        ), page AS (
            SELECT {series.table}.* FROM keys JOIN {series.table} ON tenant_id = $1 AND {series.number} = keys.number
        )"""
    return PageRange(parts, [*values, span.skip, span.take, total], f"${after + 2}::bigint")


def _since(series: NumberedTable) -> str:
    """Numbers and times of creation have one order, so a period is a range of numbers, which every index ends with."""
    return f"""{series.number} >= (SELECT p.{series.number} FROM {series.table} p
        WHERE p.tenant_id = $1 AND p.created_at >= $? ORDER BY p.created_at, p.{series.number} LIMIT 1)"""


def _until(series: NumberedTable) -> str:
    return f"""{series.number} <= (SELECT p.{series.number} FROM {series.table} p
        WHERE p.tenant_id = $1 AND p.created_at < $? ORDER BY p.created_at DESC, p.{series.number} DESC LIMIT 1)"""


async def _count_orders_of_staff(conn: Connection, tenant_id: UUID, staff_id: object) -> int:
    """From the index of the lines alone."""
    count: int = await conn.fetchval(
        "SELECT count(DISTINCT order_id) FROM order_lines WHERE tenant_id = $1 AND staff_id = $2", tenant_id, staff_id
    )
    return count


async def find_unknown(
    conn: Connection, tenant_id: UUID, customer_id: UUID | None, staff_id: UUID | None, branch_id: UUID | None
) -> dict[str, list[str]]:
    """Which of the ids that a list is filtered by belong to nobody here; asked when the list came out empty."""
    row = await conn.fetchrow(
        """
        SELECT $2::uuid IS NULL OR EXISTS (SELECT FROM customers WHERE tenant_id = $1 AND id = $2) AS customer_id,
               $3::uuid IS NULL OR EXISTS (SELECT FROM staff WHERE tenant_id = $1 AND id = $3) AS staff_id,
               $4::uuid IS NULL OR EXISTS (SELECT FROM branches WHERE tenant_id = $1 AND id = $4) AS branch_id
        """,
        tenant_id,
        customer_id,
        staff_id,
        branch_id,
    )
    nouns = {"customer_id": "a customer", "staff_id": "a staff member", "branch_id": "a branch"}
    return {field: [f"is not {noun} of this business"] for field, noun in nouns.items() if row and not row[field]}


async def exists_order(conn: Connection, tenant_id: UUID, order_id: UUID, branch_id: UUID | None = None) -> bool:
    """In that branch, where one is named."""
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM orders WHERE tenant_id = $1 AND id = $2 AND branch_id = coalesce($3, branch_id))",
        tenant_id,
        order_id,
        branch_id,
    )
    return found


async def exists_booking(conn: Connection, tenant_id: UUID, booking_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM bookings WHERE tenant_id = $1 AND id = $2)", tenant_id, booking_id
    )
    return found
