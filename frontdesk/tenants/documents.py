"""The published forms of branches and of the tax in a price; the database function `branch_json` returns the first."""

from decimal import Decimal
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


class PriceTax(msgspec.Struct):
    """`price` contains the tax in both cases."""

    rate: Decimal  # in percent
    included: bool  # whether the business enters its prices with it
