from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from frontdesk.availability.window import DAY


class PartOfDay(StrEnum):
    ANY = "any"
    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"


# In minutes from midnight. A visit belongs to the part that it begins in.
HOURS: dict[PartOfDay, tuple[int, int]] = {
    PartOfDay.ANY: (0, DAY),
    PartOfDay.MORNING: (0, 12 * 60),
    PartOfDay.AFTERNOON: (12 * 60, 17 * 60),
    PartOfDay.EVENING: (17 * 60, DAY),
}


class WaitingRequest(msgspec.Struct, frozen=True):
    """What a customer waits for."""

    item_id: UUID
    staff_id: UUID | None
    first_day: date
    last_day: date
    part_of_day: PartOfDay
    note: str | None
    more_item_ids: tuple[UUID, ...] = ()  # services directly after the first


class WaitingService(msgspec.Struct, frozen=True):
    item_id: UUID
    name: dict[str, str]
    on_sale: bool
    candidates: dict[UUID, int]  # minutes by provider
    buffer_before: int
    buffer_after: int


class WaitingEntry(msgspec.Struct, frozen=True):
    """An entry with what is needed to find a free time for it."""

    id: UUID
    version: int
    customer_id: UUID
    customer: str
    phone: str | None
    has_email: bool
    blocked: bool
    item_id: UUID
    service: dict[str, str]
    on_sale: bool
    branch_id: UUID
    staff_id: UUID | None
    staff: str | None
    first_day: date
    last_day: date
    part_of_day: PartOfDay
    note: str | None
    created_at: datetime
    candidates: dict[UUID, int]  # minutes by provider
    buffer_before: int
    buffer_after: int
    more: list[WaitingService] = []

    @property
    def services(self) -> list[WaitingService]:
        first = WaitingService(
            self.item_id, self.service, self.on_sale, self.candidates, self.buffer_before, self.buffer_after
        )
        return [first, *self.more]
