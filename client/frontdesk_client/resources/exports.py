"""Exports of all records of some resources."""

from collections.abc import Sequence

from frontdesk_client.models import DataResponse, ExportedRecord, ExportedResource, Id, RecordExport
from frontdesk_client.operations import LinesOperation, Operation, Resource, TransportT
from frontdesk_client.request import ApiRequest, path, read, write


class Exports(Resource[TransportT]):
    @Operation
    def create(
        self, *, resources: Sequence[ExportedResource], idempotency_key: str | None = None
    ) -> ApiRequest[DataResponse[RecordExport]]:
        """Export all records of some resources, as one state of the business."""
        return write("POST", "/exports", DataResponse[RecordExport], idempotency_key, resources=resources)

    @Operation
    def get(self, export_id: Id) -> ApiRequest[DataResponse[RecordExport]]:
        """Retrieve an export. Once it is done, its `url` has the records, a JSON object a line."""
        return read(path("/exports/{}", export_id), DataResponse[RecordExport])

    @LinesOperation
    def records(self, export_id: Id) -> ApiRequest[ExportedRecord]:
        """The records of an export that is done, while its file arrives."""
        return read(path("/exports/{}/records", export_id), ExportedRecord)
