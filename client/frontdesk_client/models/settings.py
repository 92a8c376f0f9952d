"""The settings of a business."""

from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk_client.models.values import Id, Localized


class PublishedSettings(msgspec.Struct):
    tenant_id: UUID
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


class OwnWords(msgspec.Struct):
    subject: str
    opening: str
    words: str


class WrittenMessage(msgspec.Struct):
    texts: dict[str, OwnWords]  # by language


class SwitchedMessage(msgspec.Struct):
    on: bool
    texts: dict[str, OwnWords]  # by language


class MessagesOfBusiness(msgspec.Struct):
    confirmation: SwitchedMessage
    reminder: SwitchedMessage
    change: SwitchedMessage
    cancellation: SwitchedMessage
    birthday: SwitchedMessage
    waiting_list_offer: WrittenMessage
    receipt: WrittenMessage


class PublishedMessageSettings(msgspec.Struct):
    version: int
    reminder_hours: int
    quiet_from: str | None
    quiet_until: str | None
    for_applications: bool
    messages: MessagesOfBusiness


class OwnWordsEntry(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is left out is in the words of Frontdesk."""

    subject: str | None = None
    opening: str | None = None
    words: str | None = None


class OwnWordsByLanguage(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A language that is left out keeps its words; None gives it those of Frontdesk."""

    en: OwnWordsEntry | UnsetType | None = UNSET
    ar: OwnWordsEntry | UnsetType | None = UNSET


class WrittenMessageUpdate(msgspec.Struct, kw_only=True, omit_defaults=True):
    texts: OwnWordsByLanguage | None = None


class SwitchedMessageUpdate(msgspec.Struct, kw_only=True, omit_defaults=True):
    on: bool | None = None
    texts: OwnWordsByLanguage | None = None


class MessagesUpdate(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What is left out stays."""

    confirmation: SwitchedMessageUpdate | None = None
    reminder: SwitchedMessageUpdate | None = None
    change: SwitchedMessageUpdate | None = None
    cancellation: SwitchedMessageUpdate | None = None
    birthday: SwitchedMessageUpdate | None = None
    waiting_list_offer: WrittenMessageUpdate | None = None
    receipt: WrittenMessageUpdate | None = None
