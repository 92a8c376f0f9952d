"""The act of moving an order from one status to another, with what that frees or takes."""

from enum import StrEnum
from uuid import UUID

import asyncpg

from frontdesk.availability.failure import check_failures
from frontdesk.errors import Code, WireError, invalid
from frontdesk.kit.db import Connection
from frontdesk.orders.confirm_draft import confirm_draft
from frontdesk.orders.queries.changing import (
    lock_order,
    lock_staff_and_stock,
    update_bookings_live,
    update_status,
    update_stock,
)
from frontdesk.orders.queries.telling import tell_status_change
from frontdesk.orders.types import Actor, OrderState, Status
from frontdesk.tenants.types import Business


class ChangedStatus(StrEnum):
    """Nothing enters draft."""

    CONFIRMED = "confirmed"
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    CANCELED = "canceled"


async def change_status(
    conn: Connection, business: Business, order_id: UUID, wanted: ChangedStatus, note: str | None, actor: Actor
) -> None:
    """Canceling frees slot and stock in the same transaction; leaving canceled, or draft, takes them."""
    status = Status(wanted)
    with check_failures():
        async with conn.transaction():
            order = await lock_order(conn, business.tenant_id, order_id)
            if order.status is status:
                return
            if status is Status.CANCELED:
                await _free(conn, business.tenant_id, order)
            elif order.status is Status.CANCELED and order.booked:
                await _take_again(conn, business.tenant_id, order)
            elif order.status in (Status.CANCELED, Status.DRAFT):
                # Canceled without ever having been booked: it was a draft, or it has nothing that is booked.
                await confirm_draft(conn, business, order)
            await update_status(conn, business.tenant_id, order, status, note, actor)
            await tell_status_change(conn, business, order, status, note, actor)


def find_cancel_refusal(*, invoiced: bool, refunded: bool) -> WireError | None:
    """Why an order stays as it is; of the two reasons the invoice comes first."""
    if invoiced:
        return WireError(Code.ORDER_HAS_INVOICE, "The order has an invoice and cannot be canceled.")
    if refunded:
        return WireError(
            Code.INVALID_STATUS_TRANSITION, "The order was refunded, or is a refund itself, and cannot be canceled."
        )
    return None


async def _free(conn: Connection, tenant_id: UUID, order: OrderState) -> None:
    refusal = find_cancel_refusal(invoiced=order.invoiced, refunded=order.refunded or order.parent_id is not None)
    if refusal is not None:
        raise refusal
    if order.status is Status.DRAFT:
        return
    await lock_staff_and_stock(conn, tenant_id, order.id)
    await update_bookings_live(conn, tenant_id, order.id, live=False)
    await update_stock(conn, tenant_id, order.id, sign=1)


async def _take_again(conn: Connection, tenant_id: UUID, order: OrderState) -> None:
    """Only what others hold by now stands in the way: the past may be put right after the fact."""
    await lock_staff_and_stock(conn, tenant_id, order.id)
    try:
        await update_bookings_live(conn, tenant_id, order.id, live=True)
        await update_stock(conn, tenant_id, order.id, sign=-1)
    except asyncpg.ExclusionViolationError as taken:
        raise WireError(
            Code.TIMESLOT_UNAVAILABLE,
            "The order's time has been taken by another order since it was canceled.",
            details={"reason": "booked", "alternatives": []},
        ) from taken
    except asyncpg.CheckViolationError as short:
        raise invalid({"status": ["needs products that are no longer in stock"]}) from short
