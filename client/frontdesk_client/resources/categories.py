"""Categories."""

from msgspec import UNSET, UnsetType

from frontdesk_client.models import Category, DataResponse, DateTime, Id, Localized, Page
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, patch, path, read, write


class Categories(Resource[TransportT]):
    @ListOperation
    def list(
        self,
        *,
        branch_id: Id | None = None,
        updated_since: DateTime | None = None,
        after: str | None = None,
        per_page: int = MAX_PER_PAGE,
    ) -> ApiRequest[Page[Category]]:
        """List categories by sort order."""
        return read(
            "/categories",
            Page[Category],
            branch_id=branch_id,
            updated_since=updated_since,
            after=after,
            per_page=per_page,
        )

    @Operation
    def create(
        self,
        *,
        name: Localized,
        branch_id: Id,
        description: Localized | None = None,
        status: bool | None = None,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Category]]:
        """Create a category."""
        return write(
            "POST",
            "/categories",
            DataResponse[Category],
            idempotency_key,
            name=name,
            branch_id=branch_id,
            description=description,
            status=status,
        )

    @Operation
    def update(
        self,
        category_id: Id,
        *,
        name: Localized | UnsetType = UNSET,
        description: Localized | UnsetType | None = UNSET,
        status: bool | UnsetType = UNSET,
        version: int | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[Category]]:
        """Update a category. Omitted fields keep their value; None clears a field."""
        return patch(
            path("/categories/{}", category_id),
            DataResponse[Category],
            idempotency_key,
            name=name,
            description=description,
            status=status,
            version=version,
        )

    @Operation
    def delete(
        self,
        category_id: Id,
        *,
        idempotency_key: str | None = None,
    ) -> ApiRequest[DataResponse[None]]:
        """Delete a category without items."""
        return write(
            "DELETE",
            path("/categories/{}", category_id),
            DataResponse[None],
            idempotency_key,
        )

    @Operation
    def move(
        self, category_id: Id, *, before: Id | None = None, idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[Category]]:
        """Move a category before another one, or to the end."""
        at = path("/categories/{}/move", category_id)
        return write("POST", at, DataResponse[Category], idempotency_key, before=before)
