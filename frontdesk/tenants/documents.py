"""The published form of branches; the database function `branch_json` returns it."""

from uuid import UUID

import msgspec

from frontdesk.values.api_types import Country, Timestamp


class BranchReference(msgspec.Struct):
    id: UUID
    name: str


class Branch(msgspec.Struct):
    id: UUID
    name: str
    slug: str
    phone: str | None
    phone_country: Country | None
    address: str | None
    latitude: float | None
    longitude: float | None
    location: str | None
    status: bool
    created_at: Timestamp
    updated_at: Timestamp
