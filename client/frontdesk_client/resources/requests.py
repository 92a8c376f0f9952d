"""What happened to requests."""

from frontdesk_client.models import DataResponse, RequestReport
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, path, read


class Requests(Resource[TransportT]):
    @Operation
    def find(self, *, idempotency_key: str) -> ApiRequest[DataResponse[RequestReport]]:
        """Find out what became of the request with this key. After a timeout it tells whether the record exists."""
        return read("/requests", DataResponse[RequestReport], idempotency_key=idempotency_key)

    @Operation
    def get(self, request_id: str) -> ApiRequest[DataResponse[RequestReport]]:
        """Read what happened to a request, by the id that its response or error had."""
        return read(path("/requests/{}", request_id), DataResponse[RequestReport])
