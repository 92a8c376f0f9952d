"""Free slots of a service, why other times are not available, and slots that are held."""

from uuid import UUID

import msgspec


class UnavailableRange(msgspec.Struct):
    """Start times from `from` to `to`, inclusive, that are unavailable for one reason."""

    reason: str
    from_: str = msgspec.field(name="from")
    to: str


class DayAvailabilityExplanation(msgspec.Struct):
    reason: str | None
    refused: list[UnavailableRange]


class StaffAvailabilityExplanation(msgspec.Struct):
    staff_id: UUID
    days: dict[str, DayAvailabilityExplanation]  # by date


class Availability(msgspec.Struct):
    slots: dict[str, list[str]]  # start times (HH:MM) by date, in the business's local time
    explain: list[StaffAvailabilityExplanation] | None = None  # only if requested


class OpenHours(msgspec.Struct):
    """Local times."""

    from_: str = msgspec.field(name="from")
    to: str


class CustomerAtStart(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None


class OrderAtStart(msgspec.Struct):
    id: UUID
    order_number: str
    customer: CustomerAtStart | None


class StartReason(msgspec.Struct):
    """Why a staff member is not offered at a start. What a code does not need is None or empty."""

    code: str
    message: str
    date: str | None
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


class Hold(msgspec.Struct):
    id: UUID
    service_id: UUID
    staff_id: UUID
    start: str
    end: str
    expires_at: str
