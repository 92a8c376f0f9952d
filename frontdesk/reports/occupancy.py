"""How much of the working time of providers is booked, by hour. Pure: minutes as bits of integers."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.calendar_queries import Roster
from frontdesk.availability.external_calendars import without_external_calendars
from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.window import DAY, LocalDay, Window, span, window_of
from frontdesk.reports.period import Period

HOURS = 24
_WINDOW_DAYS = 28
_HOUR = span(0, 60)


class Minutes(NamedTuple):
    working: int
    booked: int  # of the working ones, with buffers

    @property
    def percent(self) -> int | None:
        return round(100 * self.booked / self.working) if self.working else None


NONE = Minutes(0, 0)


def sum_of(parts: Iterable[Minutes]) -> Minutes:
    found = list(parts)
    return Minutes(sum(minutes.working for minutes in found), sum(minutes.booked for minutes in found))


class Occupancy(NamedTuple):
    by_staff: Mapping[tuple[UUID, int], Minutes]  # by staff member and hour
    by_weekday: Mapping[tuple[int, int], Minutes]  # by weekday, 0 is Sunday, and hour
    gaps: Mapping[UUID, int] = {}  # by staff member: free minutes between bookings that are too short for any service

    def of_staff(self, staff_id: UUID) -> Minutes:
        return sum_of(self.by_staff.get((staff_id, hour), NONE) for hour in range(HOURS))

    def of_hour(self, hour: int) -> Minutes:
        return sum_of(minutes for (_, at), minutes in self.by_staff.items() if at == hour)

    @property
    def total(self) -> Minutes:
        return sum_of(self.by_staff.values())

    @property
    def hours(self) -> range:
        """From the first hour in which anybody works to the last."""
        found = {hour for _, hour in self.by_staff}
        return range(min(found), max(found) + 1) if found else range(0)


class _MinuteCounts:
    """How often each minute of the day was set. Bit i of the n-th integer is bit n of the count of minute i, so a whole
    day is added in a few steps.
    """

    __slots__ = ("_planes",)

    def __init__(self) -> None:
        self._planes: list[int] = []

    def add(self, minutes: int) -> None:
        for n, plane in enumerate(self._planes):
            if not minutes:
                return
            self._planes[n], minutes = plane ^ minutes, plane & minutes
        if minutes:
            self._planes.append(minutes)

    def of_hour(self, hour: int) -> int:
        return sum((plane >> 60 * hour & _HOUR).bit_count() << n for n, plane in enumerate(self._planes))


class _Sums:
    """Minutes by hour of the day, added up."""

    __slots__ = ("booked", "working")

    def __init__(self) -> None:
        self.working = _MinuteCounts()
        self.booked = _MinuteCounts()

    def by_hour(self) -> Iterator[tuple[int, Minutes]]:
        for hour in range(HOURS):
            if working := self.working.of_hour(hour):
                yield hour, Minutes(working, self.booked.of_hour(hour))


def occupancy_of(roster: Roster, zone: ZoneInfo, period: Period, shortest: int = 0) -> Occupancy:
    """Hours past midnight count at the time and on the day that the clock shows. `shortest` are the minutes of the
    shortest service; free time that is shorter is lost.
    """
    gaps: dict[UUID, int] = dict.fromkeys(roster.schedules, 0)
    by_staff: dict[UUID, _Sums] = {staff_id: _Sums() for staff_id in roster.schedules}
    by_weekday = [_Sums() for _ in range(7)]
    schedules = without_external_calendars(
        roster.schedules
    )  # calendars elsewhere are not kept, so a past day would change
    for window in _windows(zone, period):
        for staff_id, schedule in schedules.items():
            calendar = calendar_of(schedule, window, 1)
            working = calendar.opened & ~calendar.time_off
            booked = calendar.booked & working
            gaps[staff_id] += lost_minutes(working & ~booked, shortest)
            for day in window.days:
                _add_day(day, working, booked, (by_staff[staff_id], by_weekday[day.date.isoweekday() % 7]))
    return Occupancy(
        {(staff_id, hour): minutes for staff_id, sums in by_staff.items() for hour, minutes in sums.by_hour()},
        {(weekday, hour): minutes for weekday, sums in enumerate(by_weekday) for hour, minutes in sums.by_hour()},
        gaps,
    )


def lost_minutes(free: int, shortest: int) -> int:
    """The minutes of all runs of set bits that are shorter than `shortest`."""
    long = free
    for _ in range(shortest - 1):
        long &= long >> 1  # what is left are the starts of runs that are long enough
    kept = long
    for _ in range(shortest - 1):
        kept |= kept << 1
    return (free & ~kept).bit_count()


def _windows(zone: ZoneInfo, period: Period) -> Iterator[Window]:
    """Some weeks at a time: every step costs as much as its window is long, and a day takes several."""
    for offset in range(0, period.days, _WINDOW_DAYS):
        first = period.first + timedelta(days=offset)
        yield window_of(zone, first, min(_WINDOW_DAYS, period.days - offset), DAY)


def _add_day(day: LocalDay, working: int, booked: int, both: tuple[_Sums, _Sums]) -> None:
    """On days when the clocks change an hour may be missing or occur twice."""
    for start, end, minute in day.stretches:
        shown = span(0, end - start)
        if open_minutes := (working >> start & shown) << minute:
            taken = (booked >> start & shown) << minute
            for sums in both:
                sums.working.add(open_minutes)
                sums.booked.add(taken)
