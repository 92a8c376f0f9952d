from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.hours import Hours

MAX_LENGTHS = 4  # for which a calendar's starts are cached


class BusyMinutes:
    """What somebody has booked in a window, and what was found out from it: it all belongs to one state of them."""

    __slots__ = ("calendar", "fitting", "minutes")

    def __init__(self, calendar: int, minutes: int) -> None:
        self.calendar = calendar
        self.minutes = minutes
        self.fitting: dict[tuple[int, int], int] = {}  # by length and grid, the starts from which so much is free

    def cache_starts(self, length: int, grid: int, mask: int) -> None:
        """A caller chooses the length, so only a few are cached."""
        if len(self.fitting) >= MAX_LENGTHS:
            del self.fitting[next(iter(self.fitting))]
        self.fitting[length, grid] = mask


class StaffSchedule(NamedTuple):
    """A member of staff as far as their time is concerned."""

    staff_id: UUID
    own_duration: int | None  # for the service asked about, where one was
    hours: Hours
    closed: frozenset[date]
    time_off: list[tuple[datetime, datetime]]
    booked: BusyMinutes


class Service(NamedTuple):
    """What availability needs to know of a service, and of the business that offers it."""

    duration: int
    active: bool
    grid: int
    providers: list[StaffSchedule]
