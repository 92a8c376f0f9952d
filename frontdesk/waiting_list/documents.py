"""The published form of an entry; the database function `waiting_entry_document` returns it."""

from uuid import UUID

import msgspec

from frontdesk.values.api_types import Day, Timestamp
from frontdesk.waiting_list.types import PartOfDay


class WaitingListEntry(msgspec.Struct):
    id: UUID
    version: int
    customer_id: UUID
    service_ids: list[UUID]
    staff_id: UUID | None
    first_day: Day
    last_day: Day
    part_of_day: PartOfDay
    note: str | None
    created_at: Timestamp
    updated_at: Timestamp
