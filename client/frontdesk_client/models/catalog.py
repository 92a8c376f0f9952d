"""Branches, categories, items, packages and staff."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec

from frontdesk_client.models.values import (
    Amount,
    Date,
    Id,
    ItemType,
    Localized,
    TimeOffStatus,
    Weekday,
    WorkingHourSource,
)


class BranchReference(msgspec.Struct):
    id: UUID
    name: str


class Branch(msgspec.Struct):
    id: UUID
    name: str
    names: Localized
    slug: str
    phone: str | None
    phone_country: str | None
    address: str | None
    latitude: float | None
    longitude: float | None
    location: str | None
    status: bool
    created_at: str
    updated_at: str


class Category(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    slug: str
    description: Localized | None
    status: bool
    sort_order: int
    branch: BranchReference
    created_at: str
    updated_at: str


class CategoryReference(msgspec.Struct):
    id: UUID
    name: Localized
    status: bool


class PriceTax(msgspec.Struct):
    rate: Decimal  # in percent
    included: bool  # whether the business enters its prices with tax; published prices contain it in both cases


class ItemOptionValue(msgspec.Struct):
    option_value_id: UUID
    option_name: str
    value: str


class ItemOption(msgspec.Struct):
    id: UUID
    name: str
    names: Localized
    sku: str | None
    barcode: str | None
    price: Decimal
    offer_price: Decimal | None
    entered_price: Decimal  # without tax if `tax.included` is false
    entered_offer_price: Decimal | None
    is_active: bool
    values: list[ItemOptionValue]
    duration: int | None = None  # minutes; services only
    quantity: int | None = None  # products only
    quantity_counted: bool | None = None  # products only
    low_stock: int | None = None  # products only


class ServiceStaffMember(msgspec.Struct):
    """A staff member who performs the service, with their price and duration."""

    id: UUID
    name: str
    price: Decimal
    duration: int  # minutes


class Item(msgspec.Struct):
    id: UUID
    version: int
    type: ItemType
    sku: str | None
    barcode: str | None
    name: Localized
    slug: str
    description: Localized | None
    html_description: Localized | None
    status: bool
    price: Decimal
    offer_price: Decimal | None
    entered_price: Decimal  # without tax if `tax.included` is false
    entered_offer_price: Decimal | None
    offer_from: str | None
    offer_until: str | None
    tax_class_id: UUID | None
    tax: PriceTax
    currency: str
    options: list[ItemOption]
    base_sellable: bool  # whether it can be ordered without one of its options
    category: CategoryReference | None
    branch: BranchReference
    created_at: str
    updated_at: str
    duration: int | None = None  # minutes; services only
    buffer_before: int | None = None  # minutes; services only
    buffer_after: int | None = None  # minutes; services only
    cost: Decimal | None = None  # products only
    supplier: str | None = None  # products only
    stock: int | None = None  # products only; 0 if it is not counted
    stock_counted: bool | None = None  # products only
    low_stock: int | None = None  # products only
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself


class ItemDetail(Item):
    staff: list[ServiceStaffMember] | None = None  # services only


class OptionCreate(msgspec.Struct, kw_only=True):
    """A variant of an item to create."""

    name: Localized
    price: Amount
    offer_price: Amount | None = None
    duration: int | None = None
    sku: str | None = None
    barcode: str | None = None
    quantity: int | None = None
    low_stock: int | None = None
    is_active: bool = True


class PackagePart(msgspec.Struct, kw_only=True):
    """What a package contains."""

    item_id: Id
    quantity: int = 1


class PackageItem(msgspec.Struct):
    id: UUID
    name: Localized
    type: ItemType
    quantity: int


class Package(msgspec.Struct):
    id: UUID
    version: int
    sku: str | None
    name: Localized
    description: Localized | None
    branch: BranchReference
    price: Decimal
    offer_price: Decimal | None
    entered_price: Decimal  # without tax if `tax.included` is false
    entered_offer_price: Decimal | None
    offer_from: str | None
    offer_until: str | None
    tax_class_id: UUID | None
    tax: PriceTax
    status: bool
    items: list[PackageItem]
    created_at: str
    updated_at: str


class HoursInterval(msgspec.Struct):
    from_: str = msgspec.field(name="from")
    to: str


class HoursIntervalEntry(msgspec.Struct, kw_only=True):
    """Hours on one day, to set. An end that is not after the start is on the next day."""

    from_: str = msgspec.field(name="from")
    to: str


class HourException(msgspec.Struct):
    id: UUID
    version: int
    branch_id: UUID
    staff_id: UUID | None  # None: the hours of the branch itself
    day: str
    intervals: list[HoursInterval]
    note: str | None
    created_at: str
    updated_at: str


class ClosedDay(msgspec.Struct):
    day: str
    note: str | None


class ClosedDays(msgspec.Struct):
    branch_id: UUID
    days: list[ClosedDay]


class TimeOff(msgspec.Struct):
    id: UUID
    version: int
    branch_id: UUID
    staff_id: UUID
    start: str
    end: str
    status: TimeOffStatus
    created_at: str
    updated_at: str


class PinnedItem(msgspec.Struct):
    id: UUID
    type: Literal["service", "product", "package"] | str
    name: Localized
    branch_id: UUID
    pinned_at: str


class TaxRateEntry(msgspec.Struct, kw_only=True):
    """A rate in percent from a day on, to set."""

    starts_on: Date
    rate: Amount


class TaxClassRate(msgspec.Struct):
    starts_on: str
    rate: Decimal  # in percent


class TaxClass(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    is_default: bool
    rates: list[TaxClassRate]
    created_at: str
    updated_at: str


class StaffService(msgspec.Struct):
    id: UUID
    name: Localized
    price: Decimal
    tax: PriceTax
    duration: int  # minutes
    own_price: Decimal | None  # as entered; None: that of the service
    own_duration: int | None


class StaffServiceTerms(msgspec.Struct, kw_only=True):
    """A service that a staff member performs, to set, with a price and a duration of their own."""

    service_id: Id
    price: Amount | None = None
    duration: int | None = None


class StaffMember(msgspec.Struct):
    id: UUID
    version: int
    name: str
    names: Localized
    title: Localized
    phone: str | None
    phone_country: str | None
    email: str | None
    image: str | None
    branch: BranchReference
    services: list[StaffService]
    status: bool
    sort_order: int
    created_at: str
    updated_at: str
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself


class WorkingInterval(msgspec.Struct):
    id: UUID
    day: Weekday
    from_: str = msgspec.field(name="from")
    to: str
    active: bool


class WorkingIntervalEntry(msgspec.Struct, kw_only=True):
    """Hours on a weekday, to set. An end that is not after the start is on the next day."""

    day: Weekday
    from_: str = msgspec.field(name="from")
    to: str


class WorkingHour(msgspec.Struct):
    id: UUID
    version: int
    source: WorkingHourSource
    all_time: bool
    active: bool
    intervals: list[WorkingInterval]
