"""What a person enters for an item, a package or a category, as the acts take it."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.catalog.types import ItemType

Texts = Mapping[str, str]  # by language; a language without a text is left out


class OptionEntry(msgspec.Struct, frozen=True):
    """`quantity` counts only for an option that is new."""

    id: UUID
    name: Texts
    price: Decimal | None
    offer_price: Decimal | None = None
    duration: int | None = None
    sku: str | None = None
    barcode: str | None = None
    quantity: int | None = None
    low_stock: int | None = None
    is_active: bool = True


class PerformerEntry(msgspec.Struct, frozen=True):
    """A staff member who could perform the service. No price and no duration mean those of the service."""

    staff_id: UUID
    performs: bool
    price: Decimal | None = None
    duration: int | None = None
    performed: bool = False  # before the form was filled in


class PriceEntry(msgspec.Struct, frozen=True):
    price: Decimal | None
    offer_price: Decimal | None = None
    offer_from: date | None = None
    offer_until: date | None = None


class ItemEntry(msgspec.Struct, frozen=True):
    """`version` is that of the edited item; None for a new one. `stock` begins to count a product."""

    id: UUID
    version: int | None
    type: ItemType
    branch_id: UUID
    name: Texts
    description: Texts
    price: PriceEntry
    category_id: UUID | None = None
    tax_class_id: UUID | None = None
    sku: str | None = None
    barcode: str | None = None
    status: bool = True
    picture_id: UUID | None = None
    duration: int | None = None
    buffer_before: int = 0
    buffer_after: int = 0
    cost: Decimal | None = None
    supplier: str | None = None
    stock: int | None = None
    low_stock: int | None = None
    options: tuple[OptionEntry, ...] = ()
    base_sellable: bool = False  # whether it is also sold without one of its options
    performers: tuple[PerformerEntry, ...] = ()


class PartEntry(msgspec.Struct, frozen=True):
    item_id: UUID
    quantity: int


class PackageEntry(msgspec.Struct, frozen=True):
    id: UUID
    version: int | None
    branch_id: UUID
    name: Texts
    description: Texts
    price: PriceEntry
    contents: tuple[PartEntry, ...]
    tax_class_id: UUID | None = None
    sku: str | None = None
    status: bool = True
    picture_id: UUID | None = None
    percent_off: Decimal | None = None  # of the sum of the parts, in place of a price


class CategoryEntry(msgspec.Struct, frozen=True):
    id: UUID
    version: int | None
    branch_id: UUID
    name: Texts
    description: Texts
    status: bool = True
