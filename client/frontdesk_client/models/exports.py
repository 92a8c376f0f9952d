"""Exports of all records of some resources."""

from typing import Any
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


class ExportedRecord(msgspec.Struct):
    """A line of the file. The record has the form of its events; amounts are Decimal, ids and times are text."""

    resource: ExportedResource
    record: dict[str, Any]
