"""How much of the working time of providers is booked, by hour. Pure: minutes as bits of integers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.calendar_queries import Roster
from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.window import DAY, LocalDay, span, window_of
from frontdesk.reports.period import Period

HOURS = 24


class Minutes(NamedTuple):
    working: int
    booked: int  # of the working ones, with buffers

    @property
    def percent(self) -> int | None:
        return round(100 * self.booked / self.working) if self.working else None


NONE = Minutes(0, 0)


def sum_of(many: Iterable[Minutes]) -> Minutes:
    found = list(many)
    return Minutes(sum(minutes.working for minutes in found), sum(minutes.booked for minutes in found))


class Occupancy(NamedTuple):
    by_staff: Mapping[tuple[UUID, int], Minutes]  # by staff member and hour
    by_weekday: Mapping[tuple[int, int], Minutes]  # by weekday, 0 is Sunday, and hour

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


def occupancy_of(roster: Roster, zone: ZoneInfo, period: Period) -> Occupancy:
    """Hours past midnight count at the time and on the day that the clock shows."""
    window = window_of(zone, period.first, period.days, DAY)
    by_staff: dict[tuple[UUID, int], Minutes] = {}
    by_weekday: dict[tuple[int, int], Minutes] = {}
    for staff_id, schedule in roster.schedules.items():
        calendar = calendar_of(schedule, window, 1)
        working = calendar.opened & ~calendar.time_off
        booked = calendar.booked & working
        for day in window.days:
            whole, weekday = span(0, day.end - day.start), day.date.isoweekday() % 7
            # One day is cut out first: a shift of the whole window would cost as much for each hour.
            for hour, minutes in _by_hour(day, working >> day.start & whole, booked >> day.start & whole):
                by_staff[staff_id, hour] = sum_of((by_staff.get((staff_id, hour), NONE), minutes))
                by_weekday[weekday, hour] = sum_of((by_weekday.get((weekday, hour), NONE), minutes))
    return Occupancy(by_staff, by_weekday)


def _by_hour(day: LocalDay, working: int, booked: int) -> Iterator[tuple[int, Minutes]]:
    """On days when the clocks change an hour may be missing or occur twice."""
    if not working:
        return
    for start, end, minute in day.stretches:
        at = start
        while at < end:
            local = minute + at - start
            until = min(end, at + 60 - local % 60)
            shown, shift = span(0, until - at), at - day.start
            if open_minutes := (working >> shift & shown).bit_count():
                yield local // 60 % HOURS, Minutes(open_minutes, (booked >> shift & shown).bit_count())
            at = until
