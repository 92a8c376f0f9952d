from uuid import UUID

import msgspec


class StaffFilter(msgspec.Struct, frozen=True):
    name: str | None = None  # folded
    branch_id: UUID | None = None
