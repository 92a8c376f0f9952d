"""Checks whether services can begin at a given time, and assigns staff. Uses the same rules as the search for slots."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.find_slots import MAX_VISIBLE_DAYS, calendar_of
from frontdesk.availability.outside import without_outside
from frontdesk.availability.queries import Days
from frontdesk.availability.slots import (
    Calendar,
    Reason,
    fits,
    free_minutes,
    nearest,
    not_before,
    reason,
    reasons,
    starts,
    widened,
)
from frontdesk.availability.types import Assignment, StaffSchedule
from frontdesk.availability.window import (
    DAY,
    Window,
    bits_of_day,
    first_bit_after,
    instant_of,
    mask_of_range,
    minute_index,
    span,
    window_of,
)
from frontdesk.errors import Code, WireError
from frontdesk.tenants.types import TenantContext
from frontdesk.values.time import get_zone, to_local

_ALTERNATIVES = 3
_ALTERNATIVE_DAYS = 7  # searched before the requested day, and after it
_MAX_TRIED = 60
# If the providers' reasons differ, the one that is easiest to resolve: a provider who is only off the grid is free.
_PREFERENCE: tuple[Reason, ...] = ("off_grid", "booked", "time_off", "outside_working_hours", "past")


class ServiceToSchedule(NamedTuple):
    """One service of an order: who may perform it, and how many minutes each of them needs."""

    candidates: Mapping[UUID, int]
    buffer_before: int = 0
    buffer_after: int = 0
    prices: Mapping[UUID, Decimal] | None = (
        None  # of each candidate: the cheapest is assigned; None: they do not matter
    )


# The busy times of the order itself, by provider. They do not conflict with its new time.
OwnTimes = Mapping[UUID, Sequence[tuple[datetime, datetime]]]
_NOTHING: OwnTimes = {}


def assign_staff(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    own: OwnTimes = _NOTHING,
    at_desk: bool = False,
) -> list[Assignment]:
    """A free staff member for each service, back to back from `start`; 422 with the reason if there is none.

    `schedules` are those of the days that `days_to_read` returns. At the front desk, a provider who is busy only in an
    outside calendar can be booked if no other provider is free.
    """
    zone = get_zone(tenant.timezone)
    schedule = schedule_of(tenant, services, schedules, to_local(start, zone).date(), now, own, days=1)
    assigned = schedule.assign(start)
    if assigned is None and at_desk and any(one.outside for one in schedules.values()):
        return assign_staff(tenant, services, without_outside(schedules), start, now, own=own)
    if assigned is not None:
        return assigned
    raise _unavailable(schedule.why_not(start), nearest_starts(tenant, services, schedules, start, now, own=own))


def nearest_starts(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    own: OwnTimes = _NOTHING,
) -> list[dict[str, str]]:
    """The three starts around `start` that fit all services, with who performs the first one."""
    first = to_local(max(start, now), get_zone(tenant.timezone)).date() - timedelta(days=_ALTERNATIVE_DAYS)
    wider = schedule_of(tenant, services, schedules, first, now, own, days=2 * _ALTERNATIVE_DAYS + 1)
    return wider.alternatives(start)


def find_problems(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    own: OwnTimes = _NOTHING,
) -> list[list[Reason]]:
    """For each service all reasons why its only candidate cannot perform it, where `assign_staff` raises the first."""
    first = to_local(start, get_zone(tenant.timezone)).date()
    return schedule_of(tenant, services, schedules, first, now, own, days=1).problems(start)


class FreeStart(NamedTuple):
    """A start at which services fit, and until when their last provider is free."""

    assigned: list[Assignment]
    free_until: datetime


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
    own: OwnTimes = _NOTHING,
    *,
    days: int,
) -> "Schedule":
    window = _window(tenant, services, first, days)
    calendars = {
        staff_id: calendar_of(schedules[staff_id], window, tenant.grid_minutes)
        for staff_id in _all_candidates(services)
        if staff_id in schedules
    }
    for staff_id in own.keys() & calendars.keys():
        calendars[staff_id] = _without(calendars[staff_id], own[staff_id], window)
    versions = {staff_id: schedules[staff_id].version for staff_id in calendars}
    return Schedule(window, services, calendars, versions, first_bit_after(window, now))


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


# Who performs a service, and from when until when: for each service from one of them to the last.
_Chain = list[tuple[UUID, int, int]]
# By service and start, so that nothing is searched twice; None: from there on the services do not fit.
_Found = dict[tuple[int, int], _Chain | None]


class Schedule:
    """The calendars of all candidates, over the relevant days."""

    def __init__(
        self,
        window: Window,
        services: Sequence[ServiceToSchedule],
        calendars: Mapping[UUID, Calendar],
        versions: Mapping[UUID, int],
        earliest: int,
    ) -> None:
        self._window = window
        self._services = services
        self._earliest = earliest
        self._calendars = calendars
        self._versions = versions
        self._has_prices = any(service.prices for service in services)

    def assign(self, start: datetime) -> list[Assignment] | None:
        if start.second or start.microsecond:
            return None
        chosen = self._chain(0, minute_index(self._window, start), {})
        return None if chosen is None else self._assignments(chosen)

    def _assignments(self, chosen: Sequence[tuple[UUID, int, int]]) -> list[Assignment]:
        busy = _busy_times(self._services, chosen)
        return [
            Assignment(
                staff_id, self._versions[staff_id], *(instant_of(self._window, bit) for bit in (first, end, *times))
            )
            for (staff_id, first, end), times in zip(chosen, busy, strict=True)
        ]

    def why_not(self, start: datetime) -> Reason:
        """Why the first service cannot begin then; if it can, why a later one cannot follow."""
        if start.second or start.microsecond:
            return "off_grid"
        bit = minute_index(self._window, start)
        for index, service in enumerate(self._services):
            found = [self._reason(index, staff_id, bit, length) for staff_id, length in service.candidates.items()]
            if None not in found:
                return next((name for name in _PREFERENCE if name in found), "outside_working_hours")
            bit += min(service.candidates.values())
        return "booked"

    def problems(self, start: datetime) -> list[list[Reason]]:
        found: list[list[Reason]] = []
        bit = minute_index(self._window, start)
        for index, service in enumerate(self._services):
            ((staff_id, length),) = service.candidates.items()
            found.append(self._all_reasons(index, staff_id, bit, length))
            bit += length
        return found

    def _all_reasons(self, index: int, staff_id: UUID, start: int, length: int) -> list[Reason]:
        if staff_id not in self._calendars or length > MAX_VISIBLE_DAYS or not 0 <= start < self._window.size:
            return ["outside_working_hours"]
        found = list(reasons(self._calendar(index, staff_id), start, length, self._earliest))
        return found if index == 0 else [why for why in found if why != "off_grid"]  # as in _later_reason

    def free_starts(self, between: tuple[int, int]) -> Iterator[FreeStart]:
        mask = self._first_starts() & self._hours_of_days(between)
        found: _Found = {}
        for day in self._window.days:
            for bit in bits_of_day(mask, day):
                chosen = self._chain(0, bit, found)
                if chosen is not None:
                    staff_id, _, end = chosen[-1]
                    until = end + free_minutes(self._calendar(len(chosen) - 1, staff_id), end)
                    yield FreeStart(self._assignments(chosen), instant_of(self._window, until))

    def count_starts(self) -> list[int]:
        """The number of free starts of each day, without who is assigned. One service needs no search."""
        mask = self._first_starts()
        if len(self._services) == 1:
            return [(mask & span(day.start, day.end)).bit_count() for day in self._window.days]
        found: _Found = {}
        return [
            sum(self._chain(0, bit, found) is not None for bit in bits_of_day(mask, day)) for day in self._window.days
        ]

    def why_none(self, between: tuple[int, int]) -> Reason:
        hours = self._hours_of_days(between)
        if not not_before(hours, self._earliest):
            return "past"
        opened = [(c.opened & hours, c.time_off) for c in self._calendars.values()]
        if not any(minutes for minutes, _ in opened):
            return "outside_working_hours"
        return "booked" if any(minutes & ~time_off for minutes, time_off in opened) else "time_off"

    def _first_starts(self) -> int:
        """The starts at which the first service fits."""
        mask = 0
        for staff_id, length in self._services[0].candidates.items():
            if staff_id in self._calendars and length <= MAX_VISIBLE_DAYS:
                mask |= starts(self._calendar(0, staff_id), length, self._earliest)
        return mask & self._window.named

    def _hours_of_days(self, between: tuple[int, int]) -> int:
        mask, (first, last) = 0, between
        for day in self._window.days:
            end = day.end if last >= DAY else day.bit_at(last)
            mask |= span(day.bit_at(first), max(end, day.bit_at(first)))
        return mask

    def alternatives(self, around: datetime) -> list[dict[str, str]]:
        """The nearest start times that fit the whole order, as local times without an offset."""
        mask = self._first_starts()
        middle = minute_index(self._window, around)
        found: list[tuple[int, UUID]] = []
        for bit in sorted(nearest(mask, middle, _MAX_TRIED), key=lambda b: abs(b - middle)):
            chosen = self._chain(0, bit, {})
            if chosen is not None:
                found.append((bit, chosen[0][0]))
            if len(found) == _ALTERNATIVES:
                break
        return [self._published(bit, staff_id) for bit, staff_id in sorted(found)]

    def _chain(self, index: int, start: int, found: _Found) -> _Chain | None:
        """A depth-first search over the candidates: the first that fits, or the cheapest if prices matter."""
        if index == len(self._services):
            return []
        if (index, start) not in found:
            fitting = self._fitting(index, start, found)
            is_ordered = index == len(self._services) - 1 or not self._has_prices
            found[index, start] = (
                next(fitting, None) if is_ordered else min(fitting, key=lambda c: self._cost(index, c), default=None)
            )
        return found[index, start]

    def _fitting(self, index: int, start: int, found: _Found) -> Iterator[_Chain]:
        for staff_id, length in self._by_load(index, start):
            if self._reason(index, staff_id, start, length) is None:
                rest = self._chain(index + 1, start + length, found)
                if rest is not None:
                    yield [(staff_id, start, start + length), *rest]

    def _cost(self, index: int, chain: _Chain) -> Decimal:
        return sum(
            (
                service.prices[staff_id]
                for service, (staff_id, _, _) in zip(self._services[index:], chain, strict=True)
                if service.prices
            ),
            Decimal(0),
        )

    def _by_load(self, index: int, start: int) -> list[tuple[UUID, int]]:
        """The least booked candidate of that day first, to balance the load; if prices matter, of the cheapest ones."""
        candidates, prices = self._services[index].candidates, self._services[index].prices or {}
        if len(candidates) == 1:
            return list(candidates.items())
        day = next((d for d in self._window.reach if d.start <= start < d.end), self._window.days[0])
        whole = span(day.start, day.end)
        known = [(i, n) for i, n in candidates.items() if i in self._calendars]
        return sorted(
            known, key=lambda c: (prices.get(c[0], 0), (self._calendars[c[0]].booked & whole).bit_count(), c[0])
        )

    def _reason(self, index: int, staff_id: UUID, start: int, length: int) -> Reason | None:
        if staff_id not in self._calendars or length > MAX_VISIBLE_DAYS or not 0 <= start < self._window.size:
            return "outside_working_hours"
        calendar = self._calendar(index, staff_id)
        if index == 0:
            return reason(calendar, start, length, self._earliest)
        return None if fits(calendar, start, length) else _later_reason(calendar, start, length, self._earliest)

    def _calendar(self, index: int, staff_id: UUID) -> Calendar:
        service = self._services[index]
        return widened(self._calendars[staff_id], service.buffer_before, service.buffer_after)

    def _published(self, bit: int, staff_id: UUID) -> dict[str, str]:
        local = to_local(instant_of(self._window, bit), self._window.zone)
        return {"start": local.isoformat(timespec="seconds"), "staff_id": str(staff_id)}


def _busy_times(
    services: Sequence[ServiceToSchedule], chosen: Sequence[tuple[UUID, int, int]]
) -> list[tuple[int, int]]:
    """When each provider is busy for each service. Services of one provider share their buffers, without overlap: no
    time is added between two that follow one another.
    """
    times: list[tuple[int, int]] = []
    for index, (staff_id, start, end) in enumerate(chosen):
        own = [n for n, (other, _, _) in enumerate(chosen) if other == staff_id]
        busy_from = min(chosen[n][1] - services[n].buffer_before for n in own if n >= index)
        busy_until = max(chosen[n][2] + services[n].buffer_after for n in own if n <= index)
        earlier, later = [n for n in own if n < index], [n for n in own if n > index]
        if earlier:
            busy_from = max(busy_from, times[earlier[-1]][1])
        if later:
            busy_until = min(busy_until, chosen[later[0]][1])
        times.append((min(busy_from, start), max(busy_until, end)))
    return times


def _later_reason(calendar: Calendar, start: int, length: int, earliest: int) -> Reason:
    """The grid applies only to the first service of an order."""
    found = reason(calendar, start, length, earliest)
    return "booked" if found is None or found == "off_grid" else found


def _unavailable(why: Reason, alternatives: list[dict[str, str]]) -> WireError:
    return WireError(
        Code.TIMESLOT_UNAVAILABLE,
        _MESSAGES[why],
        details={"reason": why, "alternatives": alternatives},
    )


_MESSAGES: dict[Reason, str] = {
    "past": "The requested time is in the past.",
    "outside_working_hours": "No staff member who performs this service works at the requested time.",
    "time_off": "The staff member has time off at the requested time.",
    "booked": "The requested time is already booked.",
    "off_grid": "Appointments cannot start at this minute.",
}
