"""The act of moving an order from one status to another, with what that frees or takes."""

from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

import asyncpg

from frontdesk.availability.db_errors import as_availability_error
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.confirm_draft import confirm_draft
from frontdesk.orders.queries.changing import (
    lock_order,
    lock_staff_and_stock,
    update_bookings_active,
    update_status,
    update_stock,
)
from frontdesk.orders.queries.telling import emit_status_change
from frontdesk.orders.types import Actor, LockedOrder, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext


class SettableStatus(StrEnum):
    """Nothing enters draft."""

    CONFIRMED = "confirmed"
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    CANCELED = "canceled"


async def change_status(
    conn: Connection, tenant: TenantContext, order_id: UUID, wanted: SettableStatus, note: str | None, actor: Actor
) -> None:
    """Canceling frees slot and stock in the same transaction; leaving canceled, or draft, takes them."""
    status = Status(wanted)
    async with conn.transaction():
        order = await lock_order(conn, tenant.tenant_id, order_id)
        if order.status is status:
            return
        if status is Status.CANCELED:
            await _cancel(conn, tenant, order, note, actor)
            return
        if order.status is Status.CANCELED:
            _check_revival(order)
        if order.status is Status.CANCELED and order.booked:
            with as_availability_error():
                await _reacquire(conn, tenant.tenant_id, order)
        elif not order.holds_time_and_stock:
            # Canceled without ever having been booked: it was a draft, or it has nothing that is booked.
            with as_availability_error(asked=order.starts_at is not None):
                await confirm_draft(conn, tenant, order)
        await update_status(conn, tenant.tenant_id, order, status, note, actor)
        await emit_status_change(conn, tenant, order, status, note, actor)


def find_cancel_problem(
    *, invoiced: bool, is_refund: bool, refunded: bool, wholly_refunded: bool, coming: bool
) -> WireError | None:
    """Why an order cannot be canceled; of the two reasons the invoice comes first.

    Once all its money was given back, an order with an invoice can be canceled, since credit notes cover what was paid,
    and so can an appointment that is still to come, since its time must not stay taken.
    """
    if invoiced and not wholly_refunded:
        return WireError(Code.ORDER_HAS_INVOICE, "The order has an invoice. Refund it in full before you cancel it.")
    if is_refund:
        return WireError(Code.INVALID_STATUS_TRANSITION, "The order is a refund and cannot be canceled.")
    if refunded and not wholly_refunded:
        return WireError(
            Code.INVALID_STATUS_TRANSITION, "The order was partially refunded. Refund the rest before you cancel it."
        )
    if refunded and not invoiced and not coming:
        return WireError(
            Code.INVALID_STATUS_TRANSITION,
            "The order was refunded and has no upcoming appointment, so it cannot be canceled.",
        )
    return None


async def cancel_refunded(
    conn: Connection, tenant: TenantContext, order_id: UUID, note: str | None, actor: Actor
) -> None:
    """Cancel an order as a part of its refund. The caller holds its row, its providers and its products."""
    order = await lock_order(conn, tenant.tenant_id, order_id)
    if order.invoiced and not order.is_wholly_refunded:
        raise WireError(Code.ORDER_HAS_INVOICE, "The order has an invoice. Refund it in full before you cancel it.")
    await _release(conn, tenant, order, note, actor)


async def _cancel(conn: Connection, tenant: TenantContext, order: LockedOrder, note: str | None, actor: Actor) -> None:
    refusal = find_cancel_problem(
        invoiced=order.invoiced,
        is_refund=order.parent_id is not None,
        refunded=order.refunded,
        wholly_refunded=order.is_wholly_refunded,
        coming=order.begins is not None and order.begins > datetime.now(UTC),
    )
    if refusal is not None:
        raise refusal
    if order.holds_time_and_stock:
        await lock_staff_and_stock(conn, tenant.tenant_id, order.id)
    await _release(conn, tenant, order, note, actor)


async def _release(conn: Connection, tenant: TenantContext, order: LockedOrder, note: str | None, actor: Actor) -> None:
    if order.holds_time_and_stock:
        await update_bookings_active(conn, tenant.tenant_id, order.id, is_active=False)
        await update_stock(conn, tenant.tenant_id, order.id, sign=1)
    await update_status(conn, tenant.tenant_id, order, Status.CANCELED, note, actor)
    await emit_status_change(conn, tenant, order, Status.CANCELED, note, actor)


def _check_revival(order: LockedOrder) -> None:
    if order.refunded_amount > 0:
        raise WireError(
            Code.INVALID_STATUS_TRANSITION,
            "The order was canceled and refunded. Create a new order instead.",
        )


async def _reacquire(conn: Connection, tenant_id: UUID, order: LockedOrder) -> None:
    """Only what others hold by now stands in the way: the past may be put right after the fact."""
    await lock_staff_and_stock(conn, tenant_id, order.id)
    try:
        await update_bookings_active(conn, tenant_id, order.id, is_active=True)
        await update_stock(conn, tenant_id, order.id, sign=-1)
    except asyncpg.ExclusionViolationError as taken:
        raise WireError(
            Code.TIMESLOT_UNAVAILABLE,
            "The time slot was booked by another order after this order was canceled.",
            details={"reason": "booked", "alternatives": []},
        ) from taken
    except asyncpg.CheckViolationError as short:
        raise invalid({"status": ["requires products that are no longer in stock"]}) from short
