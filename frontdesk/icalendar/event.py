"""One entry of a calendar, as `write_calendar` writes it."""

from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

EventStatus = Literal["CONFIRMED", "TENTATIVE", "CANCELLED"]


class Person(NamedTuple):
    name: str
    email: str


class Event(NamedTuple):
    """Times are instants. `zone` is the time zone in which calendar programs show and move the event."""

    uid: str  # the same for every version of the event
    sequence: int  # rises with every version, so that programs replace the one they have
    starts_at: datetime
    ends_at: datetime
    zone: ZoneInfo
    summary: str
    changed_at: datetime
    description: str | None = None
    location: str | None = None
    status: EventStatus = "CONFIRMED"
    organizer: Person | None = None
    attendee: Person | None = None
    url: str | None = None
