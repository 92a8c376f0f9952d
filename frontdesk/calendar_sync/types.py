from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.problems import Problem

CustomerNames = Literal["full", "short", "none"]


class FeedOwner(NamedTuple):
    """A staff member or a branch."""

    staff_id: UUID | None = None
    branch_id: UUID | None = None


class Feed(msgspec.Struct, frozen=True):
    id: UUID
    secret: bytes  # encrypted
    version: int
    created_at: datetime
    read_at: datetime | None


class ExternalCalendar(msgspec.Struct, frozen=True):
    host: str
    version: int
    fetched_at: datetime | None
    failing_since: datetime | None
    problem: Problem | None
    busy_times: int
    is_stale: bool  # for hours it could not be read


class FeedBooking(msgspec.Struct, frozen=True):
    id: UUID
    order_id: UUID
    version: int
    starts_at: datetime
    ends_at: datetime
    changed_at: datetime
    service: dict[str, str]
    staff: str
    first_name: str | None
    last_name: str | None


class FeedTimeOff(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    starts_at: datetime
    ends_at: datetime
    changed_at: datetime
    staff: str


class FeedContent(msgspec.Struct, frozen=True):
    business: str
    owner: str
    is_branch: bool
    branch: str
    address: str | None
    language: str
    languages: tuple[str, ...]  # of the business
    timezone: str
    customer_names: CustomerNames
    changed_at: datetime
    bookings: list[FeedBooking]
    time_off: list[FeedTimeOff]
