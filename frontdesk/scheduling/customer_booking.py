"""What a customer may do with their own booking: move it and cancel it, until the limit of the business."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.availability.db_errors import check_failed
from frontdesk.booking_page.types import BookingPage, BookingRules
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus, find_cancel_problem
from frontdesk.orders.problems import BookingProblem
from frontdesk.orders.queries.order_state import OrderToSchedule
from frontdesk.orders.types import ScheduledService, Status
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.scheduling.customer_booking_queries import CustomerBooking
from frontdesk.scheduling.hold_queries import Holds, with_holds
from frontdesk.scheduling.online import bookable_days, earliest_start
from frontdesk.scheduling.reschedule import RequestedProvider, RescheduleOrder
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local


class ChangeRefusal(StrEnum):
    """Why customers cannot change a booking themselves."""

    BY_BUSINESS = "by_business"  # it wants to be called
    BEGUN = "begun"  # or completed
    CANCELED = "canceled"
    LATE = "late"  # after the limit
    PAID = "paid"  # an invoice or a refund: only the business can cancel it


_PROBLEMS = {
    ChangeRefusal.BY_BUSINESS: BookingProblem.BY_PHONE_ONLY,
    ChangeRefusal.BEGUN: BookingProblem.BEGUN,
    ChangeRefusal.CANCELED: BookingProblem.CANCELED,
    ChangeRefusal.LATE: BookingProblem.TOO_LATE,
    ChangeRefusal.PAID: BookingProblem.BY_PHONE_ONLY,
}


def last_free_moment(starts_at: datetime, rules: BookingRules) -> datetime:
    """Until then a booking can be moved or canceled."""
    return starts_at - timedelta(hours=rules.cancellation_hours)


def find_move_refusal(page: BookingPage, booking: CustomerBooking, now: datetime) -> ChangeRefusal | None:
    return _refusal(page, booking.status, booking.starts_at, now, allowed=page.settings.customers_move)


def find_cancel_refusal(page: BookingPage, booking: CustomerBooking, now: datetime) -> ChangeRefusal | None:
    if booking.status is not Status.CANCELED and (booking.invoiced or booking.refunded_amount > 0):
        return ChangeRefusal.PAID
    return _refusal(page, booking.status, booking.starts_at, now, allowed=page.settings.customers_cancel)


def _refusal(
    page: BookingPage, status: Status, starts_at: datetime | None, now: datetime, *, allowed: bool
) -> ChangeRefusal | None:
    if status is Status.CANCELED:
        return ChangeRefusal.CANCELED
    if status is not Status.CONFIRMED or starts_at is None or starts_at <= now:
        return ChangeRefusal.BEGUN
    if not allowed or page.is_suspended:
        return ChangeRefusal.BY_BUSINESS
    return ChangeRefusal.LATE if now > last_free_moment(starts_at, page.rules) else None


def is_bookable(tenant: TenantContext, rules: BookingRules, start: datetime, now: datetime) -> bool:
    """Whether a start is neither too soon nor too far ahead for a customer."""
    last = bookable_days(tenant, rules, now)[1]
    return earliest_start(rules, now) <= start and to_local(start, get_zone(tenant.timezone)).date() <= last


def with_same_price(services: Sequence[ScheduledService]) -> list[ScheduledService]:
    """Only providers who cost as much as the booked one: a move changes no price."""
    return [
        msgspec.structs.replace(
            service,
            candidates={i: n for i, n in service.candidates.items() if i in (service.staff_id, *service.same_price)},
        )
        for service in services
    ]


class MoveOwnBooking(Act[OrderToSchedule], frozen=True):
    """A form that was sent twice, or whose time is the present one, changes nothing."""

    page: BookingPage
    order_id: UUID
    start: datetime
    version: int
    holds: Holds
    with_anyone: bool = False

    def load(self) -> Query[OrderToSchedule]:
        return RescheduleOrder(self.order_id, self.start).load()

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        loaded, order, now = context.loaded, context.loaded.order, current_time()
        start = context.tenant.to_utc(self.start, "start")
        if order.status is Status.CONFIRMED and start == order.starts_at:
            return FunctionCall(None, None)
        check_version(self.version, order.version, order.id)
        _raise_if(_refusal(self.page, order.status, order.starts_at, now, allowed=self.page.settings.customers_move))
        if not is_bookable(context.tenant, self.page.rules, start, now):
            raise Problem(BookingProblem.NOT_BOOKABLE)
        loaded = loaded._replace(
            schedules=with_holds(loaded.schedules, self.holds), booked=with_same_price(loaded.booked)
        )
        anyone = [RequestedProvider(service.line_id, None) for service in loaded.booked] if self.with_anyone else []
        reschedule = RescheduleOrder(self.order_id, start, anyone)
        return reschedule.decide(context._replace(loaded=loaded))._replace(response=None)

    def failure(self) -> Callable[[], Problem]:
        return check_failed


class CancelOwnBooking(Act[OrderToSchedule], frozen=True):
    page: BookingPage
    order_id: UUID
    version: int
    reason: str | None

    def load(self) -> Query[OrderToSchedule]:
        return self._cancel.load()

    @property
    def _cancel(self) -> ChangeOrderStatus:
        return ChangeOrderStatus(self.order_id, SettableStatus.CANCELED, self.reason, document=None)

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        order = context.loaded.order
        if order.status is Status.CANCELED:
            return FunctionCall(None, None)
        check_version(self.version, order.version, order.id)
        allowed = self.page.settings.customers_cancel
        _raise_if(_refusal(self.page, order.status, order.starts_at, current_time(), allowed=allowed))
        if find_cancel_problem(invoiced=order.invoiced, is_refund=False, refunded=order.refunded) is not None:
            _raise_if(ChangeRefusal.PAID)
        return self._cancel.decide(context)


def _raise_if(refusal: ChangeRefusal | None) -> None:
    if refusal is not None:
        raise Problem(_PROBLEMS[refusal])


def calendar_uid(order_id: UUID) -> str:
    """The same in invitations and feeds, so that programs know that it is one event."""
    return f"{order_id}@frontdesk"
