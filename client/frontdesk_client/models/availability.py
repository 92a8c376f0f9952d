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


class Hold(msgspec.Struct):
    id: UUID
    service_id: UUID
    staff_id: UUID
    start: str
    end: str
    expires_at: str
