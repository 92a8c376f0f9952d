"""The published form of staff and working hours, which queries.py builds."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.tenants.documents import BranchReference, PriceTax
from frontdesk.values.api_types import Country, Email, Localized, TimeOfDay, Timestamp, Url


class StaffService(msgspec.Struct):
    id: UUID
    name: Localized
    price: Decimal
    tax: PriceTax
    duration: int


class StaffMember(msgspec.Struct):
    id: UUID
    name: str
    phone: str | None
    phone_country: Country | None
    email: Email | None
    image: Url | None
    branch: BranchReference
    services: list[StaffService]
    created_at: Timestamp
    updated_at: Timestamp


class WorkingInterval(msgspec.Struct):
    id: UUID
    day: Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    from_: TimeOfDay = msgspec.field(name="from")
    to: TimeOfDay
    active: bool


class WorkingHour(msgspec.Struct):
    id: UUID
    source: Literal["staff", "branch"]
    all_time: bool
    active: bool
    intervals: list[WorkingInterval]
