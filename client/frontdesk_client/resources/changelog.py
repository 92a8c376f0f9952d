"""What changed in the API for this client."""

from frontdesk_client.models import ClientChangelogEntry, DataResponse
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, read


class Changelog(Resource[TransportT]):
    @Operation
    def me(self, *, since: str | None = None) -> ApiRequest[DataResponse[list[ClientChangelogEntry]]]:
        """List the changes that concern the calls that this client has made and the events that it gets."""
        return read("/changelog/me", DataResponse[list[ClientChangelogEntry]], since=since)
