"""The published form of categories and items, which queries.py builds."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.catalog.types import ItemType
from frontdesk.tenants.documents import BranchReference, PriceTax
from frontdesk.values.api_types import Currency, Day, Localized, Timestamp


class Category(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    slug: str
    description: Localized | None
    status: bool
    sort_order: int
    branch: BranchReference
    created_at: Timestamp
    updated_at: Timestamp


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
    entered_price: Decimal
    entered_offer_price: Decimal | None
    is_active: bool
    values: list[ItemOptionValue]
    duration: int | UnsetType = UNSET
    quantity: int | UnsetType = UNSET
    quantity_counted: bool | UnsetType = UNSET
    low_stock: int | UnsetType | None = UNSET


class CategoryReference(msgspec.Struct):
    id: UUID
    name: Localized
    status: bool


class ServiceStaffMember(msgspec.Struct):
    """A staff member who performs the service, with their own price and duration."""

    id: UUID
    name: str
    price: Decimal
    duration: int


class PackageItem(msgspec.Struct):
    id: UUID
    name: Localized
    type: ItemType
    quantity: int


class Package(msgspec.Struct):
    """Items sold together at one price."""

    id: UUID
    version: int
    sku: str | None
    name: Localized
    description: Localized | None
    branch: BranchReference
    price: Decimal
    offer_price: Decimal | None
    entered_price: Decimal
    entered_offer_price: Decimal | None
    offer_from: Day | None
    offer_until: Day | None
    tax_class_id: UUID | None
    tax: PriceTax
    status: bool
    items: list[PackageItem]
    created_at: Timestamp
    updated_at: Timestamp


class PinnedItem(msgspec.Struct):
    """An item or a package that stands first at the till."""

    id: UUID
    type: Literal["service", "product", "package"]
    name: Localized
    branch_id: UUID
    pinned_at: Timestamp


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
    entered_price: Decimal
    entered_offer_price: Decimal | None
    offer_from: Day | None
    offer_until: Day | None
    tax_class_id: UUID | None
    tax: PriceTax
    currency: Currency
    options: list[ItemOption]
    base_sellable: bool
    category: CategoryReference | None
    branch: BranchReference
    created_at: Timestamp
    updated_at: Timestamp
    duration: int | UnsetType = UNSET
    buffer_before: int | UnsetType = UNSET
    buffer_after: int | UnsetType = UNSET
    cost: Decimal | UnsetType | None = UNSET
    supplier: str | UnsetType | None = UNSET
    stock: int | UnsetType = UNSET
    stock_counted: bool | UnsetType = UNSET
    low_stock: int | UnsetType | None = UNSET
    external_id: str | UnsetType | None = UNSET  # the fields of the application that asks
    metadata: dict[str, str] | UnsetType = UNSET


class ItemDetail(Item):
    staff: list[ServiceStaffMember] | UnsetType = UNSET
