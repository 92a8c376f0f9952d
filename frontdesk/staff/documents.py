"""The published form of staff and working hours, which queries.py builds."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.tenants.documents import BranchReference, PriceTax
from frontdesk.values.api_types import Country, Day, Email, LocalDateTime, Localized, TimeOfDay, Timestamp, Url


class StaffService(msgspec.Struct):
    id: UUID
    name: Localized
    price: Decimal
    tax: PriceTax
    duration: int
    own_price: Decimal | None  # as entered
    own_duration: int | None


class StaffMember(msgspec.Struct):
    id: UUID
    version: int
    name: str
    names: Localized
    title: Localized
    phone: str | None
    phone_country: Country | None
    email: Email | None
    image: Url | None
    branch: BranchReference
    services: list[StaffService]
    status: bool
    sort_order: int
    created_at: Timestamp
    updated_at: Timestamp
    external_id: str | UnsetType | None = UNSET  # the fields of the application that asks
    metadata: dict[str, str] | UnsetType = UNSET


class WorkingInterval(msgspec.Struct):
    id: UUID
    day: Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    from_: TimeOfDay = msgspec.field(name="from")
    to: TimeOfDay
    active: bool


class WorkingHour(msgspec.Struct):
    id: UUID
    version: int
    source: Literal["staff", "branch"]
    all_time: bool
    active: bool
    intervals: list[WorkingInterval]


class HoursInterval(msgspec.Struct):
    from_: TimeOfDay = msgspec.field(name="from")
    to: TimeOfDay  # of the next day, if it is not after `from`


class HourException(msgspec.Struct):
    """Other hours on one day; of the branch itself where `staff_id` is null. Closed without intervals."""

    id: UUID
    version: int
    branch_id: UUID
    staff_id: UUID | None
    day: Day
    intervals: list[HoursInterval]
    note: str | None
    created_at: Timestamp
    updated_at: Timestamp


class TimeOff(msgspec.Struct):
    id: UUID
    version: int
    branch_id: UUID
    staff_id: UUID
    start: LocalDateTime
    end: LocalDateTime
    status: Literal["requested", "approved", "declined"]
    created_at: Timestamp
    updated_at: Timestamp


class ClosedDay(msgspec.Struct):
    day: Day
    note: str | None


class ClosedDays(msgspec.Struct):
    """The days from today on on which the branch is closed."""

    branch_id: UUID
    days: list[ClosedDay]
