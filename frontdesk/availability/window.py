"""A range of local days as elapsed minutes.

Bit i of a mask is the minute `origin + i`. Daylight saving affects only the conversion between bits and local times,
which is done in this module only. The origin is midnight UTC, so bitmaps stored per UTC day only need to be
concatenated.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from struct import iter_unpack
from typing import NamedTuple
from zoneinfo import ZoneInfo

from frontdesk.values.time import LAST_DAY, local_day_start

DAY = 1440
_EMPTY = bytes(DAY // 8)
_MINUTE = timedelta(minutes=1)
_HH_MM = [f"{minute // 60:02}:{minute % 60:02}" for minute in range(DAY)]


class OffsetSpan(NamedTuple):
    """Bits between two changes of the offset; bit `start` is `minute` of the local day."""

    start: int
    end: int
    minute: int


class LocalDay(NamedTuple):
    date: date
    name: str  # the published date
    start: int
    end: int
    stretches: tuple[OffsetSpan, ...]

    def bit_at(self, minute: int) -> int:
        """The first one if the local time occurs twice; a skipped local time is moved by the length of the gap."""
        for stretch in self.stretches:
            if 0 <= minute - stretch.minute < stretch.end - stretch.start:
                return stretch.start + minute - stretch.minute
        return self.start + minute


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Created by `window_of`. Compared by identity, so that masks can be cached by window."""

    zone: ZoneInfo
    origin: datetime
    size: int
    days: tuple[LocalDay, ...]  # the requested days
    reach: tuple[LocalDay, ...]  # also the day before, and the days on which an appointment may end
    startable: int  # minutes at which an appointment may begin
    named: int  # those of them that a local time without an offset identifies: the first one of a repeated hour
    even: bool  # the offset does not change, so the masks of a week can be repeated
    utc_days: tuple[date, ...]  # the days of the stored bitmaps


