"""The published form of branches, as the statements of queries.py write it."""

from uuid import UUID

import msgspec

from frontdesk.kit.published import Country, Timestamp


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
