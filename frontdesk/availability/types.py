from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.hours import Hours


class BusyMinutes(NamedTuple):
    """The booked minutes of some UTC days, as the database stores them; see `window.mask_of_utc_days`."""

    first: date
    days: bytes
    minutes: bytes


class StaffSchedule(NamedTuple):
    """A member of staff as far as their time is concerned."""

    staff_id: UUID
    own_duration: int | None  # for the service asked about, where one was
    hours: Hours
    closed: frozenset[date]
    time_off: list[tuple[datetime, datetime]]
    busy: BusyMinutes


class Service(NamedTuple):
    """What availability needs to know of a service, and of the tenant that offers it."""

    duration: int
    active: bool
    grid: int
    providers: list[StaffSchedule]
    is_staff: bool  # whether the named provider works here at all
