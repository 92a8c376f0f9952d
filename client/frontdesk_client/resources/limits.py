"""Limits."""

from frontdesk_client.models import DataResponse, Limits
from frontdesk_client.operations import Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, read


class LimitsOfClient(Resource[TransportT]):
    @Operation
    def get(self) -> ApiRequest[DataResponse[Limits]]:
        """Read the limits of this client and its business, and how much of each is used."""
        return read("/limits", DataResponse[Limits])
