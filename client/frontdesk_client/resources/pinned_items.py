"""What stands first at the till."""

from frontdesk_client.models import DataResponse, Id, Page, PinnedItem
from frontdesk_client.operations import ListOperation, Operation, Resource, TransportT
from frontdesk_client.request import MAX_PER_PAGE, ApiRequest, delete, path, read, write


class PinnedItems(Resource[TransportT]):
    @ListOperation
    def list(self, *, per_page: int = MAX_PER_PAGE) -> ApiRequest[Page[PinnedItem]]:
        """List the items and packages that are pinned, in their order."""
        return read("/pinned-items", Page[PinnedItem], per_page=per_page)

    @Operation
    def pin(self, item_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[PinnedItem]]:
        """Pin an item or a package to the top of the till."""
        return write("PUT", path("/pinned-items/{}", item_id), DataResponse[PinnedItem], idempotency_key)

    @Operation
    def unpin(self, item_id: Id, *, idempotency_key: str | None = None) -> ApiRequest[DataResponse[None]]:
        """Take an item or a package from the top of the till."""
        return delete(path("/pinned-items/{}", item_id), idempotency_key)
