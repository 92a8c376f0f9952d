"""Changing the status of an order, which may release or take time and stock."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from frontdesk.availability.check import assign_staff, find_problems, nearest_starts, unavailable
from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.outside import without_outside
from frontdesk.availability.problems import Alternative, TimeProblem
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToSchedule, lock_resources, order_to_confirm
from frontdesk.orders.stock import StockNeed, choose_options, shortages
from frontdesk.orders.types import Booking, OrderState, Status, StockDeduction
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import OUT_OF_STOCK, OVERLAP, Look, write
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


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
) -> FunctionCall:
    """Canceling releases time and stock; leaving canceled or draft takes them. `no_show` says why it is canceled,
    `notify` whether the customer gets a message; None uses the settings of the business.
    """
    order, status, response = seen.order, Status(target), ResponseDocument(document, seen.order.id)
    argument = {
        "order_id": order.id,
        "version": order.version,
        "status": status,
        "note": note,
    }
    change = FunctionCall("change_order_status", argument, response)
    if order.status is status:
        return FunctionCall(None, None, response)
    if status is Status.CANCELED:
        _check_cancellation(order)
        check_no_show(order, no_show=no_show)
    elif order.parent_id is not None:
        raise Problem(StatusProblem.IS_REFUND)
    if status is Status.CANCELED:
        effect = "release" if order.holds_time_and_stock else None
        return change._replace(argument={**argument, "effect": effect, "no_show": no_show, "notify": notify})
    if order.holds_time_and_stock:
        return change
    if order.status is Status.CANCELED:
        _check_revival(order)
    if order.status is Status.CANCELED and order.has_bookings:
        return change._replace(**_reacquire(tenant, seen, argument, at_desk=at_desk)._asdict())
    _check_still_offered(seen)
    # A draft, or an order that was canceled before it was ever booked.
    bookings = _bookings(tenant, seen, at_desk=at_desk)
    return change._replace(
        argument={
            **argument,
            "effect": "confirm",
            "bookings": bookings,
            "stock": _stock(seen),
            "not_blocked": True,
        },
        failure=check_failed if order.starts_at is not None else None,
    )


def _stock(seen: OrderToSchedule) -> list[StockDeduction]:
    """The option that each line takes its units from, by the rule of a new order."""
    products = {product.id: product for product in seen.products}
    lines = [[StockNeed(need.item_id, need.units, need.option_ids)] for need in seen.needs]
    uses = choose_options(lines, products)
    if any(shortages(uses, products)):
        raise Problem(StatusProblem.NOT_IN_STOCK, "status")
    return [
        StockDeduction(need.line_id, need.item_id, need.units, 1, use.option_id)
        for need, (use,) in zip(seen.needs, uses, strict=True)
    ]


def _bookings(tenant: TenantContext, seen: OrderToSchedule, *, at_desk: bool) -> list[Booking]:
    """The same check as for a new order. An order without a start is a sale without a booking."""
    if seen.order.starts_at is None or not seen.unbooked:
        return []
    services = [ServiceToSchedule(s.named, s.buffer_before, s.buffer_after) for s in seen.unbooked]
    now = datetime.now(UTC)
    assigned = assign_staff(tenant, services, seen.schedules, seen.order.starts_at, now, at_desk=at_desk)
    return [
        Booking(uuid7(), service.line_id, item_id=service.item_id, **booked._asdict())
        for service, booked in zip(seen.unbooked, assigned, strict=True)
    ]


class _Reacquisition(NamedTuple):
    """What a `FunctionCall` has for an order that takes its time and stock again."""

    argument: dict[str, Any]
    errors: Mapping[str, Callable[[], Problem]]
    failure: Callable[[], Problem] = check_failed


def _reacquire(
    tenant: TenantContext, seen: OrderToSchedule, argument: dict[str, Any], *, at_desk: bool
) -> _Reacquisition:
    """An appointment that has not begun is checked like a new one; what is over is only put right."""
    start, now = seen.order.starts_at, datetime.now(UTC)
    argument = {**argument, "effect": "reacquire"}
    if start is None or start <= now:
        return _Reacquisition(argument, {OVERLAP: _taken, OUT_OF_STOCK: _no_longer_in_stock})
    _check_still_offered(seen)
    schedules = without_outside(seen.schedules) if at_desk else seen.schedules
    booked = [(s, s.staff_id, s.minutes) for s in seen.unbooked if s.staff_id is not None and s.minutes is not None]
    own = [ServiceToSchedule({staff: minutes}, s.buffer_before, s.buffer_after) for s, staff, minutes in booked]
    others = [
        ServiceToSchedule({**s.candidates, staff: minutes}, s.buffer_before, s.buffer_after)
        for s, staff, minutes in booked
    ]
    problems = [why for found in find_problems(tenant, own, schedules, start, now) for why in found]
    reason = next((why for why in problems if why not in ("past", "off_grid")), None)  # the grid may have changed since
    if reason is not None:
        day = to_local(start, get_zone(tenant.timezone)).date()
        working = [schedules[staff] for _, staff, _ in booked if staff in schedules]
        is_closed = reason == "outside_working_hours" and any(day in schedule.closed for schedule in working)
        found = nearest_starts(tenant, others, schedules, start, now)
        raise Problem(TimeProblem.BRANCH_CLOSED, alternatives=found) if is_closed else unavailable(reason, found)
    providers = [{"staff_id": staff, "schedule_version": schedules[staff].version} for _, staff, _ in booked]

    def taken_meanwhile() -> Problem:
        found = nearest_starts(tenant, others, schedules, start, now)
        local = to_local(start, get_zone(tenant.timezone))
        return _taken([one for one in found if one.start != local])

    errors = {OVERLAP: taken_meanwhile, OUT_OF_STOCK: _no_longer_in_stock}
    return _Reacquisition({**argument, "bookings": providers, "not_blocked": True}, errors)


def _check_still_offered(seen: OrderToSchedule) -> None:
    if seen.is_customer_blocked:
        raise Problem(StatusProblem.CUSTOMER_BLOCKED, "status")
    if seen.has_inactive_items:
        raise Problem(StatusProblem.ITEMS_NOT_FOR_SALE, "status")


def find_cancel_problem(*, invoiced: bool, is_refund: bool, refunded: bool) -> Problem | None:
    """Why a change of the status cannot cancel an order; the invoice is checked first. A refund can, and `give_up`."""
    if invoiced:
        return Problem(StatusProblem.HAS_INVOICE)
    if is_refund:
        return Problem(StatusProblem.IS_REFUND)
    return Problem(StatusProblem.HAS_REFUNDS) if refunded else None


def is_coming(order: OrderState) -> bool:
    """Whether the order has an appointment in the future."""
    return order.first_booking_at is not None and order.first_booking_at > datetime.now(UTC)


def _check_cancellation(order: OrderState) -> None:
    problem = find_cancel_problem(
        invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded
    )
    if problem is not None:
        raise problem


def check_no_show(order: OrderState, *, no_show: bool) -> None:
    if no_show and is_coming(order):
        raise Problem(StatusProblem.NOT_BEGUN)


def _check_revival(order: OrderState) -> None:
    if order.refunded_amount > 0:
        raise Problem(StatusProblem.REFUNDED_AND_CANCELED)
    if order.invoiced:
        raise Problem(StatusProblem.CREDITED_AND_CANCELED)


def _taken(alternatives: Sequence[Alternative] = ()) -> Problem:
    return Problem(TimeProblem.BOOKED_SINCE_CANCELED, alternatives=list(alternatives))


def _no_longer_in_stock() -> Problem:
    return Problem(StatusProblem.NO_LONGER_IN_STOCK, "status")
