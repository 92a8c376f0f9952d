"""The settings of a business."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk_client.models.values import Id, Localized


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


class PublishedBookingPage(msgspec.Struct):
    version: int
    shown: bool
    about: Localized
    asks_for_code: bool
    customers_move: bool
    customers_cancel: bool
    payment_instructions: Localized
    embedding_origins: list[str]


class DrawersOfBranch(msgspec.Struct):
    branch_id: UUID
    drawers: int


class DrawersEntry(msgspec.Struct, kw_only=True):
    """How many drawers a branch has, to set."""

    branch_id: Id
    drawers: int


class PublishedDrawerSettings(msgspec.Struct):
    own_shifts: bool
    blind_count: bool
    branches: list[DrawersOfBranch]
