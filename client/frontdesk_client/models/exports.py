"""Exports of all records of some resources."""

from uuid import UUID

import msgspec

from frontdesk_client.models.values import ExportedResource, ExportStatus


class RecordExport(msgspec.Struct):
    id: UUID
    status: ExportStatus
    resources: list[ExportedResource]
    sequence: int  # go on with the events after it
    records: int
    url: str
    created_at: str
    finished_at: str | None
    expires_at: str
