"""What is sent, and what is known about it."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

BIRTHDAY_KIND: Final = "birthday"
ORDER_KINDS: Final = ("confirmation", "reminder", "change", "cancellation")
CUSTOMER_KINDS: Final = (*ORDER_KINDS, "waiting_list_offer", "receipt", "contact_code", "bookings_link", BIRTHDAY_KIND)
# That a business switches on and off.
SWITCHED_KINDS: Final = (*ORDER_KINDS, BIRTHDAY_KIND)
API_CHANGES_KIND: Final = "api_changes"
ACCOUNT_KINDS: Final = (
    *("password_reset", "password_changed", "email_verification", "email_changed"),
    *("sign_up", "account_exists", "invitation", "new_device", "second_factor_changed"),
    "budget_used_up",
    API_CHANGES_KIND,
)
# To members, about the bookings of their business.
MEMBER_KINDS: Final = ("booking_new", "booking_moved", "booking_canceled", "booking_reassigned")
# To members who chose it, about a month of their business.
REPORT_KIND: Final = "monthly_report"
# Their words can be changed by a business.
EDITABLE_KINDS: Final = (*ORDER_KINDS, "waiting_list_offer", "receipt", BIRTHDAY_KIND)
# What they say is a secret, and is not kept.
SECRET_KINDS: Final = ("contact_code", "bookings_link", *ACCOUNT_KINDS)


class MailTexts(NamedTuple):
    """The texts of one kind."""

    subject: str
    heading: str
    opening: str
    preheader: str
    note: str = ""


class CustomText(msgspec.Struct, frozen=True):
    """In the words of the business; what is empty is ours."""

    subject: str = ""
    opening: str = ""
    words: str = ""  # a paragraph of its own


class MessageSettings(msgspec.Struct, frozen=True):
    confirmation: bool = True
    change: bool = True
    cancellation: bool = True
    reminder: bool = True
    birthday: bool = False  # to those who have agreed to news
    for_applications: bool = False
    reminder_hours: int = 24
    quiet_from: int | None = None  # minutes of the local day
    quiet_until: int | None = None
    texts: dict[str, dict[str, CustomText]] = {}  # by kind and language
    version: int = 0  # 0: nothing was saved

    def is_on(self, kind: str) -> bool:
        return bool(getattr(self, kind, True))

    def custom_text(self, kind: str, language: str) -> CustomText:
        return self.texts.get(kind, {}).get(language, CustomText())


class Business(msgspec.Struct, frozen=True):
    name: str
    slug: str | None
    timezone: str
    currency: str
    decimals: int
    languages: tuple[str, ...]
    accent: str | None
    cancellation_hours: int


class BookedService(msgspec.Struct, frozen=True):
    names: dict[str, str]  # by language
    provider: str
    options: tuple[dict[str, str], ...] = ()


class OtherDate(msgspec.Struct, frozen=True):
    """Of another order that the same message is about: a booking that repeats."""

    order_id: UUID
    version: int
    changed_at: datetime
    starts_at: datetime
    ends_at: datetime | None
    code: str


class Appointment(msgspec.Struct, frozen=True):
    number: int
    status: str
    version: int
    changed_at: datetime
    starts_at: datetime | None
    ends_at: datetime | None
    services: tuple[BookedService, ...]
    total: Decimal
    paid: Decimal
    branch: str
    address: str | None
    phone: str | None
    map_url: str | None
    code: str | None  # of the customer's own page
    also: tuple[OtherDate, ...] = ()
    deposit: Decimal | None = None  # asked for and not paid
    payment: dict[str, str] = {}  # how to pay it, by language
    to_refund: Decimal = Decimal()  # paid for what is canceled and not refunded, with the other dates
    refunded: Decimal = Decimal()
    canceled_by_customer: bool = False


class Message(msgspec.Struct, frozen=True):
    """To a customer, to a member about a booking, or without a tenant to a user."""

    id: UUID
    tenant_id: UUID | None
    kind: str
    email: str | None
    name: str | None
    language: str
    created_at: datetime
    data: Mapping[str, object] = {}
    secrets: Mapping[str, str] = {}
    order_id: UUID | None = None
    customer_id: UUID | None = None
    unsubscribe_token: str | None = None

    def value(self, key: str) -> str | None:
        found = self.secrets.get(key) or self.data.get(key)
        return str(found) if found else None


class Attachment(msgspec.Struct, frozen=True):
    name: str
    subtype: str  # of application/…
    body: bytes


class Content(msgspec.Struct, frozen=True):
    """Everything that a message can say."""

    message: Message
    business: Business | None = None
    settings: MessageSettings = MessageSettings()
    appointment: Appointment | None = None
    attachment: Attachment | None = None
    draw: Callable[[], Awaitable[Attachment | None]] | None = None  # the attachment; no connection is held meanwhile
