"""What a customer may do with their own booking: move it and cancel it, until the limit of the business."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.booking_page.types import BookingPage, BookingRules
from frontdesk.orders.change_status import SettableStatus, find_cancel_problem, plan_status
from frontdesk.orders.online import bookable_days, earliest_start
from frontdesk.orders.problems import BookingProblem
from frontdesk.orders.queries.holds import Holds, with_holds
from frontdesk.orders.queries.order_state import OrderToSchedule
from frontdesk.orders.queries.own_booking import OwnBooking
from frontdesk.orders.reschedule import RequestedProvider, plan_reschedule
from frontdesk.orders.types import BookedService, Status
from frontdesk.postgres.act import FunctionCall
from frontdesk.problems import Problem, check_version
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


class Refusal(StrEnum):
    """Why customers cannot change a booking themselves."""

    BY_BUSINESS = "by_business"  # it wants to be called
    BEGUN = "begun"  # or completed
    CANCELED = "canceled"
    LATE = "late"  # after the limit
    PAID = "paid"  # an invoice or a refund: only the business can cancel it


_PROBLEMS = {
    Refusal.BY_BUSINESS: BookingProblem.BY_PHONE_ONLY,
    Refusal.BEGUN: BookingProblem.BEGUN,
    Refusal.CANCELED: BookingProblem.CANCELED,
    Refusal.LATE: BookingProblem.TOO_LATE,
    Refusal.PAID: BookingProblem.BY_PHONE_ONLY,
}


def last_free_moment(starts_at: datetime, rules: BookingRules) -> datetime:
    """Until then a booking can be moved or canceled."""
    return starts_at - timedelta(hours=rules.cancellation_hours)


def find_move_refusal(page: BookingPage, booking: OwnBooking, now: datetime) -> Refusal | None:
    return _refusal(page, booking.status, booking.starts_at, now, allowed=page.settings.customers_move)


def find_cancel_refusal(page: BookingPage, booking: OwnBooking, now: datetime) -> Refusal | None:
    if booking.status is not Status.CANCELED and (booking.invoiced or booking.refunded_amount > 0):
        return Refusal.PAID
    return _refusal(page, booking.status, booking.starts_at, now, allowed=page.settings.customers_cancel)


def _refusal(
    page: BookingPage, status: Status, starts_at: datetime | None, now: datetime, *, allowed: bool
) -> Refusal | None:
    if status is Status.CANCELED:
        return Refusal.CANCELED
    if status is not Status.CONFIRMED or starts_at is None or starts_at <= now:
        return Refusal.BEGUN
    if not allowed or page.is_suspended:
        return Refusal.BY_BUSINESS
    return Refusal.LATE if now > last_free_moment(starts_at, page.rules) else None


def is_bookable(tenant: TenantContext, rules: BookingRules, start: datetime, now: datetime) -> bool:
    """Whether a start is neither too soon nor too far ahead for a customer."""
    last = bookable_days(tenant, rules, now)[1]
    return earliest_start(rules, now) <= start and to_local(start, get_zone(tenant.timezone)).date() <= last


def with_same_price(services: Sequence[BookedService]) -> list[BookedService]:
    """Only providers who cost as much as the booked one: a move changes no price."""
    return [
        msgspec.structs.replace(
            service,
            candidates={i: n for i, n in service.candidates.items() if i in (service.staff_id, *service.same_price)},
        )
        for service in services
    ]


def plan_own_move(
    page: BookingPage,
    seen: OrderToSchedule,
    holds: Holds,
    start: datetime,
    version: int,
    *,
    with_anyone: bool = False,
) -> FunctionCall:
    """A form that was sent twice, or whose time is the present one, changes nothing."""
    order, now = seen.order, datetime.now(UTC)
    start = page.tenant.to_utc(start, "start")
    if order.status is Status.CONFIRMED and start == order.starts_at:
        return FunctionCall(None, None)
    check_version(version, order.version, order.id)
    _raise_if(_refusal(page, order.status, order.starts_at, now, allowed=page.settings.customers_move))
    if not is_bookable(page.tenant, page.rules, start, now):
        raise Problem(BookingProblem.NOT_BOOKABLE)
    seen = seen._replace(schedules=with_holds(seen.schedules, holds), booked=with_same_price(seen.booked))
    requested = [RequestedProvider(service.line_id, None) for service in seen.booked] if with_anyone else []
    return plan_reschedule(page.tenant, seen, start, requested)._replace(response=None)


def plan_own_cancellation(page: BookingPage, seen: OrderToSchedule, version: int, reason: str | None) -> FunctionCall:
    order = seen.order
    if order.status is Status.CANCELED:
        return FunctionCall(None, None)
    check_version(version, order.version, order.id)
    allowed = page.settings.customers_cancel
    _raise_if(_refusal(page, order.status, order.starts_at, datetime.now(UTC), allowed=allowed))
    if find_cancel_problem(invoiced=order.invoiced, is_refund=False, refunded=order.refunded) is not None:
        _raise_if(Refusal.PAID)
    return plan_status(page.tenant, seen, SettableStatus.CANCELED, reason)._replace(response=None)


def _raise_if(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Problem(_PROBLEMS[refusal])


def calendar_uid(order_id: UUID) -> str:
    """The same in invitations and feeds, so that programs know that it is one event."""
    return f"{order_id}@frontdesk"
