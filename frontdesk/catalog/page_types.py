"""What the pages of the catalog show."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.catalog.options import duration_range, price_range
from frontdesk.catalog.types import ItemType

Kind = Literal["service", "product", "package"]
Names = Mapping[str, str]


class CatalogueFilter(msgspec.Struct, frozen=True):
    kinds: Sequence[Kind]
    is_active: bool | None = None
    search: str = ""  # a search key
    code: str = ""  # a SKU or barcode
    category_id: UUID | None = None


class CatalogueRow(NamedTuple):
    """In the order of the values that the database returns."""

    id: str
    kind: Kind
    name: Names
    status: bool
    price: str  # a decimal number, as all prices here, and as it is charged
    offer_price: str | None  # where it counts today
    option_prices: list[str]  # of the options that are on sale
    provider_prices: list[str]  # of a service, without an option
    base_sellable: bool
    picture_id: str | None
    duration: int | None
    stock: int | None
    is_low: bool
    performers: int  # of a service
    contents: int  # of a package
    is_broken: bool  # on sale, and cannot be booked or sold (attention/rules.py)
    is_unsold: bool  # on sale, and none of its options is
    option_durations: list[int | None]
    provider_durations: list[int | None]

    @property
    def prices(self) -> tuple[Decimal, Decimal]:
        """The lowest and the highest."""
        without = self.provider_prices or [self.price if self.offer_price is None else self.offer_price]
        return price_range(
            [*map(Decimal, self.option_prices)], [*map(Decimal, without)], base_sellable=self.base_sellable
        )

    @property
    def durations(self) -> tuple[int, int]:
        """Of a service: the shortest and the longest, in minutes."""
        options, providers = self.option_durations, self.provider_durations
        return duration_range(self.duration or 0, options, providers, base_sellable=self.base_sellable)


read_row = msgspec.json.Decoder(CatalogueRow).decode


class ListedRow(NamedTuple):
    """`document` is a `CatalogueRow` as the database wrote it: a page that has shown it before need not read it."""

    id: str
    kind: Kind
    category_id: str | None
    document: msgspec.Raw

    def read(self) -> CatalogueRow:
        return read_row(self.document)


class CategoryRow(msgspec.Struct, frozen=True):
    id: str
    name: Names
    status: bool
    item_count: int


class Catalogue(msgspec.Struct, frozen=True):
    """One page of the list, in the order of categories; `counts` and `off_sale` are of all of them."""

    rows: list[ListedRow]
    categories: list[CategoryRow]
    counts: Mapping[Kind, int]
    off_sale: int
    staff: int
    total: int


class EditedOption(msgspec.Struct, frozen=True):
    id: UUID
    name: dict[str, str]
    price: Decimal
    offer_price: Decimal | None
    duration: int | None
    sku: str | None
    barcode: str | None
    quantity: int | None
    low_stock: int | None
    is_active: bool


class EditedPerformer(msgspec.Struct, frozen=True):
    staff_id: UUID
    price: Decimal | None
    duration: int | None


class _Edited(msgspec.Struct, frozen=True):
    """What items and packages have."""

    id: UUID
    version: int
    branch_id: UUID
    tax_class_id: UUID | None
    name: Names
    description: Names | None
    sku: str | None
    picture_id: UUID | None
    status: bool
    price: Decimal
    offer_price: Decimal | None
    offer_from: date | None
    offer_until: date | None
    sold: int  # in the last 90 days
    is_broken: bool


class EditedItem(_Edited, frozen=True):
    type: ItemType
    category_id: UUID | None
    barcode: str | None
    duration: int | None
    buffer_before: int
    buffer_after: int
    cost: Decimal | None
    supplier: str | None
    stock: int | None
    low_stock: int | None
    options: list[EditedOption]
    base_sellable: bool
    performers: list[EditedPerformer]
    tax_rate: Decimal  # of today
    prices_include_tax: bool
    is_unsold: bool


class PackagePart(msgspec.Struct, frozen=True):
    item_id: UUID
    name: Names
    quantity: int
    price: Decimal  # of one, with the offer of today
    duration: int | None  # of a service
    buffers: int  # minutes before and after, together
    performers: list[str]


class EditedPackage(_Edited, frozen=True):
    charged: Decimal  # today
    contents: list[PackagePart]


class Choice(msgspec.Struct, frozen=True):
    id: UUID
    name: Names
    branch_id: UUID | None = None


class Choices(msgspec.Struct, frozen=True):
    """What the forms of the catalog let choose from."""

    branches: list[Choice]
    categories: list[Choice]
    tax_classes: list[Choice]
    staff: list[Choice]
    items: list[Choice]  # for the contents of a package
    booking_page: str | None  # its name in addresses, if customers can book there
    prices_include_tax: bool


class Movement(msgspec.Struct, frozen=True):
    created_at: datetime
    reason: str
    change: int
    quantity: int
    note: str | None
    option: dict[str, str] | None
    order_id: UUID | None
    order_number: int | None
    actor: str | None


class Movements(msgspec.Struct, frozen=True):
    """Newest first."""

    rows: list[Movement]
    total: int
    pace: dict[str, int]  # sold and not returned in the last 30 days, by the option's id; without options, by ""

    def days_left(self, quantity: int | None, option_id: UUID | None = None) -> int | None:
        """How many days the stock lasts if it goes on to sell like this; None if it does not sell."""
        sold = self.pace.get(str(option_id or ""), 0)
        return None if sold <= 0 or quantity is None else max(quantity, 0) * 30 // sold


class EditedCategory(msgspec.Struct, frozen=True):
    id: UUID
    version: int
    branch_id: UUID
    name: Names
    description: Names | None
    status: bool
    item_count: int
