from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.hours import Hours


class Provider(NamedTuple):
    """A member of staff as far as their time is concerned."""

    staff_id: UUID
    own_duration: int | None  # for the service asked about, where one was
    hours: Hours
    closed: frozenset[date]
    time_off: list[tuple[datetime, datetime]]
    booked: int  # minutes of the window for which they were fetched


class Service(NamedTuple):
    """What availability needs to know of a service, and of the business that offers it."""

    duration: int
    active: bool
    grid: int
    providers: list[Provider]
