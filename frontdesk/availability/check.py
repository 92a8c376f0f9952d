"""Checks whether services can begin at a given time, and assigns staff. Uses the same rules as the search for slots."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from frontdesk.availability.external_calendars import without_external_calendars
from frontdesk.availability.find_slots import MAX_VISIBLE_DAYS, calendar_of
from frontdesk.availability.problems import Alternative, TimeProblem
from frontdesk.availability.queries import Days
from frontdesk.availability.schedule import Schedule
from frontdesk.availability.slots import Calendar, Reason
from frontdesk.availability.types import Assignment, ServiceToSchedule, StaffSchedule
from frontdesk.availability.window import (
    DAY,
    Window,
    first_bit_after,
    mask_of_range,
    window_of,
)
from frontdesk.problems import Problem
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_ALTERNATIVE_DAYS = 7  # searched before the requested day, and after it
# The busy times of the order itself, by provider. They do not conflict with its new time.
CurrentTimes = Mapping[UUID, Sequence[tuple[datetime, datetime]]]
_NOTHING: CurrentTimes = {}


def assign_staff(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    current: CurrentTimes = _NOTHING,
    at_desk: bool = False,
) -> list[Assignment]:
    """A free staff member for each service, back to back from `start`; 422 with the reason if there is none.

    `schedules` are those of the days that `days_to_read` returns. At the front desk, a provider who is busy only in an
    external calendar can be booked if no other provider is free.
    """
    zone = get_zone(tenant.timezone)
    schedule = schedule_of(tenant, services, schedules, to_local(start, zone).date(), now, current, days=1)
    assigned = schedule.assign(start)
    if assigned is None and at_desk and any(provider.external_busy for provider in schedules.values()):
        return assign_staff(tenant, services, without_external_calendars(schedules), start, now, current=current)
    if assigned is not None:
        return assigned
    raise unavailable(schedule.why_not(start), nearest_starts(tenant, services, schedules, start, now, current=current))


def assign_anyway(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    current: CurrentTimes = _NOTHING,
) -> list[Assignment]:
    """The only candidate of each service, back to back from `start`, whatever else they have then. Those who are not
    free, or do not work, are marked as extra. Only the past is refused.
    """
    first = to_local(start, get_zone(tenant.timezone)).date()
    schedules = without_external_calendars(schedules)
    schedule = schedule_of(tenant, services, schedules, first, now, current, days=1)
    if any("past" in why for why in schedule.problems(start)):
        raise unavailable("past", [])
    return schedule.assign_anyway(start)


def nearest_starts(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    current: CurrentTimes = _NOTHING,
) -> list[Alternative]:
    """The three starts around `start` that fit all services, with who performs the first one."""
    first = to_local(max(start, now), get_zone(tenant.timezone)).date() - timedelta(days=_ALTERNATIVE_DAYS)
    wider = schedule_of(tenant, services, schedules, first, now, current, days=2 * _ALTERNATIVE_DAYS + 1)
    return wider.alternatives(start)


def find_problems(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    current: CurrentTimes = _NOTHING,
) -> list[list[Reason]]:
    """For each service all reasons why its only candidate cannot perform it, where `assign_staff` raises the first."""
    first = to_local(start, get_zone(tenant.timezone)).date()
    return schedule_of(tenant, services, schedules, first, now, current, days=1).problems(start)


def days_to_read(start: datetime, now: datetime) -> Days:
    """The days of an appointment and of its alternatives, in any time zone; `start` may be a local time."""
    middle = max(start.date(), now.date())
    return Days(
        middle - timedelta(days=_ALTERNATIVE_DAYS + 3),
        middle + timedelta(days=_ALTERNATIVE_DAYS + 5 + MAX_VISIBLE_DAYS // DAY),
    )


def schedule_of(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    first: date,
    now: datetime,
    current: CurrentTimes = _NOTHING,
    *,
    days: int,
) -> Schedule:
    window, calendars = calendars_of(tenant, services, schedules, first, current, days=days)
    versions = {staff_id: schedules[staff_id].version for staff_id in calendars}
    return Schedule(window, services, calendars, versions, first_bit_after(window, now), tenant.grid_minutes)


def calendars_of(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    first: date,
    current: CurrentTimes = _NOTHING,
    *,
    days: int,
) -> tuple[Window, dict[UUID, Calendar]]:
    """Of all candidates who have a schedule."""
    window = _window(tenant, services, first, days)
    calendars = {
        staff_id: calendar_of(schedules[staff_id], window, tenant.grid_minutes)
        for staff_id in _all_candidates(services)
        if staff_id in schedules
    }
    for staff_id in current.keys() & calendars.keys():
        calendars[staff_id] = _without(calendars[staff_id], current[staff_id], window)
    return window, calendars


def _without(calendar: Calendar, times: Sequence[tuple[datetime, datetime]], window: Window) -> Calendar:
    freed = 0
    for start, end in times:
        freed |= mask_of_range(window, start, end)
    return calendar._replace(booked=calendar.booked & ~freed)


def _window(tenant: TenantContext, services: Sequence[ServiceToSchedule], first: date, days: int) -> Window:
    max_minutes = sum(max(service.candidates.values(), default=0) for service in services)
    return window_of(get_zone(tenant.timezone), first, days, min(max_minutes, MAX_VISIBLE_DAYS))


def _all_candidates(services: Sequence[ServiceToSchedule]) -> list[UUID]:
    return sorted({staff_id for service in services for staff_id in service.candidates})


def unavailable(why: Reason, alternatives: list[Alternative]) -> Problem:
    return Problem(TimeProblem[why.upper()], alternatives=alternatives)
