"""Creating and changing services and products, their options and their stock."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from frontdesk.apis.custom_data import CustomDataFields, stores
from frontdesk.apis.open.entered_fields import (
    ArticleCode,
    BufferMinutes,
    LocalizedName,
    LocalizedText,
    Minutes,
    Units,
    Version,
    entered,
    given,
    texts,
)
from frontdesk.auth.scopes import Scope
from frontdesk.catalog.change_item import AddOption, ChangeItem, ChangeOption, check_type
from frontdesk.catalog.changes import ItemEntry, OptionEntry, PerformerEntry, PriceEntry
from frontdesk.catalog.documents import ItemDetail
from frontdesk.catalog.item_acts import DeleteItem
from frontdesk.catalog.move_stock import MAX_UNITS, ManualReason, MoveStock
from frontdesk.catalog.save_item import MAX_OPTIONS, SaveItem
from frontdesk.catalog.types import ItemType
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, NonNegativeMoney, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.values.ids import uuid7

operations = Endpoints()

StaffIds = Annotated[list[UUID], Meta(max_length=500)]
_ITEM_FIELDS = {"performers.#.staff_id": "staff_ids.#", "performers": "staff_ids"}
_OPTION_FIELDS = {
    f"options.#.{name}": name
    for name in ("name", "price", "offer_price", "duration", "sku", "barcode", "quantity", "low_stock")
}


class OptionCreate(msgspec.Struct):
    """A variant with its own price."""

    name: LocalizedName
    price: NonNegativeMoney
    offer_price: NonNegativeMoney | None = None
    duration: Minutes | None = None
    sku: ArticleCode | None = None
    barcode: ArticleCode | None = None
    quantity: Units | None = None
    low_stock: Units | None = None
    is_active: bool | None = True


class ItemCreate(CustomDataFields):
    type: ItemType
    name: LocalizedName
    price: NonNegativeMoney
    branch_id: UUID
    category_id: UUID | None = None
    tax_class_id: UUID | None = None
    description: LocalizedText | None = None
    sku: ArticleCode | None = None
    barcode: ArticleCode | None = None
    status: bool | None = True
    offer_price: NonNegativeMoney | None = None
    offer_from: CalendarDate | None = None
    offer_until: CalendarDate | None = None
    duration: Minutes | None = None
    buffer_before: BufferMinutes | None = None
    buffer_after: BufferMinutes | None = None
    staff_ids: StaffIds | None = None
    cost: NonNegativeMoney | None = None
    supplier: ShortText | None = None
    stock: Units | None = None
    low_stock: Units | None = None
    options: Annotated[list[OptionCreate], Meta(max_length=MAX_OPTIONS)] | None = None
    base_sellable: bool | None = None


class ItemUpdate(CustomDataFields):
    """Omitted fields keep their values; null clears an optional field."""

    name: LocalizedName | UnsetType = UNSET
    price: NonNegativeMoney | UnsetType = UNSET
    branch_id: UUID | UnsetType = UNSET
    category_id: UUID | UnsetType | None = UNSET
    tax_class_id: UUID | UnsetType | None = UNSET
    description: LocalizedText | UnsetType | None = UNSET
    sku: ArticleCode | UnsetType | None = UNSET
    barcode: ArticleCode | UnsetType | None = UNSET
    status: bool | UnsetType = UNSET
    offer_price: NonNegativeMoney | UnsetType | None = UNSET
    offer_from: CalendarDate | UnsetType | None = UNSET
    offer_until: CalendarDate | UnsetType | None = UNSET
    duration: Minutes | UnsetType = UNSET
    buffer_before: BufferMinutes | UnsetType = UNSET
    buffer_after: BufferMinutes | UnsetType = UNSET
    staff_ids: StaffIds | UnsetType = UNSET
    cost: NonNegativeMoney | UnsetType | None = UNSET
    supplier: ShortText | UnsetType | None = UNSET
    stock: Units | UnsetType | None = UNSET
    low_stock: Units | UnsetType | None = UNSET
    base_sellable: bool | UnsetType = UNSET
    version: Version | None = None


class OptionUpdate(msgspec.Struct):
    """Omitted fields keep their values; null clears an optional field."""

    name: LocalizedName | UnsetType = UNSET
    price: NonNegativeMoney | UnsetType = UNSET
    offer_price: NonNegativeMoney | UnsetType | None = UNSET
    duration: Minutes | UnsetType | None = UNSET
    sku: ArticleCode | UnsetType | None = UNSET
    barcode: ArticleCode | UnsetType | None = UNSET
    low_stock: Units | UnsetType | None = UNSET
    is_active: bool | UnsetType = UNSET
    version: Version | None = None


class StockMovementCreate(msgspec.Struct):
    reason: ManualReason
    quantity: Annotated[int, Meta(ge=0, le=MAX_UNITS)] | None = None
    option_id: UUID | None = None
    note: ShortText | None = None


@operations.post(
    "/items",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    status=201,
    creates="item",
    adds=stores("item", is_new=True),
    fields=_ITEM_FIELDS,
    errors=[Code.VALIDATION_ERROR, Code.EXTERNAL_ID_TAKEN],
)
def create_item(body: ItemCreate) -> SaveItem:
    """Create a service or a product.

    Prices are entered as the business does: without tax if `tax.included` of its items is false.
    """
    performers = dict.fromkeys(given(body.staff_ids, []))
    check_type(body.type, {**msgspec.structs.asdict(body), "performers": performers})
    return SaveItem(
        ItemEntry(
            id=uuid7(),
            version=None,
            type=body.type,
            branch_id=body.branch_id,
            name=texts(body.name),
            description=texts(body.description),
            price=_price(body),
            category_id=body.category_id,
            tax_class_id=body.tax_class_id,
            sku=body.sku,
            barcode=body.barcode,
            status=given(body.status, otherwise=True),
            duration=body.duration,
            buffer_before=given(body.buffer_before, 0),
            buffer_after=given(body.buffer_after, 0),
            cost=body.cost,
            supplier=body.supplier,
            stock=body.stock,
            low_stock=body.low_stock,
            options=tuple(map(_option, given(body.options, []))),
            base_sellable=given(body.base_sellable, otherwise=False),
            performers=tuple(PerformerEntry(staff_id, performs=True) for staff_id in performers),
        )
    )


def _price(body: ItemCreate) -> PriceEntry:
    return PriceEntry(
        body.price,
        body.offer_price,
        body.offer_from.day if body.offer_from else None,
        body.offer_until.day if body.offer_until else None,
    )


def _option(body: OptionCreate) -> OptionEntry:
    return OptionEntry(
        id=uuid7(),
        name=texts(body.name),
        price=body.price,
        offer_price=body.offer_price,
        duration=body.duration,
        sku=body.sku,
        barcode=body.barcode,
        quantity=body.quantity,
        low_stock=body.low_stock,
        is_active=given(body.is_active, otherwise=True),
    )


@operations.patch(
    "/items/{uuid}",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    adds=stores("item"),
    fields=_ITEM_FIELDS,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT, Code.EXTERNAL_ID_TAKEN],
)
def update_item(uuid: UUID, body: ItemUpdate) -> ChangeItem:
    """Update a service or a product; omitted fields keep their values.

    `status` false takes it off sale. `staff_ids` replaces who performs a service; who stays keeps their own price and
    duration. `stock` begins to count a product; what is counted changes by stock movements.
    """
    performers = None if body.staff_ids is UNSET else dict.fromkeys(body.staff_ids)
    return ChangeItem(uuid, entered(body, without=("version", "staff_ids")), performers, body.version)


@operations.delete("/items/{uuid}", scope=Scope.ITEMS_WRITE, status=204, errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR])
def delete_item(uuid: UUID) -> DeleteItem:
    """Delete an item that no order and no package contains. Others can be taken off sale."""
    return DeleteItem(uuid)


@operations.post(
    "/items/{uuid}/options",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    status=201,
    fields=_OPTION_FIELDS,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def create_option(uuid: UUID, body: OptionCreate) -> AddOption:
    """Add an option to an item and return the item."""
    return AddOption(uuid, _option(body))


@operations.patch(
    "/item-options/{uuid}",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    fields=_OPTION_FIELDS,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.VERSION_CONFLICT],
)
def update_option(uuid: UUID, body: OptionUpdate) -> ChangeOption:
    """Update an option and return its item; omitted fields keep their values.

    `is_active` false takes it off sale. `version` is that of the item.
    """
    return ChangeOption(uuid, entered(body), body.version)


@operations.post(
    "/items/{uuid}/stock-movements",
    scope=Scope.ITEMS_WRITE,
    response=DataResponse[ItemDetail],
    status=201,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR],
)
def move_stock(uuid: UUID, body: StockMovementCreate) -> MoveStock:
    """Change the stock of a product that is counted and return the product.

    A `delivery` adds `quantity` and a `loss` takes it; after a `correction` or an `opening` it is what was counted.
    With `uncounted` the product and its options are no longer counted.
    """
    return MoveStock(uuid, body.option_id, body.reason, given(body.quantity, 0), body.note)
