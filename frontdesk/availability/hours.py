"""Weekly opening hours, converted to minutes of a window.

Daylight saving: a local time that is skipped is moved by the length of the gap (02:30 becomes 03:30). If a local time
occurs twice, both openings and closings use the first one, so that adjacent intervals stay adjacent. An interval that
would end before it begins is empty.
"""

from collections.abc import Iterator
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


CLOSED = Hours(())


def effective_hours(own: Hours | None, branch: Hours | None) -> Hours:
    """Inactive hours of a staff member mean closed; the branch's hours apply only if they have none."""
    if own is not None:
        return own
    return branch if branch is not None else CLOSED


_Key = tuple[Hours, Window, frozenset[date], int]


def _masks_bytes(key: _Key, _masks: tuple[int, int]) -> int:
    return 500 + window_bytes(key[1]) + 2 * key[1].size // 8


_masks: SizedCache[_Key, tuple[int, int]] = SizedCache(8 * 1024 * 1024, _masks_bytes)


def open_and_start_masks(hours: Hours, window: Window, closed: frozenset[date], grid: int) -> tuple[int, int]:
    """Cached, because most requests have the same hours and days."""
    key = (hours, window, closed, grid)
    found = _masks.get(key)
    if found is None:
        found = _open_and_grid(hours, window, closed, grid)
        _masks.set(key, found)
    return found


def _open_and_grid(hours: Hours, window: Window, closed: frozenset[date], grid: int) -> tuple[int, int]:
    """The open minutes, and those of them at which an appointment may begin.

    The grid counts elapsed minutes from each opening, even if the opening is on a closed day.
    """
    opened = ticks = 0
    days = window.reach[:8] if window.even else window.reach
    for start, end in _openings(hours, days):
        opened |= span(start, end)
        ticks |= _every(grid, end - start) << start
    if window.even:
        opened, ticks = _repeat_weekly(opened, window.size), _repeat_weekly(ticks, window.size)
    for day in window.reach:
        if day.date in closed:
            opened &= ~span(day.start, day.end)
    return opened, ticks & opened & window.startable


def _repeat_weekly(mask: int, size: int) -> int:
    """Doubles the covered range until it fills the window, which is much cheaper than setting every day."""
    covered = 7 * DAY
    while covered < size:
        mask |= mask << covered
        covered *= 2
    return mask & span(0, size)


def _openings(hours: Hours, days: tuple[LocalDay, ...]) -> Iterator[tuple[int, int]]:
    """The last day only closes intervals that the day before opened."""
    if not hours.active:
        return
    if hours.all_time:
        yield from ((day.start, day.end) for day in days)
        return
    weekly = {name: [i for i in hours.intervals if i.active and i.day == name] for name in _WEEKDAYS}
    for day, following in pairwise(days):
        for interval in weekly[_WEEKDAYS[day.date.weekday()]]:
            start, end = _bounds(interval, day, following)
            if start < end:
                yield start, end


def _bounds(interval: Interval, day: LocalDay, following: LocalDay) -> tuple[int, int]:
    closing_day = following if interval.closes <= interval.opens else day
    return day.bit_at(interval.opens), closing_day.bit_at(interval.closes)


@lru_cache(maxsize=512)
def _every(grid: int, minutes: int) -> int:
    """Bits 0, grid, 2 × grid … below `minutes`."""
    count = -(-minutes // grid)
    return ((1 << grid * count) - 1) // ((1 << grid) - 1)
