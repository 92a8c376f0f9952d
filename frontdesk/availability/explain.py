"""Why a start is not offered, for each provider: the rules are those of the search, and this names their causes."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.chains import Chains
from frontdesk.availability.check import CurrentTimes, calendars_of, nearest_starts
from frontdesk.availability.day import runs_of
from frontdesk.availability.explained_facts import NO_FACTS, NamedMember, Occupied, OccupiedBy, StartFacts
from frontdesk.availability.find_slots import MAX_VISIBLE_DAYS
from frontdesk.availability.problems import Alternative
from frontdesk.availability.slots import Calendar, nearest, reasons, widened
from frontdesk.availability.start_problems import StartProblem
from frontdesk.availability.types import ServiceToSchedule, StaffSchedule
from frontdesk.availability.window import (
    LocalDay,
    first_bit_after,
    instant_of,
    mask_of_range,
    minute_index,
    span,
)
from frontdesk.problems import Problem
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import SkippedLocalTimeError, get_zone, to_instant, to_local

_ON_GRID = 2  # starts that are named beside one off the grid
# What the schedules count as time off, and what as booked. Holds are either, depending on who asks.
_AWAY: tuple[OccupiedBy, ...] = ("time_off", "external", "hold")
_TAKEN: tuple[OccupiedBy, ...] = ("booking", "hold")
_NOTHING: CurrentTimes = {}


class BookingLimits(NamedTuple):
    """For bookings that customers make themselves."""

    notice: timedelta
    last_day: date


class ProviderAtStart(NamedTuple):
    staff_id: UUID
    problems: list[Problem]  # empty: the start is offered with them


class StartExplanation(NamedTuple):
    start: datetime  # local
    providers: list[ProviderAtStart]
    nearest: list[Alternative]  # that are offered

    @property
    def is_offered(self) -> bool:
        return any(not provider.problems for provider in self.providers)


def explain_start(
    tenant: TenantContext,
    services: Sequence[ServiceToSchedule],
    schedules: Mapping[UUID, StaffSchedule],
    start: datetime,
    now: datetime,
    *,
    facts: StartFacts = NO_FACTS,
    limits: BookingLimits | None = None,
    always: Sequence[Problem] = (),
    current: CurrentTimes = _NOTHING,
    is_first: bool = True,
) -> StartExplanation:
    """`start` is local if it has no offset, and the services follow one another.

    The providers are those of the first service, and the others of `facts`, who do not perform it. `always` is what
    speaks against every start. Not `is_first`: other services go before, so the grid and the past do not matter.
    """
    zone = get_zone(tenant.timezone)
    notice = limits.notice if limits else timedelta()
    try:
        instant = start if start.tzinfo else to_instant(start, zone)
        is_skipped = False
    except SkippedLocalTimeError:
        instant, is_skipped = start.replace(tzinfo=zone), True
    local = to_local(instant, zone)
    question = _Question(tenant, services, schedules, instant, now, facts, limits, current, is_first=is_first)
    general = [*always, *([Problem(StartProblem.CLOCK_CHANGE)] if is_skipped else question.limits(local))]
    providers = [
        ProviderAtStart(staff_id, general + ([] if is_skipped else list(question.provider(staff_id))))
        for staff_id in question.candidates
    ]
    others = [member for member in facts.staff if member.id not in question.candidates]
    found = [] if always else nearest_starts(tenant, services, schedules, instant, now + notice, current=current)
    return StartExplanation(
        start.replace(tzinfo=None) if is_skipped else local,
        _ordered(providers + [ProviderAtStart(one.id, general + question.other(one)) for one in others], facts),
        [other for other in found if limits is None or other.start.date() <= limits.last_day],
    )


def _ordered(providers: list[ProviderAtStart], facts: StartFacts) -> list[ProviderAtStart]:
    places = {member.id: place for place, member in enumerate(facts.staff)}
    return sorted(providers, key=lambda provider: (places.get(provider.staff_id, len(places)), provider.staff_id))


class _Question:
    def __init__(
        self,
        tenant: TenantContext,
        services: Sequence[ServiceToSchedule],
        schedules: Mapping[UUID, StaffSchedule],
        instant: datetime,
        now: datetime,
        facts: StartFacts,
        limits: BookingLimits | None,
        current: CurrentTimes,
        *,
        is_first: bool,
    ) -> None:
        day = to_local(instant, get_zone(tenant.timezone)).date()
        self._tenant, self._services, self._schedules, self._facts = tenant, services, schedules, facts
        self._limits, self._is_first = limits, is_first
        self._window, calendars = calendars_of(tenant, services, schedules, day, current, days=1)
        if not is_first:
            calendars = {id_: calendar._replace(grid=calendar.opened) for id_, calendar in calendars.items()}
        self._calendars = calendars
        self._bit = minute_index(self._window, instant)
        self._has_seconds = bool(instant.second or instant.microsecond)
        self._now = first_bit_after(self._window, now)
        self._earliest = first_bit_after(self._window, now + limits.notice) if limits else self._now
        self.candidates = services[0].candidates

    def limits(self, local: datetime) -> Iterator[Problem]:
        if not self._is_first:
            return
        if self._bit < self._now:
            yield Problem(StartProblem.PAST)
        elif self._limits and self._bit < self._earliest:
            hours = self._limits.notice // timedelta(hours=1)
            yield Problem(StartProblem.TOO_SOON, notice=hours, earliest=self._local(self._earliest))
        if self._limits and local.date() > self._limits.last_day:
            yield Problem(StartProblem.TOO_FAR, last_day=self._limits.last_day)

    def other(self, member: NamedMember) -> list[Problem]:
        """Of one who was not asked about."""
        if not member.active:
            return [Problem(StartProblem.INACTIVE)]
        return [Problem(StartProblem.OTHER_BRANCH if member.performs else StartProblem.NOT_PERFORMED)]

    def provider(self, staff_id: UUID) -> Iterator[Problem]:
        minutes = self.candidates[staff_id]
        if staff_id not in self._calendars:
            is_left = any(member.id == staff_id and not member.active for member in self._facts.staff)
            gone = is_left or self._facts.is_branch_active
            yield Problem(StartProblem.INACTIVE if gone else StartProblem.BRANCH_INACTIVE)
        elif minutes > MAX_VISIBLE_DAYS:
            yield Problem(StartProblem.TOO_LONG, minutes=minutes, most=MAX_VISIBLE_DAYS)
        else:
            found = list(self._own(staff_id, minutes))
            yield from found or self._following(staff_id, minutes)

    def _own(self, staff_id: UUID, minutes: int) -> Iterator[Problem]:
        calendar, service = self._calendars[staff_id], self._services[0]
        counted = widened(calendar, service.buffer_before, service.buffer_after)
        for why in reasons(counted, self._bit, minutes, 0):
            match why:
                case "outside_working_hours":
                    yield from self._hours(staff_id, calendar, minutes)
                case "time_off":
                    yield from self._taken(staff_id, calendar.time_off, self._bit, self._bit + minutes, _AWAY)
                case "booked":
                    first, last = self._bit - service.buffer_before, self._bit + minutes + service.buffer_after
                    yield from self._taken(staff_id, calendar.booked, first, last, _TAKEN)
                case "off_grid":
                    yield self._off_grid(calendar)
        if self._has_seconds and calendar.grid >> self._bit & 1:
            yield self._off_grid(calendar)

    def _hours(self, staff_id: UUID, calendar: Calendar, minutes: int) -> Iterator[Problem]:
        schedule = self._schedules[staff_id]
        missing = ~(calendar.opened >> self._bit) & span(0, minutes)
        first = self._bit + (missing & -missing).bit_length() - 1
        day = next((day for day in self._window.reach if day.start <= first < day.end), self._window.days[0])
        hours = self._hours_of(day, calendar)
        is_open = first > self._bit
        if is_open:
            yield Problem(StartProblem.CROSSES_CLOSING, closes=self._local(first), minutes=minutes)
        if day.date in schedule.closed:
            yield Problem(StartProblem.CLOSED_DAY, day=day.date, note=self._facts.closed.get(day.date))
        elif any(exception.day == day.date for exception in schedule.exceptions):
            note = self._facts.exception_note(staff_id, day.date)
            yield Problem(StartProblem.OTHER_HOURS, day=day.date, hours=hours, note=note)
        elif not is_open:
            own = schedule.has_own_hours
            kind = StartProblem.OUTSIDE_OWN_HOURS if own else StartProblem.OUTSIDE_OPENING_HOURS
            yield Problem(kind, day=day.date, hours=hours)

    def _hours_of(self, day: LocalDay, calendar: Calendar) -> list[tuple[datetime, datetime]]:
        opened = calendar.opened & span(day.start, day.end)
        return [(self._local(start), self._local(end)) for start, end in runs_of(opened)]

    def _taken(self, staff_id: UUID, mask: int, first: int, last: int, by: tuple[OccupiedBy, ...]) -> Iterator[Problem]:
        """Who or what has the set minutes from `first` until before `last`."""
        conflict = mask & span(first, last)
        for taken in self._facts.occupied:
            if taken.staff_id == staff_id and taken.by in by:
                minutes = mask_of_range(self._window, taken.busy_from, taken.busy_until)
                if minutes & mask & span(first, last):
                    yield self._occupied(taken)
                conflict &= ~minutes
        if conflict:
            yield Problem(StartProblem.BUSY)

    def _occupied(self, taken: Occupied) -> Problem:
        times = {"start": self._to_local(taken.start), "end": self._to_local(taken.end)}
        match taken.by:
            case "time_off":
                return Problem(StartProblem.TIME_OFF, **times, note=taken.note)
            case "external":
                return Problem(StartProblem.EXTERNAL_CALENDAR, **times)
            case "hold":
                until = self._to_local(taken.until) if taken.until else None
                return Problem(StartProblem.HELD, **times, until=until)
        order = {"order_id": taken.order_id, "order_number": taken.order_number, "customer": taken.customer}
        gap = self._missing_gap(taken)
        if gap:
            return Problem(StartProblem.BUFFER, **times, minutes=gap, **order)
        return Problem(StartProblem.BOOKED, **times, **order)

    def _missing_gap(self, taken: Occupied) -> int:
        """The minutes by which a booking is too near that leaves the service itself free; 0: it does not."""
        service, window = self._services[0], self._window
        start, end = self._bit, self._bit + self.candidates[taken.staff_id]
        if minute_index(window, taken.end) <= start:
            return minute_index(window, taken.busy_until) - (start - service.buffer_before)
        if minute_index(window, taken.start) >= end:
            return end + service.buffer_after - minute_index(window, taken.busy_from)
        return 0

    def _off_grid(self, calendar: Calendar) -> Problem:
        near = nearest(calendar.grid & self._window.named, self._bit, _ON_GRID)
        starts = [self._local(bit) for bit in near]
        return Problem(StartProblem.OFF_GRID, minutes=self._tenant.grid_minutes, nearest=starts)

    def _following(self, staff_id: UUID, minutes: int) -> Iterator[Problem]:
        """The first of the next services that has no provider after this one, whichever providers come between."""
        first = self._services[0]._replace(candidates={staff_id: minutes}, prices=None)
        for count in range(2, len(self._services) + 1):
            followed = [first, *(service._replace(prices=None) for service in self._services[1:count])]
            if not self._fits(followed):
                shortest = sum(min(service.candidates.values(), default=0) for service in followed[1:-1])
                start = self._local(self._bit + minutes + shortest)
                yield Problem(StartProblem.NOBODY_FOLLOWS, line=count - 1, start=start)
                return

    def _fits(self, services: Sequence[ServiceToSchedule]) -> bool:
        grid = self._tenant.grid_minutes
        earliest = self._earliest if self._is_first else 0
        return Chains(self._window, services, self._calendars, earliest, grid).at(self._bit) is not None

    def _local(self, bit: int) -> datetime:
        return self._to_local(instant_of(self._window, bit))

    def _to_local(self, instant: datetime) -> datetime:
        return to_local(instant, self._window.zone)
