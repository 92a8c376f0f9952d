from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.hours import DayHours, Hours


class BusyMinutes(NamedTuple):
    """The booked minutes of some UTC days, as the database stores them; see `window.mask_of_utc_days`."""

    first: date
    days: bytes
    minutes: bytes


class StaffSchedule(NamedTuple):
    """The working hours, time off and bookings of a staff member."""

    staff_id: UUID
    own_duration: int | None  # for the requested service, if there is one
    hours: Hours
    has_own_hours: bool  # not the branch's
    exceptions: tuple[DayHours, ...]
    closed: frozenset[date]
    time_off: list[tuple[datetime, datetime]]
    busy: BusyMinutes
    outside: Sequence[tuple[datetime, datetime]] = ()  # busy times of a calendar elsewhere
    version: int = 1  # changes with everything but the bookings and `outside`


class Service(NamedTuple):
    """The properties of a service and its tenant that availability depends on."""

    duration: int
    buffer_before: int
    buffer_after: int
    active: bool
    grid: int
    providers: list[StaffSchedule]
    is_staff: bool  # whether the requested provider belongs to the tenant


class Assignment(NamedTuple):
    """Who performs a service, and when."""

    staff_id: UUID
    schedule_version: int  # that it was checked against
    start: datetime
    end: datetime
    busy_from: datetime
    busy_until: datetime
