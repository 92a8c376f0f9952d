"""Changing the status of an order, which may release or take time and stock."""

from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

from frontdesk.availability.check import ServiceToSchedule, assign_staff
from frontdesk.availability.db_errors import check_failed
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_confirm
from frontdesk.orders.types import Booking, OrderState, Status
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import OUT_OF_STOCK, OVERLAP, PROVIDER_LEFT, Call, Document, Look, write
from frontdesk.tenants.types import TenantContext
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7


class SettableStatus(StrEnum):
    """An order cannot be made a draft."""

    CONFIRMED = "confirmed"
    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    CANCELED = "canceled"


async def change_status(
    conn: Connection, tenant: TenantContext, order_id: UUID, status: SettableStatus, note: str | None, actor: Actor
) -> None:
    look = look_at_status(order_id)
    await write(conn, tenant.tenant_id, look, lambda seen: plan_status(tenant, seen, status, note), actor=actor)


def look_at_status(order_id: UUID) -> Look[OrderToSchedule]:
    return Look(order_to_confirm(order_id), lock_resources(order_id))


def plan_status(
    tenant: TenantContext,
    seen: OrderToSchedule,
    target: SettableStatus,
    note: str | None,
    document: str = "order_document",
    *,
    no_show: bool = False,
    at_desk: bool = False,
    notify: bool | None = None,
) -> Call:
    """Canceling releases time and stock; leaving canceled or draft takes them. `no_show` says why it is canceled,
    `notify` whether the customer gets a message; None uses the settings of the business.
    """
    order, status, response = seen.order, Status(target), Document(document, seen.order.id)
    argument = {
        "order_id": order.id,
        "version": order.version,
        "status": status,
        "note": note,
    }
    change = Call("change_order_status", argument, response)
    if order.status is status:
        return Call(None, None, response)
    if status is Status.CANCELED:
        _check_cancellation(order)
        effect = "release" if order.holds_time_and_stock else None
        return change._replace(argument={**argument, "effect": effect, "no_show": no_show, "notify": notify})
    if order.status is Status.CANCELED:
        _check_revival(order)
    if order.status is Status.CANCELED and order.has_bookings:
        errors = {OVERLAP: _taken, PROVIDER_LEFT: _left, OUT_OF_STOCK: _no_longer_in_stock}
        return change._replace(argument={**argument, "effect": "reacquire"}, failure=check_failed, errors=errors)
    if order.holds_time_and_stock:
        return change
    # A draft, or an order that was canceled before it was ever booked.
    bookings = _bookings(tenant, seen, at_desk=at_desk)
    return change._replace(
        argument={**argument, "effect": "confirm", "bookings": bookings},
        failure=check_failed if order.starts_at is not None else None,
        errors={OUT_OF_STOCK: _not_in_stock},
    )


def _bookings(tenant: TenantContext, seen: OrderToSchedule, *, at_desk: bool) -> list[Booking]:
    """The same check as for a new order. An order without a start is a sale without a booking."""
    if seen.order.starts_at is None or not seen.unbooked:
        return []
    services = [ServiceToSchedule(s.candidates, s.buffer_before, s.buffer_after) for s in seen.unbooked]
    now = datetime.now(UTC)
    assigned = assign_staff(tenant, services, seen.schedules, seen.order.starts_at, now, at_desk=at_desk)
    return [
        Booking(uuid7(), service.line_id, item_id=service.item_id, **booked._asdict())
        for service, booked in zip(seen.unbooked, assigned, strict=True)
    ]


def find_cancel_problem(
    *, invoiced: bool, is_refund: bool, refunded: bool, wholly_refunded: bool, coming: bool
) -> WireError | None:
    """Why an order cannot be canceled; the invoice is checked first.

    A fully refunded order can be canceled if it has an invoice, which credit notes cover, or an appointment in the
    future, whose time must be released.
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


def is_coming(order: OrderState) -> bool:
    """Whether the order has an appointment in the future."""
    return order.first_booking_at is not None and order.first_booking_at > datetime.now(UTC)


def _check_cancellation(order: OrderState) -> None:
    problem = find_cancel_problem(
        invoiced=order.invoiced,
        is_refund=order.parent_id is not None,
        refunded=order.refunded,
        wholly_refunded=order.is_wholly_refunded,
        coming=is_coming(order),
    )
    if problem is not None:
        raise problem


def _check_revival(order: OrderState) -> None:
    if order.refunded_amount > 0:
        raise WireError(
            Code.INVALID_STATUS_TRANSITION,
            "The order was canceled and refunded. Create a new order instead.",
        )


def _taken() -> WireError:
    return WireError(
        Code.TIMESLOT_UNAVAILABLE,
        "The time slot was booked by another order after this order was canceled.",
        details={"reason": "booked", "alternatives": []},
    )


def _left() -> WireError:
    return WireError(
        Code.TIMESLOT_UNAVAILABLE,
        "The provider has left since this order was canceled. Create a new order instead.",
        details={"reason": "outside_working_hours", "alternatives": []},
    )


def _no_longer_in_stock() -> WireError:
    return invalid({"status": ["requires products that are no longer in stock"]})


def _not_in_stock() -> WireError:
    return invalid({"status": ["requires products that are not in stock"]})
