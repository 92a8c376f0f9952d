"""Finds the available start times of a service over some days, and why the others are unavailable."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.held import Holds
from frontdesk.availability.hours import open_and_start_masks
from frontdesk.availability.problems import AvailabilityProblem
from frontdesk.availability.queries import Days, ServiceRow, get_service
from frontdesk.availability.slots import Calendar, DayExplanation, explain_by_day, not_before, start_mask, widened
from frontdesk.availability.types import Service, ServiceToSchedule, StaffSchedule
from frontdesk.availability.window import (
    DAY,
    Window,
    bits_of_day,
    by_day,
    first_bit_after,
    mask_of_range,
    mask_of_utc_days,
    window_of,
)
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.time import to_local

MAX_VISIBLE_DAYS = 7 * DAY  # no appointment is longer than a week
SEARCH_DAYS = 90


class AvailabilityQuery(NamedTuple):
    service_id: UUID
    staff_id: UUID | None
    first: date
    days: int
    quantity: int
    search_on: bool  # if the first day has no start, begin at the first later day that has one
    explain: bool
    option_id: UUID | None = None


class AvailabilityResult(NamedTuple):
    slots: dict[str, list[str]]
    explanations: dict[UUID, dict[str, DayExplanation]] | None


def look_up(query: AvailabilityQuery, now: datetime, holds: Holds = Holds.NONE) -> Query[ServiceRow | None]:
    """Everything that `find_slots` needs, in any time zone."""
    requested = (query.service_id, query.option_id, query.staff_id, query.quantity)
    if not query.search_on:
        return get_service(*requested, Days.around(query.first, query.days), holds)
    first = max(query.first, now.date() - timedelta(days=1))
    days = Days.around(first, SEARCH_DAYS + query.days + 2)
    return get_service(*requested, days, holds)


def minute_that_counts(query: AvailabilityQuery, now: datetime) -> int | None:
    """The part of `now` on which the result of `find_slots` depends; None while the first day is far ahead."""
    if not query.search_on and now.date() < query.first - timedelta(days=2):  # in any time zone, see `window_of`
        return None
    return int(now.timestamp()) // 60


def find_slots(zone: ZoneInfo, query: AvailabilityQuery, service: Service | None, now: datetime) -> AvailabilityResult:
    """The available starts by day, of all providers of the service if none is named.

    Starts are local times. If the clocks repeat an hour, only the first one is offered; the second one can be booked
    with its offset.
    """
    service = checked(query, service)
    first = query.first
    if query.search_on:
        first = max(first, to_local(now, zone).date())
    window, mask = _free(zone, service, query, now, first, query.days)
    if query.search_on and not bits_of_day(mask, window.days[0]):
        wider, later = _free(zone, service, query, now, first, SEARCH_DAYS + 1)
        found = next((day.date for day in wider.days[1:] if bits_of_day(later, day)), None)
        if found is not None:
            window, mask = _free(zone, service, query, now, found, query.days)
    return AvailabilityResult(
        by_day(window, mask), _explanations(window, service, query, now) if query.explain else None
    )


def checked(query: AvailabilityQuery, service: Service | None) -> Service:
    if service is None:
        raise Problem(AvailabilityProblem.UNKNOWN_SERVICE, "service_id")
    if not service.active:
        raise Problem(AvailabilityProblem.SERVICE_NOT_FOR_SALE, "service_id")
    if query.option_id is not None and not service.is_option_on_sale:
        is_unknown = service.is_option_on_sale is None
        why = AvailabilityProblem.UNKNOWN_OPTION if is_unknown else AvailabilityProblem.OPTION_NOT_FOR_SALE
        raise Problem(why, "option_id")
    if query.option_id is None and service.needs_option:
        raise Problem(AvailabilityProblem.OPTION_REQUIRED, "option_id")
    if query.staff_id is not None and not service.providers:
        is_known = service.is_staff
        why = AvailabilityProblem.STAFF_DOES_NOT_PERFORM if is_known else AvailabilityProblem.UNKNOWN_STAFF
        raise Problem(why, "staff_id")
    return service


def _free(
    zone: ZoneInfo, service: Service, query: AvailabilityQuery, now: datetime, first: date, days: int
) -> tuple[Window, int]:
    lengths = [_length(service, provider, query.quantity) for provider in service.providers]
    max_minutes = max((length for length in lengths if length <= MAX_VISIBLE_DAYS), default=0)
    window = window_of(zone, first, days, max(max_minutes, DAY))
    return window, _union(window, service, query.quantity, now)


def calendar_of(provider: StaffSchedule, window: Window, grid: int) -> Calendar:
    """Busy times elsewhere count as time off, except where the front desk has booked them."""
    opened, ticks = open_and_start_masks(provider.hours, window, provider.closed, grid, provider.exceptions)
    booked = mask_of_utc_days(window, *provider.busy)
    away = external = held = 0
    for start, end in provider.time_off:
        away |= mask_of_range(window, start, end)
    for start, end in provider.external_busy:
        external |= mask_of_range(window, start, end)
    for start, end in provider.held:
        held |= mask_of_range(window, start, end)
    return Calendar(opened, ticks, away | (external & ~booked), booked | held)


def _calendar_for(service: Service, provider: StaffSchedule, window: Window) -> Calendar:
    return widened(calendar_of(provider, window, service.grid), service.buffer_before, service.buffer_after)


def _length(service: Service, provider: StaffSchedule, quantity: int) -> int:
    return quantity * (provider.staff_duration or service.duration)


def to_schedule(service: Service, quantity: int) -> ServiceToSchedule:
    candidates = {provider.staff_id: _length(service, provider, quantity) for provider in service.providers}
    return ServiceToSchedule(candidates, service.buffer_before, service.buffer_after)


def _union(window: Window, service: Service, quantity: int, now: datetime) -> int:
    mask = 0
    for provider in service.providers:
        length = _length(service, provider, quantity)
        if length <= MAX_VISIBLE_DAYS:
            mask |= start_mask(_calendar_for(service, provider, window), length)
    return not_before(mask & window.named, first_bit_after(window, now))


def _explanations(
    window: Window, service: Service, question: AvailabilityQuery, now: datetime
) -> dict[UUID, dict[str, DayExplanation]]:
    earliest, explanations = first_bit_after(window, now), {}
    for provider in service.providers:
        length = _length(service, provider, question.quantity)
        calendar = _calendar_for(service, provider, window)
        explanations[provider.staff_id] = explain_by_day(
            window,
            calendar._replace(grid=calendar.grid & window.named),
            provider.closed,
            length if length <= MAX_VISIBLE_DAYS else window.size + 1,  # longer than any opening
            earliest,
        )
    return explanations
