"""What a file contains: the kinds of records in the order in which they are created, and the fields of each."""

from collections.abc import Mapping

import msgspec

from frontdesk.developer_tools.set_up_file.field_types import (
    Address,
    Amount,
    Choice,
    Country,
    Day,
    Field,
    Flag,
    Link,
    Localized,
    Phone,
    Rows,
    Slug,
    Text,
    Whole,
)
from frontdesk.developer_tools.set_up_file.hours import ALWAYS, OF_BRANCH, Hours
from frontdesk.developer_tools.set_up_file.kind import Fields, Kind, Order
from frontdesk.developer_tools.set_up_file.settings import BOOKING_PAGE, BUSINESS, DRAWERS, MESSAGES


class _MethodName(Localized):
    """Of a payment method, which is created with one text for all languages."""

    def created_body(self, value: Mapping[str, str]) -> object:
        return value.get("en") or next(iter(value.values()))


def _status(meaning: str, *, only_changed: bool = False) -> Field:
    return Field(Flag(), meaning, default=True, counts_if_absent=True, only_changed=only_changed)


_PRICES = {
    "price": Field(Amount(), "as the business enters it", required=True, of="entered_price"),
    "offer_price": Field(Amount(), "below the price", of="entered_offer_price"),
}
_OFFER_DAYS = {
    "offer_from": Field(Day(), "first day of the offer"),
    "offer_until": Field(Day(), "last day of the offer"),
}
_NAME = Field(Localized(), "by language", required=True)
_SHOWN_NAMES = Field(Localized(), "that customers read instead, by language")
_DESCRIPTION = Field(Localized(), "by language")
_BRANCH = Field(Link("branches"), "a branch", required=True, of="branch.id", sent_as="branch_id")
_TAX_CLASS = Field(
    Link("tax_classes"), "a tax class; without one the default class", of="tax_class_id", sent_as="tax_class_id"
)
_CODES = {
    "sku": Field(Text(), "article code"),
    "barcode": Field(Text(), "what the till reads"),
}
_CONTACT = {
    "phone": Field(Phone(), "with its calling code; `phone_country` with it"),
    "phone_country": Field(Country(), "the country of the phone number, such as `SA`"),
}
_MINUTES = Field(Whole(), "minutes; services only")

OPTION_FIELDS: Fields = {
    "name": msgspec.structs.replace(_NAME, of="names"),
    **_PRICES,
    "duration": _MINUTES,
    **_CODES,
    "quantity": Field(Whole(), "opening stock; products only", only_created=True),
    "low_stock": Field(Whole(), "products only"),
    "is_active": _status("false: off sale"),
}

