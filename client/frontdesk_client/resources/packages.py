"""Packages."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from frontdesk_client.models import Amount, DataResponse, Date, DateTime, Id, Localized, Package, PackagePart, Page
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class Packages(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, updated_since: DateTime | None = None, after: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[Package]]:
        """List packages with their items, newest first."""
        return read("/packages", Page[Package], updated_since=updated_since, after=after, per_page=per_page)

    @Operation
    def get(self, package_id: Id) -> ApiRequest[DataResponse[Package]]:
        """Get a package with its items."""
        return read(path("/packages/{}", package_id), DataResponse[Package])

    @Operation
    def create(
        self,
        *,
        name: Localized,
        branch_id: Id,
        items: Sequence[PackagePart],
        price: Amount,
        offer_price: Amount | None = None,
        offer_from: Date | None = None,
        offer_until: Date | None = None,
        tax_class_id: Id | None = None,
        description: Localized | None = None,
        sku: str | None = None,
        status: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Package]]:
        """Create a package of items of one branch."""
        return write(
            "POST",
            "/packages",
            DataResponse[Package],
            idempotency_key,
            name=name,
            branch_id=branch_id,
            items=items,
            price=price,
            offer_price=offer_price,
            offer_from=offer_from,
            offer_until=offer_until,
            tax_class_id=tax_class_id,
            description=description,
            sku=sku,
            status=status,
        )

    @Operation
    def update(
        self,
        package_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        items: Sequence[PackagePart] | UnsetType = UNSET,
        price: Amount | UnsetType = UNSET,
        offer_price: Amount | UnsetType | None = UNSET,
        offer_from: Date | UnsetType | None = UNSET,
        offer_until: Date | UnsetType | None = UNSET,
        tax_class_id: Id | UnsetType | None = UNSET,
        description: Localized | UnsetType | None = UNSET,
        sku: str | UnsetType | None = UNSET,
        status: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Package]]:
        """Update a package. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/packages/{}", package_id),
            DataResponse[Package],
            idempotency_key,
            name=name,
            items=items,
            price=price,
            offer_price=offer_price,
            offer_from=offer_from,
            offer_until=offer_until,
            tax_class_id=tax_class_id,
            description=description,
            sku=sku,
            status=status,
            version=version,
        )

    @Operation
    def delete(
        self,
        package_id: Id,
        *,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[None]]:
        """Delete a package that no order contains."""
        return write(
            "DELETE",
            path("/packages/{}", package_id),
            DataResponse[None],
            idempotency_key,
        )
