"""When the offset of a time zone changes, from the tzdata package."""

import struct
from bisect import bisect_left
from calendar import isleap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from frontdesk.values.time import get_zone, read_zone_file

# Requests may use dates from 1970 to 2200; the margin covers appointments that end after that.
_START, _LAST_YEAR = datetime(1969, 1, 1, tzinfo=UTC), 2201
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WEEK, _SECOND = timedelta(weeks=1), timedelta(seconds=1)
_HEADER = struct.Struct(">4sc15x6L")  # RFC 9636: the counts of the data that follows


class ZoneChange(NamedTuple):
    """From `starts` until the next change, local time is UTC plus `shift`."""

    starts: datetime
    shift: timedelta


@cache
def zone_changes(name: str) -> tuple[ZoneChange, ...]:
    """The first one is not a change: it is the offset at the beginning of 1969."""
    zone, found = get_zone(name), list[ZoneChange]()
    for starts in (_START, *_changes(name, zone)):
        shift = _shift(starts, zone)
        if not found or shift != found[-1].shift:
            found.append(ZoneChange(starts, shift))
    return tuple(found)


def _changes(name: str, zone: ZoneInfo) -> Iterator[datetime]:
    """The transitions listed in the zone's file, then those of the yearly rule after them.

    Under a yearly rule, years with the same calendar have the same transitions, so at most 14 years are searched.
    """
    listed = [change for change in _listed_changes(read_zone_file(name)) if change > _START]
    yield from listed
    last = listed[-1] if listed else _START
    ruled = _new_year(last.year + 1)
    yield from _search(zone, last, ruled)
    years = dict[tuple[bool, int], list[timedelta]]()
    for first in map(_new_year, range(ruled.year, _LAST_YEAR + 1)):
        calendar = isleap(first.year), first.weekday()
        if calendar not in years:
            years[calendar] = [change - first for change in _search(zone, first, _new_year(first.year + 1))]
        yield from (first + passed for passed in years[calendar])


def _listed_changes(file: bytes) -> list[datetime]:
    """Skips the 32-bit block at the beginning of the file and reads the 64-bit one."""
    _magic, _version, utc, standard, leaps, changes, types, letters = _HEADER.unpack_from(file)
    at = _HEADER.size + changes * 5 + types * 6 + letters + leaps * 8 + standard + utc
    changes = _HEADER.unpack_from(file, at)[5]
    return [_EPOCH + moment * _SECOND for (moment,) in struct.iter_unpack(">q", file[at + 44 : at + 44 + 8 * changes])]


def _search(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[datetime]:
    """Searches week by week, because a yearly rule has two transitions that are months apart."""
    while start < end:
        shift, stop = _shift(start, zone), min(start + _WEEK, end)
        if _shift(stop, zone) != shift:
            yield _find_transition(zone, start, (stop - start) // _SECOND)
        start = stop


def _find_transition(zone: ZoneInfo, start: datetime, seconds: int) -> datetime:
    shift = _shift(start, zone)
    passed = bisect_left(range(seconds), True, key=lambda n: _shift(start + n * _SECOND, zone) != shift)  # noqa: FBT003
    return start + passed * _SECOND


def _new_year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _shift(instant: datetime, zone: ZoneInfo) -> timedelta:
    return instant.astimezone(zone).utcoffset() or timedelta()