@lru_cache(maxsize=256)
def window_of(zone: ZoneInfo, first: date, days: int, max_minutes: int) -> Window:
    """`max_minutes` is the longest appointment that will be checked.

    One day before is enough, because an opening lasts at most 24 hours. Days are added after the last one, because a
    day may be an hour short and the openings of the very last day are incomplete.
    """
    count = 1 + days + max_minutes // DAY + 3
    dates = [first + timedelta(days=n - 1) for n in range(count + 1)]
    starts = [local_day_start(day, zone) for day in dates]
    origin = datetime.combine(starts[0].date(), time(), tzinfo=UTC)
    bits = [(start - origin) // _MINUTE for start in starts]
    reach = tuple(_local_day(dates[n], bits[n], bits[n + 1], origin, zone) for n in range(count))
    shown = reach[1 : 1 + days]
    utc_days = tuple(origin.date() + timedelta(days=n) for n in range(-(-bits[-1] // DAY)))
    bookable = [day for day in shown if day.date <= LAST_DAY]
    startable = named = span(bookable[0].start, bookable[-1].end) if bookable else 0
    for day in bookable:
        named &= ~_repeated(day)
    even = all(day.end - day.start == DAY for day in reach)
    return Window(zone, origin, len(utc_days) * DAY, shown, reach, startable, named, even, utc_days)


_DAY_BYTES = 400  # of the objects for one day


def window_bytes(window: Window) -> int:
    """The memory that a cached window takes."""
    return len(window.reach) * _DAY_BYTES + window.size // 8


def span(start: int, end: int) -> int:
    """Minutes from `start` up to but not including `end`."""
    return ((1 << (end - start)) - 1) << start


def minute_index(window: Window, instant: datetime) -> int:
    """The minute of the instant; negative or beyond `size` if it is outside the window."""
    return (instant - window.origin) // _MINUTE


def instant_of(window: Window, bit: int) -> datetime:
    return window.origin + bit * _MINUTE


def first_bit_after(window: Window, now: datetime) -> int:
    """Only future minutes are offered; a minute that begins now is not in the future."""
    return max(minute_index(window, now) + 1, 0)


def mask_of_range(window: Window, start: datetime, end: datetime) -> int:
    """Every minute that overlaps the range, clipped to the window."""
    first = max(minute_index(window, start), 0)
    last = min(-((window.origin - end) // _MINUTE), window.size)
    return span(first, last) if first < last else 0


def mask_of_utc_days(window: Window, first_day: date, days: bytes, bitmaps: bytes) -> int:
    """The concatenated bitmaps of UTC days, 180 bytes each, the latest day and minute first, clipped to the window.

    The days are counted from `first_day`, in two bytes each.
    """
    if not days:
        return 0
    shift = (first_day - window.origin.date()).days * DAY
    mask = _joined(days, bitmaps)
    return (mask << shift if shift >= 0 else mask >> -shift) & span(0, window.size)


def _joined(days: bytes, bitmaps: bytes) -> int:
    first, last, count = int.from_bytes(days[-2:], "big"), int.from_bytes(days[:2], "big"), len(days) // 2
    if last - first + 1 != count:
        bitmaps = b"".join(_without_gaps([number for (number,) in iter_unpack(">H", days)], bitmaps))
    return int.from_bytes(bitmaps, "big") << first * DAY


def _without_gaps(days: Sequence[int], bitmaps: bytes) -> Iterator[bytes]:
    """Days without a bitmap are empty."""
    later = days[0]
    for index, day in enumerate(days):
        yield _EMPTY * (later - day - 1)
        yield bitmaps[index * len(_EMPTY) : (index + 1) * len(_EMPTY)]
        later = day


def by_day(window: Window, mask: int) -> dict[str, list[str]]:
    """The local times of the set minutes by local date, with every day present."""
    return {day.name: [text for stretch in day.stretches for text in _readings(mask, stretch)] for day in window.days}


def bits_of_day(mask: int, day: LocalDay) -> list[int]:
    return _set_bits(mask, day.start, day.end)


def wall_clock(day: LocalDay, bit: int) -> str:
    """The local time at a minute of the day."""
    stretch = next(s for s in day.stretches if s.start <= bit < s.end)
    return _HH_MM[bit - stretch.start + stretch.minute]


def _readings(mask: int, stretch: OffsetSpan) -> list[str]:
    offset = stretch.minute - stretch.start
    return [_HH_MM[bit + offset] for bit in _set_bits(mask, stretch.start, stretch.end)]


def _set_bits(mask: int, start: int, end: int) -> list[int]:
    """Takes away the lowest bit until none is left, which is fast for an integer of one day."""
    part, bits = mask >> start & ((1 << (end - start)) - 1), []
    while part:
        lowest = part & -part
        bits.append(start + lowest.bit_length() - 1)
        part ^= lowest
    return bits


def _local_day(day: date, start: int, end: int, origin: datetime, zone: ZoneInfo) -> LocalDay:
    if end - start == DAY:
        return LocalDay(day, day.isoformat(), start, end, (OffsetSpan(start, end, 0),))
    return LocalDay(day, day.isoformat(), start, end, tuple(_offset_spans(start, end, origin, zone)))


def _offset_spans(start: int, end: int, origin: datetime, zone: ZoneInfo) -> Iterator[OffsetSpan]:
    """Finds each change of the offset within the day by bisection."""

    def local(bit: int) -> datetime:
        return (origin + bit * _MINUTE).astimezone(zone)

    while start < end:
        opening = local(start)
        offset = opening.utcoffset()
        changed = bisect_left(range(start, end), 1, key=lambda bit: local(bit).utcoffset() != offset)
        yield OffsetSpan(start, start + changed, opening.hour * 60 + opening.minute)
        start += changed


def _repeated(day: LocalDay) -> int:
    """Minutes whose local time occurs for the second time; HH:mm means the first one."""
    mask, shown = 0, 0
    for stretch in day.stretches:
        if stretch.minute < shown:
            mask |= span(stretch.start, stretch.start + shown - stretch.minute)
        shown = stretch.minute + stretch.end - stretch.start
    return mask
