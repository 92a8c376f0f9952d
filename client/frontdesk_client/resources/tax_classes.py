"""Tax classes."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from frontdesk_client.models import DataResponse, DateTime, Id, Localized, Page, TaxClass, TaxRateEntry
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class TaxClasses(Resource[TransportT]):
    @ListOperation
    def list(
        self, *, updated_since: DateTime | None = None, after: str | None = None, per_page: int = MAX_PER_PAGE
    ) -> ApiRequest[Page[TaxClass]]:
        """List tax classes with their rates, the default class first."""
        return read("/tax-classes", Page[TaxClass], updated_since=updated_since, after=after, per_page=per_page)

    @Operation
    def create(
        self,
        *,
        name: Localized,
        rates: Sequence[TaxRateEntry],
        is_default: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[TaxClass]]:
        """Create a tax class. The first one is the default."""
        return write(
            "POST",
            "/tax-classes",
            DataResponse[TaxClass],
            idempotency_key,
            name=name,
            rates=rates,
            is_default=is_default,
        )

    @Operation
    def update(
        self,
        class_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        rates: Sequence[TaxRateEntry] | UnsetType = UNSET,
        is_default: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[TaxClass]]:
        """Update a tax class. Omitted fields keep their value."""
        return patch(
            path("/tax-classes/{}", class_id),
            DataResponse[TaxClass],
            idempotency_key,
            name=name,
            rates=rates,
            is_default=is_default,
            version=version,
        )

    @Operation
    def delete(self, class_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Delete a tax class that nothing has."""
        return write("DELETE", path("/tax-classes/{}", class_id), DataResponse[None], idempotency_key)
