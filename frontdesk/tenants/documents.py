"""The published form of branches: the types, and the SQL that writes it, with `b` the branch."""

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


BRANCH = """json_build_object(
    'id', b.id, 'name', b.name, 'slug', b.slug, 'phone', b.phone, 'phone_country', b.phone_country,
    'address', b.address, 'latitude', b.latitude, 'longitude', b.longitude, 'location', b.location,
    'status', b.status, 'created_at', format_utc(b.created_at), 'updated_at', format_utc(b.updated_at))"""
