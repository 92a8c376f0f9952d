"""The act of giving money back: a child order with its own lines and transactions, by line, by amount or everything."""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.change_status import cancel_refunded
from frontdesk.orders.credit import issue_credit_notes
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.queries.changing import lock_order, lock_staff_and_stock
from frontdesk.orders.queries.refunding import (
    insert_refund,
    insert_refund_order,
    insert_refund_transaction,
    list_refundable_payments,
    list_sold_lines,
    restock_lines,
)
from frontdesk.orders.queries.telling import emit_refund
from frontdesk.orders.refund_lines import build_refund_lines, spread_over_payments
from frontdesk.orders.types import Actor, LockedOrder, Status
from frontdesk.payments.resolve import resolve_method
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.money import exact_sum


async def refund_order(
    conn: Connection, tenant: TenantContext, order_id: UUID, request: RefundRequest, actor: Actor
) -> UUID:
    """The id of the child order. With `cancel_order` the sale is canceled in the same transaction."""
    async with conn.transaction():
        sale = await lock_order(conn, tenant.tenant_id, order_id)
        _check_order(sale, request)
        if request.method_id is not None:
            await resolve_method(conn, tenant.tenant_id, request.method_id, None)
        return await _refund(conn, tenant, sale, request, actor)


def _check_order(sale: LockedOrder, request: RefundRequest) -> None:
    if sale.status is Status.DRAFT:
        raise WireError(Code.ORDER_IS_DRAFT, "The order is a draft and has no payments to refund.")
    if sale.parent_id is not None:
        raise invalid({"order_id": ["is a refund and cannot be refunded"]})
    if request.lines is not None and request.amount is not None:
        raise invalid({"amount": ["must not be sent together with lines"]})
    if request.amount is not None and request.restock:
        raise invalid({"restock": ["requires lines or whole: refunding an amount returns no products"]})
    if request.cancel_order and not _is_coming(sale):
        raise invalid({"cancel_order": ["requires an upcoming appointment"]})


def _is_coming(sale: LockedOrder) -> bool:
    return sale.begins is not None and sale.begins > datetime.now(UTC)


async def _refund(
    conn: Connection, tenant: TenantContext, sale: LockedOrder, request: RefundRequest, actor: Actor
) -> UUID:
    tenant_id = tenant.tenant_id
    sold = await list_sold_lines(conn, tenant_id, sale.id)
    lines = build_refund_lines(sale, sold, request, tenant.currency_decimals)
    amount = exact_sum(line.total for line in lines)
    # A canceled order has returned its products already, and one that is given up returns them now.
    restock = (request.restock or request.cancel_order) and sale.holds_time_and_stock
    if restock:
        await lock_staff_and_stock(conn, tenant_id, sale.id)
        await restock_lines(conn, tenant_id, lines)
    child_id = await insert_refund_order(conn, tenant, sale, lines, actor, request.cashier)
    parts = await list_refundable_payments(conn, tenant_id, sale.id)
    for part in spread_over_payments(amount, parts, request.method_id):
        await insert_refund_transaction(conn, tenant, child_id, part, request.cashier)
    restocked = restock or sale.status is Status.CANCELED
    await insert_refund(
        conn, tenant_id, sale.id, child_id, amount, restocked=restocked, reason=request.reason, actor=actor
    )
    if sale.invoiced:
        await issue_credit_notes(conn, tenant, sale.id, _person(actor))
    await emit_refund(conn, tenant, sale, child_id, restocked=restock)
    if request.cancel_order:
        await cancel_refunded(conn, tenant, sale.id, request.reason, actor)
    return child_id


def _person(actor: Actor) -> UUID | None:
    return actor.id if actor.type == "user" else None
