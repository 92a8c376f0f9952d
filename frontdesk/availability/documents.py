"""The published form of available start times, and of the reasons why others are unavailable."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.values.api_types import Day, NumberString, TimeOfDay


class UnavailableRange(msgspec.Struct):
    """Consecutive start times that are unavailable for the same reason."""

    reason: str
    from_: TimeOfDay = msgspec.field(name="from")
    to: TimeOfDay


class DayAvailabilityExplanation(msgspec.Struct):
    reason: str | None
    refused: list[UnavailableRange]


class StaffAvailabilityExplanation(msgspec.Struct):
    staff_id: UUID
    days: dict[Day, DayAvailabilityExplanation]


class Availability(msgspec.Struct):
    slots: dict[Day, list[TimeOfDay]]
    explain: list[StaffAvailabilityExplanation] | UnsetType = UNSET


class OpenHours(msgspec.Struct):
    from_: str = msgspec.field(name="from")
    to: str


class CustomerAtStart(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None


class OrderAtStart(msgspec.Struct):
    id: UUID
    order_number: NumberString
    customer: CustomerAtStart | None


class StartReason(msgspec.Struct):
    """Why a provider is not offered at a start. What a code does not need is null or empty."""

    code: str
    message: str
    date: Day | None
    note: str | None
    hours: list[OpenHours]
    start: str | None
    end: str | None
    until: str | None
    minutes: int | None
    starts: list[str]
    order: OrderAtStart | None


class NamedStaff(msgspec.Struct):
    id: UUID
    name: str | None


class StaffAtStart(msgspec.Struct):
    staff: NamedStaff
    bookable: bool
    reasons: list[StartReason]


class NearestStart(msgspec.Struct):
    start: str
    staff_id: UUID


class ExplainedStart(msgspec.Struct):
    start: str
    bookable: bool
    staff: list[StaffAtStart]
    nearest: list[NearestStart]
