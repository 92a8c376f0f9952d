"""The usual week of a branch and of those who work there, in minutes: when it is open and nobody can be booked."""

from collections.abc import Iterator
from uuid import UUID

import msgspec

_DAY = 1440
_WEEK = 7 * _DAY
_ALL = (1 << _WEEK) - 1


class WeekHours(msgspec.Struct, frozen=True):
    """Intervals are a day from 0 (Sunday) and two minutes of it; the second may lie on the next day."""

    all_time: bool = False
    intervals: tuple[tuple[int, int, int], ...] = ()


class Length(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    minutes: int


class BranchWeek(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    hours: WeekHours | None  # None: none were entered
    staff: tuple[WeekHours | None, ...]  # who perform a service; None: the hours of the branch
    longest: tuple[Length, ...]  # services that take the most time, the longest first

    @property
    def is_never_open(self) -> bool:
        return not _minutes(self.hours)

    def without_staff(self) -> list[tuple[int, int, int]]:
        """When the branch is open and nobody works: a day and two minutes of it."""
        opened = _minutes(self.hours)
        return list(_runs(opened & ~self._working()))

    def too_long(self) -> list[Length]:
        """Services that take longer than anyone works without a break."""
        longest = max((_longest(_minutes(own_hours or self.hours)) for own_hours in self.staff), default=0)
        return [service for service in self.longest if longest and service.minutes > longest]

    def _working(self) -> int:
        worked = 0
        for own_hours in self.staff:
            worked |= _minutes(own_hours or self.hours)
        return worked


def _minutes(hours: WeekHours | None) -> int:
    if hours is None or hours.all_time:
        return _ALL if hours else 0
    found = 0
    for day, opens, closes in hours.intervals:
        length = closes - opens if closes > opens else closes - opens + _DAY
        found |= ((1 << length) - 1) << (day * _DAY + opens)
    return (found | found >> _WEEK) & _ALL  # Saturday night goes on on Sunday


def _runs(mask: int) -> Iterator[tuple[int, int, int]]:
    """Each on the day on which it begins; midnight ends it."""
    for day in range(7):
        left = mask >> day * _DAY & ((1 << _DAY) - 1)
        for start, end in _spans(left):
            yield day, start, end


def _spans(mask: int) -> Iterator[tuple[int, int]]:
    position = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield position + zeros, position + zeros + ones
        mask >>= ones
        position += zeros + ones


def _longest(mask: int) -> int:
    """Over midnight too, and over the end of the week."""
    return max((end - start for start, end in _spans(mask | mask << _WEEK)), default=0)
