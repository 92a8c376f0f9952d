"""What is told of orders: parts that name the news of a change, and the statements that write them to the outbox.

Whatever is told is read from the books after the change, in the published forms. An event of a change that turns out
to be none is not written. The parts are put together once: their texts are long, and every statement has several.
"""

from collections.abc import Mapping
from functools import cache
from uuid import UUID

from frontdesk.customers.documents import DETAIL as CUSTOMER_DETAIL
from frontdesk.orders.json_sql import PADDED, LocalTimeFormat, detail_joins, order_detail, transaction_document
from frontdesk.orders.new_documents import (
    CUSTOMER,
    MOMENT,
    ORDER_NUMBER,
    PADDED_NUMBER,
    PAID_AT,
    TRANSACTION_NO,
    TRANSACTIONS,
)
from frontdesk.orders.queries.changing import LINES_HELD
from frontdesk.orders.types import Actor, LockedOrder, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.webhooks.outbox import OUTBOX
from frontdesk.webhooks.payloads import (
    item_stock_changed,
    order_created,
    order_payment_status_changed,
    order_rescheduled,
    order_status_changed,
    transaction_created,
)

_ZONE = LocalTimeFormat("$4")
_METHOD = "JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id"


@cache
def order_created_events(order: str, mark: str, *, payments: str | None, stocked: bool) -> str:
    """The news of the statement that writes an order: `order` and the payments' documents, with what was left out.

    What that statement inserts is not in the tables yet. Its parts have the names of the tables and stand in for them.
    """
    documents, transactions = "", "'[]'"
    if payments is not None:
        known = {TRANSACTION_NO: "t.transaction_no::text", PAID_AT: "format_utc(t.created_at)", **_NUMBERS}
        documents = f"""transaction_documents AS (
            SELECT t.transaction_no, {filled("p.document", mark, known)} AS document
            FROM o, transactions t JOIN {payments} ON p.id = t.id
        ), """
        transactions = """(
            SELECT '[' || string_agg(d.document, ',' ORDER BY d.transaction_no) || ']' FROM transaction_documents d)"""
    known = {
        CUSTOMER: f"coalesce((SELECT {CUSTOMER_DETAIL} FROM customers c)::text, 'null')",
        TRANSACTIONS: transactions,
        MOMENT: "format_utc(o.created_at)",
        **_NUMBERS,
    }
    news = f"SELECT ARRAY[0] AS place, {order_created(f'{filled(order, mark, known)}::json')} FROM o"
    if payments is not None:
        news += f"""
            UNION ALL
            SELECT ARRAY[1, d.transaction_no], {transaction_created("d.document::json")} FROM transaction_documents d"""
    if stocked:
        options = "SELECT v.id, v.quantity, -v.units AS added FROM option_stock v WHERE v.item_id = i.id"
        news += f"""
            UNION ALL
            SELECT ARRAY[2], {item_stock_changed("i", added="-i.units", options=options)} FROM stock i"""
    return f"{documents}news AS ({news})"


_NUMBERS = {ORDER_NUMBER: "o.order_number::text", PADDED_NUMBER: PADDED}


def filled(document: str, mark: str, known: Mapping[str, str]) -> str:
    """SQL that puts what is known where the marks stand. What others wrote comes last: it may hold anything."""
    for what, value in sorted(known.items(), key=lambda one: one[0] in (CUSTOMER, TRANSACTIONS)):
        document = f"replace({document}, {mark} || '{what}', {value})"
    return document


@cache
def _status_changed(decimals: str, clock: LocalTimeFormat) -> str:
    changed = order_status_changed(
        order_detail(decimals, clock), previous="$5::text", status="o.status", note="$6::text", by_type="$7::text",
        by_id="$8::uuid",
    )  # fmt: skip
    return (
        f"SELECT ARRAY[0] AS place, {changed} FROM orders o {detail_joins(clock)} WHERE o.tenant_id = $1 AND o.id = $2"
    )


@cache
def _rescheduled(decimals: str, clock: LocalTimeFormat) -> str:
    changed = order_rescheduled(
        order_detail(decimals, clock), previous=clock.text("$5::timestamptz"), start=clock.text("o.starts_at"),
        by_type="$6::text", by_id="$7::uuid",
    )  # fmt: skip
    return (
        f"SELECT ARRAY[0] AS place, {changed} FROM orders o {detail_joins(clock)} WHERE o.tenant_id = $1 AND o.id = $2"
    )


@cache
def _payment_status_changed(decimals: str, clock: LocalTimeFormat, order_id: str, previous: str) -> str:
    now = "payment_status(o.total, o.paid_amount, o.refunded_amount)"
    changed = order_payment_status_changed(order_detail(decimals, clock), previous=f"{previous}::text", status=now)
    return f"""SELECT ARRAY[2], {changed} FROM orders o {detail_joins(clock)}
            WHERE o.tenant_id = $1 AND o.id = {order_id} AND {now} <> {previous}"""


