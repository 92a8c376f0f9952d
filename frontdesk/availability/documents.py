"""The published form of available start times, and of the reasons why others are unavailable."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.values.api_types import Day, TimeOfDay


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
