"""The times that a customer may move their own booking to, or book the same services at again."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import CurrentTimes, schedule_of
from frontdesk.availability.free_starts import WHOLE_DAY, why_none
from frontdesk.availability.slots import Reason
from frontdesk.availability.types import ServiceToSchedule
from frontdesk.booking_page.types import BookingPage
from frontdesk.orders.queries.order_state import OrderToSchedule, order_to_reschedule
from frontdesk.orders.types import ScheduledService
from frontdesk.postgres.query import Query
from frontdesk.scheduling.customer_booking import is_bookable, with_same_price
from frontdesk.scheduling.hold_queries import Holds, with_holds
from frontdesk.scheduling.online import WEEK, earliest_start
from frontdesk.scheduling.reschedule import current_times
from frontdesk.values.time import get_zone, to_local


class FreeDay(NamedTuple):
    day: date
    starts: list[datetime]  # local
    why: Reason | None  # there are none


def order_in_week(order_id: UUID, first: date, now: datetime) -> Query[OrderToSchedule]:
    """The order with the schedules of the week from `first` on."""
    middle = datetime.combine(first + timedelta(days=WEEK // 2), time())
    return order_to_reschedule(order_id, middle, now)


def free_week(
    page: BookingPage, loaded: OrderToSchedule, holds: Holds, first: date, now: datetime, *, with_anyone: bool
) -> list[FreeDay]:
    """The starts that `MoveOwnBooking` accepts. The time that the booking has now is one of them."""
    schedules = with_holds(loaded.schedules, holds)
    tenant, zone = page.tenant, get_zone(page.tenant.timezone)
    services = [_to_schedule(service, with_anyone=with_anyone) for service in with_same_price(loaded.booked)]
    earliest = earliest_start(page.rules, now)
    current: CurrentTimes = current_times(loaded.booked) if loaded.order.holds_time_and_stock else {}
    found: dict[date, list[datetime]] = {first + timedelta(days=n): [] for n in range(WEEK)}
    if not all(service.candidates for service in services):
        return [FreeDay(day, [], "outside_working_hours") for day in found]
    for free in schedule_of(tenant, services, schedules, first, earliest, current, days=WEEK).free_starts(WHOLE_DAY):
        start = free.assigned[0].start
        if is_bookable(tenant, page.rules, start, now):
            found[to_local(start, zone).date()].append(to_local(start, zone))
    return [
        FreeDay(day, starts, None if starts else why_none(tenant, services[0], schedules, day, earliest))
        for day, starts in found.items()
    ]


def nearest_starts(week: Sequence[FreeDay], around: datetime, number: int = 3) -> list[datetime]:
    """`around` is a local time without an offset."""
    starts = [start for day in week for start in day.starts]
    chosen = sorted(starts, key=lambda start: abs(start.replace(tzinfo=None) - around))[:number]
    return sorted(chosen)


def same_time_on_other_days(week: Sequence[FreeDay], clock: time, number: int = 3) -> list[datetime]:
    """On each day that has free times, the one nearest to the clock time."""
    days = [day for day in week if day.starts]
    minutes = clock.hour * 60 + clock.minute
    return [min(day.starts, key=lambda start: abs(start.hour * 60 + start.minute - minutes)) for day in days[:number]]


def _to_schedule(service: ScheduledService, *, with_anyone: bool) -> ServiceToSchedule:
    """As `plan_reschedule` does: the same provider needs as long as was booked."""
    candidates = dict(service.candidates) if with_anyone else {}
    if service.staff_id in service.candidates:
        candidates[service.staff_id] = service.minutes
    return ServiceToSchedule(candidates, service.buffer_before, service.buffer_after)