@cache
def _order_created(decimals: str, clock: LocalTimeFormat) -> str:
    created = order_created(order_detail(decimals, clock))
    return (
        f"SELECT ARRAY[0] AS place, {created} FROM orders o {detail_joins(clock)} WHERE o.tenant_id = $1 AND o.id = $2"
    )


@cache
def _transactions_created(decimals: str, clock: LocalTimeFormat, which: str) -> str:
    created = transaction_created(transaction_document(decimals, clock))
    return f"""SELECT ARRAY[1, t.transaction_no] AS place, {created} FROM transactions t {_METHOD}
            JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id WHERE t.tenant_id = $1 AND {which}"""


@cache
def _stock_changed(sign: str, lines: str) -> str:
    """`lines` selects the lines whose units went (sign −1) or came back (+1): the sold line's id, and how many."""
    options = f"""
            SELECT v.id, v.quantity, {sign} * h.units AS added FROM item_options v JOIN (
                SELECT s.option_id, sum(s.units * q.quantity)::integer AS units FROM ({lines}) q
                JOIN order_line_stock s ON s.tenant_id = $1 AND s.line_id = q.line_id
                GROUP BY s.option_id) h ON h.option_id = v.id
            WHERE v.tenant_id = $1 AND v.item_id = i.id"""
    return f"""SELECT ARRAY[3], {item_stock_changed("i", added=f"{sign} * held.units", options=options)}
            FROM items i JOIN (
                SELECT s.item_id, sum(s.units * q.quantity)::integer AS units FROM ({lines}) q
                JOIN order_line_stock s ON s.tenant_id = $1 AND s.line_id = q.line_id GROUP BY s.item_id) held
            ON held.item_id = i.id WHERE i.tenant_id = $1 AND {sign} <> 0"""


_LINES_RETURNED = """
            SELECT l.parent_line_id AS line_id, l.returned AS quantity FROM order_lines l
            WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.returned > 0"""


@cache
def _order_stock() -> str:
    return _stock_changed("$9::integer", LINES_HELD)


@cache
def _stock_returned() -> str:
    return _stock_changed("$7::integer", _LINES_RETURNED)


async def emit_status_change(
    conn: Connection, tenant: TenantContext, order: LockedOrder, status: Status, note: str | None, actor: Actor
) -> None:
    """`order` is what it was before: from both the stock that went or came back follows."""
    await conn.execute(
        f"""
        WITH news AS ({_status_changed("$3", _ZONE)} UNION ALL {_order_stock()}), {OUTBOX}
        SELECT
        """,
        tenant.tenant_id,
        order.id,
        tenant.currency_decimals,
        tenant.timezone,
        order.status,
        note,
        actor.type,
        actor.id,
        _holds_stock(order.status) - _holds_stock(status),
    )


async def emit_rescheduled(conn: Connection, tenant: TenantContext, order: LockedOrder, actor: Actor) -> None:
    """`order` is what it was before."""
    await conn.execute(
        f"""
        WITH news AS ({_rescheduled("$3", _ZONE)}), {OUTBOX}
        SELECT
        """,
        tenant.tenant_id,
        order.id,
        tenant.currency_decimals,
        tenant.timezone,
        order.starts_at,
        actor.type,
        actor.id,
    )


def _holds_stock(status: Status) -> int:
    return int(status not in (Status.DRAFT, Status.CANCELED))


async def emit_payment(conn: Connection, tenant: TenantContext, order: LockedOrder, transaction_id: UUID) -> None:
    await conn.execute(
        f"""
        WITH news AS (
            {_transactions_created("$3", _ZONE, "t.id = $5")}
            UNION ALL {_payment_status_changed("$3", _ZONE, "$2", "$6")}
        ), {OUTBOX}
        SELECT
        """,
        tenant.tenant_id,
        order.id,
        tenant.currency_decimals,
        tenant.timezone,
        transaction_id,
        order.payment_status,
    )


async def emit_refund(
    conn: Connection, tenant: TenantContext, sale: LockedOrder, child_id: UUID, *, restocked: bool
) -> None:
    """The refund is an order of its own; what it does to the sale is told of the sale."""
    await conn.execute(
        f"""
        WITH news AS (
            {_order_created("$3", _ZONE)}
            UNION ALL {_transactions_created("$3", _ZONE, "t.order_id = $2")}
            UNION ALL {_payment_status_changed("$3", _ZONE, "$5", "$6")}
            UNION ALL {_stock_returned()}
        ), {OUTBOX}
        SELECT
        """,
        tenant.tenant_id,
        child_id,
        tenant.currency_decimals,
        tenant.timezone,
        sale.id,
        sale.payment_status,
        int(restocked),
    )
