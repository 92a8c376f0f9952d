"""The published form of how cash is counted, which the database function drawer_settings_document builds."""

from uuid import UUID

import msgspec


class DrawersOfBranch(msgspec.Struct):
    branch_id: UUID
    drawers: int


class PublishedDrawerSettings(msgspec.Struct):
    own_shifts: bool
    blind_count: bool
    branches: list[DrawersOfBranch]