TAX_CLASSES = Kind(
    "tax_classes",
    "tax class",
    "/tax-classes",
    {
        "name": _NAME,
        "is_default": Field(Flag(), "what has no class has this one", default=False),
        "rates": Field(
            Rows(
                "rates, such as {starts_on: 2026-01-01, rate: 15}",
                {"starts_on": Field(Day(), required=True), "rate": Field(Amount(), required=True)},
            ),
            "each from a day on, in percent",
            required=True,
        ),
    },
    status="",
)
BRANCHES = Kind(
    "branches",
    "branch",
    "/branches",
    {
        "name": Field(Text(), required=True),
        "names": _SHOWN_NAMES,
        "slug": Field(Slug(), "name in addresses; made of the name if left out"),
        **_CONTACT,
        "address": Field(Text()),
        "location": Field(Text(), "address of a map"),
        "status": _status("false: closed for bookings", only_changed=True),
        "hours": Field(Hours(ALWAYS), "opening hours by day, or `always`", by_itself=True),
    },
    newest_first=True,
)
CATEGORIES = Kind(
    "categories",
    "category",
    "/categories",
    {
        "name": _NAME,
        "branch": msgspec.structs.replace(_BRANCH, only_created=True),
        "description": _DESCRIPTION,
        "status": _status("false: hidden"),
    },
    order=Order(),
)
ITEMS = Kind(
    "items",
    "item",
    "/items",
    {
        "name": _NAME,
        "type": Field(Choice("service", "product"), required=True, only_created=True),
        "branch": _BRANCH,
        "category": Field(Link("categories"), "a category of the same branch", of="category.id", sent_as="category_id"),
        "description": _DESCRIPTION,
        **_PRICES,
        **_OFFER_DAYS,
        "tax_class": _TAX_CLASS,
        **_CODES,
        "duration": _MINUTES,
        "buffer_before": msgspec.structs.replace(_MINUTES, default=0),
        "buffer_after": msgspec.structs.replace(_MINUTES, default=0),
        "cost": Field(Amount(), "products only"),
        "supplier": Field(Text(), "products only"),
        "stock": Field(Whole(), "opening stock; products only", only_created=True),
        "low_stock": Field(Whole(), "products only"),
        "base_sellable": Field(Flag(), "whether it is sold without one of its options", default=False),
        "status": _status("false: off sale"),
    },
    order=Order(among="category"),
)
PACKAGES = Kind(
    "packages",
    "package",
    "/packages",
    {
        "name": _NAME,
        "branch": msgspec.structs.replace(_BRANCH, only_created=True),
        "description": _DESCRIPTION,
        **_PRICES,
        **_OFFER_DAYS,
        "tax_class": _TAX_CLASS,
        "sku": _CODES["sku"],
        "items": Field(
            Rows(
                "names of items",
                {
                    "item": Field(Link("items"), required=True, of="id", sent_as="item_id"),
                    "quantity": Field(Whole(), default=1),
                },
            ),
            "what it contains: names of items, or `{item: …, quantity: 2}`",
            required=True,
        ),
        "status": _status("false: off sale"),
    },
    newest_first=True,
)
STAFF = Kind(
    "staff",
    "staff member",
    "/staff",
    {
        "name": Field(Text(), required=True),
        "names": _SHOWN_NAMES,
        "branch": _BRANCH,
        "title": Field(Localized(), "what they are, by language"),
        **_CONTACT,
        "email": Field(Address()),
        "status": _status("false: has left", only_changed=True),
        "services": Field(
            Rows(
                "names of services",
                {
                    "service": Field(Link("items"), required=True, of="id", sent_as="service_id"),
                    "price": Field(Amount(), of="own_price"),
                    "duration": Field(Whole(), of="own_duration"),
                },
            ),
            "what they perform: names of services, or `{service: …, price: 150, duration: 60}` with what is their own",
            only_changed=True,
        ),
        "hours": Field(
            Hours(ALWAYS, OF_BRANCH), "working hours by day, `always`, or `branch`: those of the branch", by_itself=True
        ),
    },
    stays_itself=True,
    order=Order(sorted_by=("sort_order", "name", "id"), needs_status=True),
)
PAYMENT_METHODS = Kind(
    "payment_methods",
    "payment method",
    "/payment-methods",
    {
        "name": Field(_MethodName(), "by language", required=True),
        "type": Field(
            Choice("cash", "card", "bank_transfer", "voucher", "other"),
            "applications create `cash` and `other`",
            required=True,
            of="type.slug",
            only_created=True,
        ),
        "status": _status("false: not offered at the till"),
    },
    order=Order(sorted_by=("sort_order", "created_at", "id")),
    query={"updated_since": "2000-01-01T00:00:00Z"},  # otherwise those that are not offered are missing
    hidden_types=("third-party",),  # an application that is installed brings its own
    types_by_hand=("card", "bank_transfer", "voucher"),
)
KINDS = (
    BUSINESS,
    TAX_CLASSES,
    BRANCHES,
    CATEGORIES,
    ITEMS,
    PACKAGES,
    STAFF,
    PAYMENT_METHODS,
    BOOKING_PAGE,
    DRAWERS,
    MESSAGES,
)
