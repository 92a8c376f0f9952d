"""Opening and working hours as pages edit them."""

from datetime import date, datetime
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

DAY = 1440


class HoursOwner(NamedTuple):
    """A branch or a staff member."""

    branch_id: UUID | None = None
    staff_id: UUID | None = None

    @property
    def id(self) -> UUID:
        owner = self.branch_id or self.staff_id
        if owner is None:
            raise AssertionError("hours belong to a branch or to a staff member")
        return owner


class WeeklyHours(msgspec.Struct, frozen=True):
    """Intervals are a day from 0 (Sunday), and two minutes of the day; the second, if not later, of the next day."""

    all_time: bool
    intervals: tuple[tuple[int, int, int], ...]
    active: bool = True
    version: int = 0

    def minutes_of(self, day: int) -> list[tuple[int, int]]:
        """From midnight on; an interval that ends on the next day goes on beyond 1440."""
        if not self.active:
            return []
        if self.all_time:
            return [(0, DAY)]
        found = [(opens, closes) for weekday, opens, closes in self.intervals if weekday == day]
        return sorted((opens, closes if closes > opens else closes + DAY) for opens, closes in found)


class HourException(msgspec.Struct, frozen=True):
    id: UUID
    day: date
    minutes: tuple[tuple[int, int], ...]
    note: str | None
    version: int


class ClosedDay(msgspec.Struct, frozen=True):
    day: date
    note: str | None


class TimeOff(msgspec.Struct, frozen=True):
    id: UUID
    start: datetime
    end: datetime
    note: str | None
    status: Literal["requested", "approved", "declined"]
    version: int
    bookings: int = 0  # coming ones during that time
