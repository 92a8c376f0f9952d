"""The records that a requested order refers to, as they were read for its decision."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.orders.tax import TaxRate
from frontdesk.orders.types import LineType
from frontdesk.payments.types import MethodInfo


class ItemInfo(msgspec.Struct, frozen=True):
    id: UUID
    type: LineType
    branch_id: UUID
    status: bool
    name: str
    price: Decimal
    offer_price: Decimal | None
    duration: int | None
    buffer_before: int
    buffer_after: int
    stock: int | None  # None for a service, and for a product that is not counted
    tax_class_id: UUID | None
    base_sellable: bool  # without an option


class OptionInfo(msgspec.Struct, frozen=True):
    id: UUID
    item_id: UUID
    is_active: bool
    name: str
    price: Decimal
    offer_price: Decimal | None
    duration: int | None
    quantity: int | None  # in stock; None: not counted


class PackageContent(msgspec.Struct, frozen=True):
    item_id: UUID
    type: LineType
    quantity: int
    stock: int | None  # None for a service, and for a product that is not counted
    price: Decimal  # of the item alone


class PackageInfo(msgspec.Struct, frozen=True):
    id: UUID
    branch_id: UUID
    status: bool
    name: str
    price: Decimal
    offer_price: Decimal | None
    tax_class_id: UUID | None
    contents: list[PackageContent]


class Performer(msgspec.Struct, frozen=True):
    item_id: UUID
    staff_id: UUID
    branch_id: UUID
    price: Decimal | None
    duration: int | None


class CustomerInfo(msgspec.Struct, frozen=True):
    blocked: bool


class ClosedBranchDay(msgspec.Struct, frozen=True):
    branch_id: UUID
    day: date


class OrderContext(msgspec.Struct, frozen=True):
    """The records that an order refers to."""

    branches: list[UUID]  # the requested one, and those of the items
    customer: CustomerInfo | None
    items: list[ItemInfo]
    options: list[OptionInfo]
    packages: list[PackageInfo]
    performers: list[Performer]
    staff: list[UUID]  # the requested ones that belong to the tenant
    methods: list[MethodInfo]  # that the payments may refer to
    prices_include_tax: bool
    tax_rates: list[TaxRate]  # of all classes and dates
    closed_days: list[ClosedBranchDay] = []  # around the start of an order without bookings
