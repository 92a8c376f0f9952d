"""The published form of staff and working hours, as the statements of queries.py write it."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.tenants.documents import BranchReference


class StaffService(msgspec.Struct):
    id: UUID
    name: dict[str, str]
    price: Decimal
    duration: int


class StaffMember(msgspec.Struct):
    id: UUID
    name: str
    phone: str | None
    phone_country: str | None
    email: str | None
    image: str | None
    branch: BranchReference
    services: list[StaffService]
    created_at: str
    updated_at: str


class WorkingInterval(msgspec.Struct):
    id: UUID
    day: Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    from_: str = msgspec.field(name="from")
    to: str
    active: bool


class WorkingHour(msgspec.Struct):
    id: UUID
    source: Literal["staff", "branch"]
    all_time: bool
    active: bool
    intervals: list[WorkingInterval]
