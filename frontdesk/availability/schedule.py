"""When services can begin, one after another, with whom, and why not at another time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.chains import Chain, Chains
from frontdesk.availability.find_slots import MAX_VISIBLE_DAYS
from frontdesk.availability.problems import Alternative
from frontdesk.availability.slots import Calendar, Reason, fits, free_minutes, nearest, not_before, reason, reasons
from frontdesk.availability.types import Assignment, ProviderChoice, ServiceToSchedule
from frontdesk.availability.window import (
    DAY,
    Window,
    bits_of_day,
    instant_of,
    minute_index,
    span,
)
from frontdesk.values.time import to_local

_ALTERNATIVES = 3
_ON_PURPOSE = ProviderChoice("on_purpose")
# If the providers' reasons differ, the one that is easiest to resolve: a provider who is only off the grid is free.
_PREFERENCE: tuple[Reason, ...] = ("off_grid", "booked", "time_off", "outside_working_hours", "past")


class FreeStart(NamedTuple):
    """A start at which services fit, and until when their last provider is free."""

    assigned: list[Assignment]
    free_until: datetime


class Schedule:
    """The calendars of all candidates, over the relevant days."""

    def __init__(
        self,
        window: Window,
        services: Sequence[ServiceToSchedule],
        calendars: Mapping[UUID, Calendar],
        versions: Mapping[UUID, int],
        earliest: int,
        grid_minutes: int,
    ) -> None:
        self._window = window
        self._services = services
        self._earliest = earliest
        self._calendars = calendars
        self._versions = versions
        self._chains = Chains(window, services, calendars, earliest, grid_minutes)

    def assign(self, start: datetime) -> list[Assignment] | None:
        if start.second or start.microsecond:
            return None
        chosen = self._chains.at(minute_index(self._window, start))
        if chosen is None:
            return None
        return [
            assigned._replace(chosen=self._chains.why(index, staff_id, first))
            for index, (assigned, (staff_id, first, _)) in enumerate(
                zip(self._assignments(chosen), chosen, strict=True)
            )
        ]

    def assign_anyway(self, start: datetime) -> list[Assignment]:
        bit, chosen = minute_index(self._window, start), []
        for service in self._services:
            ((staff_id, length),) = service.candidates.items()
            chosen.append((staff_id, bit, bit + length))
            bit += length
        return [
            assigned._replace(is_extra=any(reason != "off_grid" for reason in why), chosen=_ON_PURPOSE)
            for assigned, why in zip(self._assignments(chosen), self.problems(start), strict=True)
        ]

    def _assignments(self, chosen: Sequence[tuple[UUID, int, int]]) -> list[Assignment]:
        busy = _busy_times(self._services, chosen)
        return [
            Assignment(
                staff_id,
                self._versions[staff_id],
                instant_of(self._window, first),
                instant_of(self._window, end),
                instant_of(self._window, busy_from),
                instant_of(self._window, busy_until),
            )
            for (staff_id, first, end), (busy_from, busy_until) in zip(chosen, busy, strict=True)
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
        found = list(reasons(self._chains.calendar(index, staff_id), start, length, self._earliest))
        return found if index == 0 else [why for why in found if why != "off_grid"]  # as in _later_reason

    def free_starts(self, between: tuple[int, int], on: date | None = None) -> Iterator[FreeStart]:
        """Of all days, or of one of them."""
        mask = self._named_starts & self._hours_of_days(between)
        for day in self._window.days:
            if on in (None, day.date):
                for bit in bits_of_day(mask, day):
                    yield self._free_start(bit)

    def _free_start(self, bit: int) -> FreeStart:
        chosen = self._chain(bit)
        staff_id, _, end = chosen[-1]
        until = end + free_minutes(self._chains.calendar(len(chosen) - 1, staff_id), end)
        return FreeStart(self._assignments(chosen), instant_of(self._window, until))

    def count_starts(self) -> list[int]:
        """The number of free starts of each day, without who is assigned."""
        return [(self._named_starts & span(day.start, day.end)).bit_count() for day in self._window.days]

    def first_start(self) -> datetime | None:
        """Of all providers together."""
        return self._first(self._chains.starts)

    def first_starts(self) -> dict[UUID, datetime | None]:
        """When each provider who performs all services can begin with them first; None: on none of the days."""
        return {staff_id: self._first(mask) for staff_id, mask in self._chains.of_one().items()}

    def _first(self, mask: int) -> datetime | None:
        named = mask & self._window.named
        return self._local((named & -named).bit_length() - 1) if named else None

    def is_away(self, staff_id: UUID) -> bool:
        """All that they would work on these days is time off."""
        calendar = self._calendars.get(staff_id)
        if calendar is None:
            return False
        ahead = not_before(calendar.opened & self._window.named, self._earliest)
        return bool(ahead) and not ahead & ~calendar.time_off

    def nearest_starts(self, around: datetime, number: int) -> list[FreeStart]:
        found = nearest(self._named_starts, minute_index(self._window, around), number)
        return [self._free_start(bit) for bit in found]

    def why_none(self, between: tuple[int, int]) -> Reason:
        return self._why_none(self._hours_of_days(between), self._calendars)

    def why_none_on(self, day: date) -> Reason:
        """Why the first service has no start on one of the days."""
        minutes = next(span(local_day.start, local_day.end) for local_day in self._window.days if local_day.date == day)
        return self._why_none(minutes, self._services[0].candidates)

    def _why_none(self, hours: int, staff_ids: Iterable[UUID]) -> Reason:
        ahead = not_before(hours, self._earliest)
        if not ahead:
            return "past"
        calendars = [self._calendars[staff_id] for staff_id in staff_ids if staff_id in self._calendars]
        opened = [(calendar.opened & hours, calendar.time_off) for calendar in calendars]
        if not any(minutes for minutes, _ in opened):
            return "outside_working_hours"
        if not any(minutes & ahead for minutes, _ in opened):
            return "past"  # the working hours are over
        return "booked" if any(minutes & ~time_off for minutes, time_off in opened) else "time_off"

    @property
    def _named_starts(self) -> int:
        return self._chains.starts & self._window.named

    def _hours_of_days(self, between: tuple[int, int]) -> int:
        mask, (first, last) = 0, between
        for day in self._window.days:
            end = day.end if last >= DAY else day.bit_at(last)
            mask |= span(day.bit_at(first), max(end, day.bit_at(first)))
        return mask

    def alternatives(self, around: datetime) -> list[Alternative]:
        """The nearest start times that fit the whole order."""
        found = nearest(self._named_starts, minute_index(self._window, around), _ALTERNATIVES)
        return [Alternative(self._local(bit), self._chain(bit)[0][0]) for bit in found]

    def _chain(self, start: int) -> Chain:
        chosen = self._chains.at(start)
        if chosen is None:
            raise AssertionError("only starts that fit are looked at")
        return chosen

    def _reason(self, index: int, staff_id: UUID, start: int, length: int) -> Reason | None:
        if staff_id not in self._calendars or length > MAX_VISIBLE_DAYS or not 0 <= start < self._window.size:
            return "outside_working_hours"
        calendar = self._chains.calendar(index, staff_id)
        if index == 0:
            return reason(calendar, start, length, self._earliest)
        return None if fits(calendar, start, length) else _later_reason(calendar, start, length, self._earliest)

    def _local(self, bit: int) -> datetime:
        return to_local(instant_of(self._window, bit), self._window.zone)


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
