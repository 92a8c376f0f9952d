"""Statements that orders and transactions are read with."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.errors import not_found
from frontdesk.kit.clock import get_zone, local_day_bounds
from frontdesk.kit.db import Connection
from frontdesk.kit.paging import Page, PageRequest, nearer_end
from frontdesk.orders.documents import order_detail, order_list_item, till_order, transaction_document
from frontdesk.orders.types import OrderFilter, TransactionFilter
from frontdesk.tenants.types import Business

Period = tuple[datetime | None, datetime | None]

_AROUND = """
    JOIN branches b ON b.tenant_id = o.tenant_id AND b.id = o.branch_id
    LEFT JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id"""
_PAID = """
    JOIN orders o ON o.tenant_id = t.tenant_id AND o.id = t.order_id
    JOIN payment_methods m ON m.tenant_id = t.tenant_id AND m.id = t.payment_method_id"""


async def get_order(conn: Connection, business: Business, order_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"SELECT {order_detail('$3', '$4')}::text FROM orders o {_AROUND} WHERE o.tenant_id = $1 AND o.id = $2",
        business.tenant_id,
        order_id,
        business.currency_decimals,
        business.timezone,
    )
    if document is None:
        raise not_found("order")
    return document


async def get_till_order(conn: Connection, business: Business, order_id: UUID) -> str:
    """The creation response of a till's order, read back in the transaction that made it."""
    document: str = await conn.fetchval(
        f"""
        SELECT ({till_order("$3", "$4")})::text FROM orders o
        LEFT JOIN LATERAL (SELECT * FROM transactions f WHERE f.tenant_id = $1 AND f.order_id = o.id
                           ORDER BY f.transaction_no LIMIT 1) t ON true
        WHERE o.tenant_id = $1 AND o.id = $2
        """,
        business.tenant_id,
        order_id,
        business.currency_decimals,
        business.timezone,
    )
    return document


async def get_transaction(conn: Connection, business: Business, transaction_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"""
        SELECT {transaction_document("$3", "$4")}::text FROM transactions t {_PAID}
        WHERE t.tenant_id = $1 AND t.id = $2
        """,
        business.tenant_id,
        transaction_id,
        business.currency_decimals,
        business.timezone,
    )
    if document is None:
        raise not_found("transaction")
    return document


async def list_orders(conn: Connection, business: Business, filter_: OrderFilter, wanted: PageRequest) -> Page:
    """Newest first, which is the order of their numbers: a number and a time of creation are given under one lock."""
    span = await _find_span(conn, business, _ORDERS, filter_, wanted)
    documents = await conn.fetchval(
        f"""
        WITH page AS ({span.keys})
        SELECT coalesce(json_agg({order_list_item("$2")} ORDER BY o.order_number DESC), '[]')::text
        FROM page JOIN orders o ON o.tenant_id = $1 AND o.id = page.id {_AROUND}
        """,
        business.tenant_id,
        business.currency_decimals,
        *span.values,
    )
    return Page(documents, span.total)


async def list_transactions(
    conn: Connection, business: Business, filter_: TransactionFilter, wanted: PageRequest
) -> Page:
    span = await _find_span(conn, business, _TRANSACTIONS, filter_, wanted, first_value=4)
    documents = await conn.fetchval(
        f"""
        WITH page AS ({span.keys})
        SELECT coalesce(json_agg({transaction_document("$2", "$3")} ORDER BY t.transaction_no DESC), '[]')::text
        FROM page JOIN transactions t ON t.tenant_id = $1 AND t.id = page.id {_PAID}
        """,
        business.tenant_id,
        business.currency_decimals,
        business.timezone,
        *span.values,
    )
    return Page(documents, span.total)


class _Series(NamedTuple):
    """A table whose rows are numbered 1, 2, 3 … without a gap, in the order of their creation."""

    table: str
    number: str  # the column, and the name of its counter


_ORDERS = _Series("orders", "order_number")
_TRANSACTIONS = _Series("transactions", "transaction_no")


class _Span(NamedTuple):
    """Which rows a page holds: the statement that finds their ids, its values, and how many rows there are in all."""

    keys: str
    values: list[object]
    total: int


async def _find_span(
    conn: Connection,
    business: Business,
    series: _Series,
    filter_: OrderFilter | TransactionFilter,
    wanted: PageRequest,
    *,
    first_value: int = 3,
) -> _Span:
    zone = get_zone(business.timezone)
    first = local_day_bounds(filter_.first, zone)[0] if filter_.first else None
    last = local_day_bounds(filter_.last, zone)[1] if filter_.last else None
    if filter_.conditions():
        return await _span_by_count(conn, business.tenant_id, series, filter_, (first, last), wanted, first_value)
    return await _span_by_number(conn, business.tenant_id, series, (first, last), wanted, first_value)


async def _span_by_number(
    conn: Connection, tenant_id: UUID, series: _Series, period: Period, wanted: PageRequest, first_value: int
) -> _Span:
    """Without gaps a page is a range of numbers, whichever page it is, and the total needs no counting."""
    row = await conn.fetchrow(
        f"""
        SELECT CASE WHEN $2::timestamptz IS NULL THEN 1 ELSE (
                   SELECT {series.number} FROM {series.table} WHERE tenant_id = $1 AND created_at >= $2
                   ORDER BY created_at, {series.number} LIMIT 1) END AS low,
               CASE WHEN $3::timestamptz IS NULL THEN (
                   SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = '{series.number}') ELSE (
                   SELECT {series.number} FROM {series.table} WHERE tenant_id = $1 AND created_at < $3
                   ORDER BY created_at DESC, {series.number} DESC LIMIT 1) END AS high
        """,
        tenant_id,
        *period,
    )
    low, high = (row["low"], row["high"]) if row else (None, None)
    if low is None or high is None or low > high:
        low, high = 1, 0
    top = high - wanted.offset
    keys = f"""SELECT id FROM {series.table} WHERE tenant_id = $1
               AND {series.number} BETWEEN ${first_value} AND ${first_value + 1}"""
    return _Span(keys, [max(low, top - wanted.per_page + 1), top], high - low + 1)


async def _span_by_count(
    conn: Connection,
    tenant_id: UUID,
    series: _Series,
    filter_: OrderFilter | TransactionFilter,
    period: Period,
    wanted: PageRequest,
    first_value: int,
) -> _Span:
    values: list[object] = [*filter_.conditions().values(), *period]

    def where(place: int) -> str:
        tests = [test.replace("?", str(place + n)) for n, test in enumerate(filter_.conditions())]
        since, until = place + len(tests), place + len(tests) + 1
        return " AND ".join(
            [
                "tenant_id = $1",
                *tests,
                f"(${since}::timestamptz IS NULL OR created_at >= ${since})",
                f"(${until}::timestamptz IS NULL OR created_at < ${until})",
            ]
        )

    total = await conn.fetchval(f"SELECT count(*) FROM {series.table} WHERE {where(2)}", tenant_id, *values)
    span = nearer_end(wanted, total)
    direction = "ASC" if span.backward else "DESC"
    after = first_value + len(values)
    keys = f"""SELECT id FROM {series.table} WHERE {where(first_value)}
               ORDER BY {series.number} {direction} OFFSET ${after} LIMIT ${after + 1}"""
    return _Span(keys, [*values, span.skip, span.take], total)


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
