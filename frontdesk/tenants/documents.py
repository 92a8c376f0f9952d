"""The published forms of branches and of the tax in a price; the database function `branch_json` returns the first."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.values.api_types import Country, Currency, Day, Localized, Timestamp


class BranchReference(msgspec.Struct):
    id: UUID
    name: str


class Branch(msgspec.Struct):
    id: UUID
    name: str
    names: Localized
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


class TaxClassRate(msgspec.Struct):
    starts_on: Day
    rate: Decimal  # in percent


class TaxClass(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    is_default: bool
    rates: list[TaxClassRate]
    created_at: Timestamp
    updated_at: Timestamp


class PublishedSettings(msgspec.Struct):
    tenant_id: UUID
    version: int
    name: str
    names: Localized
    slug: str
    country: Country | None
    timezone: str
    currency: Currency
    languages: list[str]
    prices_include_tax: bool
    charges_no_tax: bool
    tax_registration_number: str | None
    invoice_note: Localized
    accent: str | None
    cancel_reasons: list[Localized] | None
    commission_basis: Literal["done", "booked"]
    grid_minutes: int
    notice_hours: int
    horizon_days: int
    cancellation_hours: int
    deposit_percent: int
    updated_at: Timestamp
