"""Services and products."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from frontdesk_client.models import (
    Amount,
    DataResponse,
    Date,
    DateTime,
    Id,
    Item,
    ItemDetail,
    ItemType,
    Localized,
    OptionCreate,
    Page,
    StockReason,
)
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class Items(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        type_: ItemType | None = None,
        name: str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[Item]]:
        """List services and products."""
        return read(
            "/items",
            Page[Item],
            type_=type_,
            name=name,
            external_id=external_id,
            metadata=metadata,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def get(self, item_id: Id) -> ApiRequest[DataResponse[ItemDetail]]:
        """Get a service with the staff who perform it, or a product."""
        return read(path("/items/{}", item_id), DataResponse[ItemDetail])

    @Operation
    def create(
        self,
        *,
        type_: ItemType,
        name: Localized,
        price: Amount,
        branch_id: Id,
        category_id: Id | None = None,
        tax_class_id: Id | None = None,
        description: Localized | None = None,
        sku: str | None = None,
        barcode: str | None = None,
        status: bool | None = None,
        offer_price: Amount | None = None,
        offer_from: Date | None = None,
        offer_until: Date | None = None,
        duration: int | None = None,
        buffer_before: int | None = None,
        buffer_after: int | None = None,
        staff_ids: Sequence[Id] | None = None,
        cost: Amount | None = None,
        supplier: str | None = None,
        stock: int | None = None,
        low_stock: int | None = None,
        options: Sequence[OptionCreate] | None = None,
        base_sellable: bool | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str | None] | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Create a service or a product."""
        return write(
            "POST",
            "/items",
            DataResponse[ItemDetail],
            idempotency_key,
            type_=type_,
            name=name,
            price=price,
            branch_id=branch_id,
            category_id=category_id,
            tax_class_id=tax_class_id,
            description=description,
            sku=sku,
            barcode=barcode,
            status=status,
            offer_price=offer_price,
            offer_from=offer_from,
            offer_until=offer_until,
            duration=duration,
            buffer_before=buffer_before,
            buffer_after=buffer_after,
            staff_ids=staff_ids,
            cost=cost,
            supplier=supplier,
            stock=stock,
            low_stock=low_stock,
            options=options,
            base_sellable=base_sellable,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def update(
        self,
        item_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        price: Amount | UnsetType = UNSET,
        branch_id: Id | UnsetType = UNSET,
        category_id: Id | UnsetType | None = UNSET,
        tax_class_id: Id | UnsetType | None = UNSET,
        description: Localized | UnsetType | None = UNSET,
        sku: str | UnsetType | None = UNSET,
        barcode: str | UnsetType | None = UNSET,
        status: bool | UnsetType = UNSET,
        offer_price: Amount | UnsetType | None = UNSET,
        offer_from: Date | UnsetType | None = UNSET,
        offer_until: Date | UnsetType | None = UNSET,
        duration: int | UnsetType = UNSET,
        buffer_before: int | UnsetType = UNSET,
        buffer_after: int | UnsetType = UNSET,
        staff_ids: Sequence[Id] | UnsetType = UNSET,
        cost: Amount | UnsetType | None = UNSET,
        supplier: str | UnsetType | None = UNSET,
        stock: int | UnsetType | None = UNSET,
        low_stock: int | UnsetType | None = UNSET,
        base_sellable: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        external_id: str | UnsetType | None = UNSET,
        metadata: Mapping[str, str | None] | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Update a service or a product. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/items/{}", item_id),
            DataResponse[ItemDetail],
            idempotency_key,
            name=name,
            price=price,
            branch_id=branch_id,
            category_id=category_id,
            tax_class_id=tax_class_id,
            description=description,
            sku=sku,
            barcode=barcode,
            status=status,
            offer_price=offer_price,
            offer_from=offer_from,
            offer_until=offer_until,
            duration=duration,
            buffer_before=buffer_before,
            buffer_after=buffer_after,
            staff_ids=staff_ids,
            cost=cost,
            supplier=supplier,
            stock=stock,
            low_stock=low_stock,
            base_sellable=base_sellable,
            version=version,
            external_id=external_id,
            metadata=metadata,
        )

    @Operation
    def delete(
        self,
        item_id: Id,
        *,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[None]]:
        """Delete an item that no order and no package contains."""
        return write(
            "DELETE",
            path("/items/{}", item_id),
            DataResponse[None],
            idempotency_key,
        )

    @Operation
    def create_option(
        self,
        item_id: Id,
        *,
        name: Localized,
        price: Amount,
        offer_price: Amount | None = None,
        duration: int | None = None,
        sku: str | None = None,
        barcode: str | None = None,
        quantity: int | None = None,
        low_stock: int | None = None,
        is_active: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Add an option to an item."""
        return write(
            "POST",
            path("/items/{}/options", item_id),
            DataResponse[ItemDetail],
            idempotency_key,
            name=name,
            price=price,
            offer_price=offer_price,
            duration=duration,
            sku=sku,
            barcode=barcode,
            quantity=quantity,
            low_stock=low_stock,
            is_active=is_active,
        )

    @Operation
    def update_option(
        self,
        option_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        price: Amount | UnsetType = UNSET,
        offer_price: Amount | UnsetType | None = UNSET,
        duration: int | UnsetType | None = UNSET,
        sku: str | UnsetType | None = UNSET,
        barcode: str | UnsetType | None = UNSET,
        low_stock: int | UnsetType | None = UNSET,
        is_active: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Update an option of an item. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/item-options/{}", option_id),
            DataResponse[ItemDetail],
            idempotency_key,
            name=name,
            price=price,
            offer_price=offer_price,
            duration=duration,
            sku=sku,
            barcode=barcode,
            low_stock=low_stock,
            is_active=is_active,
            version=version,
        )

    @Operation
    def move_stock(
        self,
        item_id: Id,
        *,
        reason: StockReason,
        quantity: int | None = None,
        option_id: Id | None = None,
        note: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Change the stock of a product that is counted."""
        return write(
            "POST",
            path("/items/{}/stock-movements", item_id),
            DataResponse[ItemDetail],
            idempotency_key,
            reason=reason,
            quantity=quantity,
            option_id=option_id,
            note=note,
        )

    @Operation
    def move(
        self, item_id: Id, *, before: Id | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[ItemDetail]]:
        """Move an item before another one of its category, or to the end."""
        at = path("/items/{}/move", item_id)
        return write("POST", at, DataResponse[ItemDetail], idempotency_key, before=before)
