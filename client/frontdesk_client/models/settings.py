"""The settings of a business."""

from typing import Literal

import msgspec

from frontdesk_client.models.values import Localized


class PublishedSettings(msgspec.Struct):
    version: int
    name: str
    names: Localized
    slug: str
    country: str | None
    timezone: str
    currency: str
    languages: list[str]
    prices_include_tax: bool
    charges_no_tax: bool
    tax_registration_number: str | None
    invoice_note: Localized
    accent: str | None
    cancel_reasons: list[Localized] | None
    commission_basis: Literal["done", "booked"] | str
    grid_minutes: int
    notice_hours: int
    horizon_days: int
    cancellation_hours: int
    deposit_percent: int
    updated_at: str
