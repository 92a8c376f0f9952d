from uuid import UUID

import msgspec


class StaffFilter(msgspec.Struct, frozen=True):
    name: str | None = None  # a search key
    branch_id: UUID | None = None
    active: bool | None = True
