from uuid import UUID

import msgspec

from frontdesk.custom_data.types import NO_FILTER, CustomDataFilter


class StaffFilter(msgspec.Struct, frozen=True):
    name: str | None = None  # a search key
    branch_id: UUID | None = None
    active: bool | None = True
    own: CustomDataFilter = NO_FILTER
