"""Search over several kinds of records."""

from frontdesk_client.models import DataResponse, SearchResults
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, read


class Search(Resource[TransportT]):
    @Operation
    def find(self, q: str, *, limit: int | None = None) -> ApiRequest[DataResponse[SearchResults]]:
        """Search customers, orders, items and staff. A kind that the token has no scope to read is None."""
        return read("/search", DataResponse[SearchResults], q=q, limit=limit)
