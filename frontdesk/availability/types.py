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


class Service(NamedTuple):
    """The properties of a service and its tenant that availability depends on."""

    duration: int
    buffer_before: int
    buffer_after: int
    active: bool
    grid: int
    providers: list[StaffSchedule]
    is_staff: bool  # whether the requested provider belongs to the tenant
