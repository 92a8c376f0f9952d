"""Weekly opening hours, converted to minutes of a window.

Daylight saving: a local time that is skipped is moved by the length of the gap (02:30 becomes 03:30). If a local time
occurs twice, both openings and closings use the first one, so that adjacent intervals stay adjacent. An interval that
would end before it begins is empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from frontdesk.availability.window import DAY, LocalDay, Window, span, window_bytes
from frontdesk.values.cache import SizedCache

Weekday = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")  # as date.weekday() counts


class Interval(NamedTuple):
    """Minutes of the local day; `closes` at or before `opens` lies on the next day."""

    day: Weekday
    opens: int
    closes: int
    active: bool = True


class Hours(NamedTuple):
    """Hashable, because masks are cached by hours."""

    intervals: tuple[Interval, ...]
    all_time: bool = False
    active: bool = True


class DayHours(NamedTuple):
    """Other hours on one day: the minutes from midnight, beyond 1440 on the next day.

    For staff who have hours of their own, a branch's exception is only a limit: they do not work longer because the
    branch is open longer.
    """

    day: date
    openings: tuple[tuple[int, int], ...]
    is_limit: bool = False


CLOSED = Hours(())


_Key = tuple[Hours, Window, frozenset[date], int, tuple[DayHours, ...]]


def _masks_bytes(key: _Key, _masks: tuple[int, int]) -> int:
    return 500 + window_bytes(key[1]) + 2 * key[1].size // 8


_masks: SizedCache[_Key, tuple[int, int]] = SizedCache(8 * 1024 * 1024, _masks_bytes)


def open_and_start_masks(
    hours: Hours, window: Window, closed: frozenset[date], grid: int, exceptions: tuple[DayHours, ...] = ()
) -> tuple[int, int]:
    """Cached, because most requests have the same hours and days."""
    key = (hours, window, closed, grid, exceptions)
    found = _masks.get(key)
    if found is None:
        found = _open_and_grid(*key)
        _masks.set(key, found)
    return found


def _open_and_grid(
    hours: Hours, window: Window, closed: frozenset[date], grid: int, exceptions: tuple[DayHours, ...]
) -> tuple[int, int]:
    """The open minutes, and those of them at which an appointment may begin. The grid counts elapsed minutes from each
    opening.

    No hours begin on a closed day, so their part after midnight is closed too. Hours that run into it end at midnight.
    An exception without hours is the same.
    """
    opened = ticks = 0
    by_day = {exception.day: exception for exception in exceptions} | {day: DayHours(day, ()) for day in closed}
    repeats = window.even and not any(day.date in by_day for day in window.reach)
    for start, end in _openings(hours, window.reach[:8] if repeats else window.reach, by_day):
        opened |= span(start, end)
        ticks |= _every(grid, end - start) << start
    if repeats:
        opened, ticks = _repeat_weekly(opened, window.size), _repeat_weekly(ticks, window.size)
    for day in window.reach:
        if day.date in by_day and not by_day[day.date].openings:
            opened &= ~span(day.start, day.end)
    return opened, ticks & opened & window.startable


def _repeat_weekly(mask: int, size: int) -> int:
    """Doubles the covered range until it fills the window, which is much cheaper than setting every day."""
    covered = 7 * DAY
    while covered < size:
        mask |= mask << covered
        covered *= 2
    return mask & span(0, size)


def _openings(
    hours: Hours, days: tuple[LocalDay, ...], exceptions: Mapping[date, DayHours]
) -> Iterator[tuple[int, int]]:
    """The last day only closes intervals that the day before opened."""
    if hours.all_time and hours.active and not exceptions:
        yield from ((day.start, day.end) for day in days)
        return
    weekly = {name: [i for i in hours.intervals if i.active and i.day == name] for name in _WEEKDAYS}
    for day, following in pairwise(days):
        usual = (
            [] if not hours.active else [(0, DAY)] if hours.all_time else weekly_minutes(weekly[weekday_of(day.date)])
        )
        exception = exceptions.get(day.date)
        for opens, closes in usual if exception is None else _excepted(usual, exception):
            start, end = _bit_at(opens, day, following), _bit_at(closes, day, following)
            if start < end:
                yield start, end


def weekday_of(day: date) -> Weekday:
    return _WEEKDAYS[day.weekday()]


def weekly_minutes(intervals: Sequence[Interval]) -> list[tuple[int, int]]:
    """From midnight on; an interval that ends on the next day goes on beyond 1440."""
    return [(i.opens, i.closes if i.closes > i.opens else i.closes + DAY) for i in intervals]


def _excepted(usual: list[tuple[int, int]], exception: DayHours) -> Iterator[tuple[int, int]]:
    if not exception.is_limit:
        yield from exception.openings
        return
    for opens, closes in usual:
        for from_, to in exception.openings:
            if max(opens, from_) < min(closes, to):
                yield max(opens, from_), min(closes, to)


def _bit_at(minute: int, day: LocalDay, following: LocalDay) -> int:
    return day.bit_at(minute) if minute < DAY else following.bit_at(minute - DAY)


@lru_cache(maxsize=512)
def _every(grid: int, minutes: int) -> int:
    """Bits 0, grid, 2 × grid … below `minutes`."""
    count = -(-minutes // grid)
    return ((1 << grid * count) - 1) // ((1 << grid) - 1)
