"""What one day of a staff member looks like.

Minutes are elapsed minutes from midnight. A day on which the clocks change has fewer or more than 1440 of them, so that
an hour that occurs twice is drawn twice. Hours that go on past midnight belong to the day on which they began.
"""

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.types import StaffSchedule
from frontdesk.availability.window import DAY, OffsetSpan, Window, instant_of, span, window_of

NIGHT = 6 * 60  # hours that end later than that on the next day are cut at midnight
_MINUTE = timedelta(minutes=1)


class DayClock(NamedTuple):
    """The local times of a day and of the night after it."""

    midnight: datetime
    length: int  # minutes until the next midnight
    stretches: tuple[OffsetSpan, ...]  # local minutes of the next day go on beyond 1440

    def minute(self, instant: datetime) -> int:
        return (instant - self.midnight) // _MINUTE

    def text(self, minute: int) -> str:
        """The time on the clock, such as 23:30."""
        if self.length == DAY and 0 <= minute < DAY:
            return _HH_MM[minute]
        for start, end, local in self.stretches:
            if start <= minute < end:
                return _HH_MM[(minute - start + local) % DAY]
        return _HH_MM[minute % DAY]

    def wall(self, minute: int) -> int:
        """The minute of the local day; beyond 1440 on the next day."""
        return next((minute - start + local for start, end, local in self.stretches if start <= minute < end), minute)

    def elapsed(self, wall: int) -> int:
        """The first minute at which the clock shows that time."""
        found = (start + wall - local for start, end, local in self.stretches if 0 <= wall - local < end - start)
        return next(found, wall)

    def hours(self, first: int, last: int) -> list[tuple[int, str]]:
        """The minutes at which the clock shows a full hour."""
        return [
            (minute, _HH_MM[(minute - start + local) % DAY])
            for start, end, local in self.stretches
            for minute in range(start + -local % 60, end, 60)
            if first <= minute < last
        ]


_HH_MM = [f"{minute // 60:02}:{minute % 60:02}" for minute in range(DAY)]


@lru_cache(maxsize=512)
def clock_of(zone: ZoneInfo, day: date) -> DayClock:
    window = _window(zone, day)
    midnight = window.days[0].start
    stretches = tuple(
        OffsetSpan(start - midnight, end - midnight, local + index * DAY)
        for index, shown in enumerate(window.reach[1:3])
        for start, end, local in shown.stretches
    )
    return DayClock(instant_of(window, midnight), window.days[0].end - midnight, stretches)


class DayPlan(NamedTuple):
    working: list[tuple[int, int]]  # beyond the end of the day if it goes on past midnight
    booked: list[tuple[int, int]]  # with buffers
    percent: int | None  # of the working time that is booked; None without working time
    opened: list[tuple[int, int]]  # the hours, also those in which they have time off
    away: list[tuple[int, int]]  # the time off within the hours
    starts: int  # bookings that begin from here on belong to the day
    ends: int  # and those before
    free: int  # a bit mask of the minutes that can be booked
    grid: int  # of those at which a booking can begin
    minutes: int  # working
    booked_minutes: int

    def next_free(self, after: int) -> tuple[int, int] | None:
        """The first time from `after` on that can be booked, and until when it is free."""
        found = (self.free & self.grid) >> max(after, 0) << max(after, 0)
        if not found:
            return None
        start = (found & -found).bit_length() - 1
        return start, start + _trailing_ones(self.free >> start)


def plan_of(schedule: StaffSchedule, zone: ZoneInfo, day: date, grid: int = 1) -> DayPlan:
    window = _window(zone, day)
    calendar = calendar_of(schedule, window, grid)
    midnight = window.days[0].start
    starts = _end_of_night(calendar.opened, midnight)
    ends = _end_of_night(calendar.opened, window.days[0].end)
    opened = calendar.opened & span(starts, max(starts, ends))
    working = opened & ~calendar.time_off
    booked = calendar.booked & working
    minutes, taken = working.bit_count(), booked.bit_count()
    return DayPlan(
        working=runs_of(working >> midnight),
        booked=runs_of(booked >> midnight),
        percent=round(100 * taken / minutes) if minutes else None,
        opened=runs_of(opened >> midnight),
        away=runs_of((opened & calendar.time_off) >> midnight),
        starts=starts - midnight,
        ends=ends - midnight,
        free=(working & ~booked) >> midnight,
        grid=calendar.grid >> midnight,
        minutes=minutes,
        booked_minutes=taken,
    )


def _window(zone: ZoneInfo, day: date) -> Window:
    return window_of(zone, day, 1, DAY)


def _end_of_night(opened: int, midnight: int) -> int:
    """Where the hours end that began before midnight."""
    if not opened >> (midnight - 1) & 1:
        return midnight
    length = _trailing_ones(opened >> midnight)
    return midnight + length if length <= NIGHT else midnight


def _trailing_ones(mask: int) -> int:
    return (~mask & (mask + 1)).bit_length() - 1


def runs_of(mask: int) -> list[tuple[int, int]]:
    """The consecutive set bits, as the first one and the one after the last."""
    found, at = [], 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        length = _trailing_ones(mask)
        found.append((at + skipped, at + skipped + length))
        mask >>= length
        at += skipped + length
    return found
