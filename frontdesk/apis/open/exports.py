import asyncio
import gzip
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from frontdesk.apis.open.authentication import require_scope
from frontdesk.auth.customer_reads import EVERYONE, ShownFields
from frontdesk.exports.create import SCOPES, CreateExport
from frontdesk.exports.documents import ExportedRecord, ExportedResource, RecordExport
from frontdesk.exports.record_queries import export_to_send, get_export, read_part
from frontdesk.http.endpoints import EndpointDocs, Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, StreamedResponse, data_response
from frontdesk.problems import not_found

operations = Endpoints()

LINES = "application/jsonl"


class ExportCreate(msgspec.Struct):
    resources: Annotated[list[ExportedResource], Meta(min_length=1, max_length=20)]


async def _complete(request: Request, act: CreateExport) -> CreateExport:
    _require_scopes(request, act.resources)
    return replace(act, origin=request.origin)


def _require_scopes(request: Request, resources: Iterable[ExportedResource]) -> None:
    for resource in resources:
        require_scope(request, SCOPES[resource])


@operations.post(
    "/exports",
    response=DataResponse[RecordExport],
    status=201,
    creates="export",
    prepare=_complete,
    errors=[Code.INSUFFICIENT_SCOPE, Code.VALIDATION_ERROR, Code.EXPORT_LIMIT_REACHED],
)
def create_export(body: ExportCreate) -> CreateExport:
    """Export all records of some resources.

    The file is written in the background from one state of the business. It has the changes of all events up to
    `sequence`; `GET /events?after=` that number goes on from there. Each resource needs the scope that reads it.
    """
    return CreateExport(body.resources)


@operations.get("/exports/{id}", response=DataResponse[RecordExport], errors=[Code.NOT_FOUND])
async def retrieve_export(request: Request, uuid: UUID) -> Response:
    """Retrieve an export of this client; it is kept for a day."""
    return data_response(await request.fetch(get_export(uuid)))


@operations.get(
    "/exports/{id}/records",
    errors=[Code.NOT_FOUND, Code.INSUFFICIENT_SCOPE, Code.BUDGET_EXCEEDED],
    docs=EndpointDocs(media=(LINES,), line=ExportedRecord),
)
async def download_export(request: Request, uuid: UUID) -> Response:
    """Download the records of an export that is done: a JSON object a line, with `resource` and `record`.

    A record has the form of its events. Resources follow one another in the order in which they refer to each other.
    """
    export = await request.fetch(export_to_send(uuid))
    _require_scopes(request, export.resources)
    if export.status != "done":
        raise not_found("file: the export is not done")
    request.customers = {fields: {EVERYONE} for fields in _shown_of_everyone(export.resources)}
    counted = [name for name in export.resources if SCOPES[name] in request.caller.budgeted_scopes]
    if counted:
        request.extra_scopes.update(await _count(request, uuid, export.parts, counted))
    headers = {"content-disposition": f'attachment; filename="{uuid}.jsonl"', "cache-control": "no-store"}
    return StreamedResponse(_lines(request, uuid, export.parts), headers, LINES)


def _shown_of_everyone(resources: Collection[ExportedResource]) -> Iterator[ShownFields]:
    if ExportedResource.CUSTOMERS in resources or ExportedResource.ORDERS in resources:
        yield ShownFields.CONTACT
    if ExportedResource.ORDERS in resources:
        yield ShownFields.ORDERS


async def _count(
    request: Request, export_id: UUID, parts: int, resources: Collection[ExportedResource]
) -> Counter[str]:
    """The records that the business counts, by scope. Nothing was sent yet."""
    request.take_time()  # a large file is read twice
    found: Counter[str] = Counter()
    async for lines in _lines(request, export_id, parts):
        for resource in resources:
            found[SCOPES[resource]] += await asyncio.to_thread(lines.count, b'{"resource":"%s",' % resource.encode())
    return found


async def _lines(request: Request, export_id: UUID, parts: int) -> AsyncIterator[bytes]:
    for number in range(1, parts + 1):
        async with request.connection() as conn:
            content = await read_part(conn, request.caller.tenant_id, export_id, number)
        if content is None:
            raise RuntimeError("the export was deleted while it was sent")
        yield await asyncio.to_thread(gzip.decompress, content)
