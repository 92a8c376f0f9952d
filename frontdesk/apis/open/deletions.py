from datetime import UTC, datetime
from uuid import UUID

import msgspec

from frontdesk.apis.open.authentication import require_scope
from frontdesk.apis.open.changes import begin_reading
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import DateTimeInput
from frontdesk.http.pagination import PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.webhooks.deletions import DeletedResource, Deletion, list_deletions

operations = Endpoints()

_ALWAYS = DateTimeInput(datetime(1970, 1, 1, tzinfo=UTC))


class DeletionQuery(PageQuery, kw_only=True):
    since: DateTimeInput | None = None
    after: UUID | None = None
    resource: DeletedResource | None = None


class _Deleted(msgspec.Struct):
    id: UUID
    deleted_at: str


_deleted = msgspec.json.Decoder(list[_Deleted])


@operations.get("/deletions", response=PageResponse[Deletion], errors=[Code.INSUFFICIENT_SCOPE])
async def list_deleted_records(request: Request, query: DeletionQuery) -> Response:
    """List what was deleted, merged into another record or erased, the earliest first.

    Only kinds of records whose scope the token has are listed.
    """
    since, next_since = await begin_reading(request, query, query.since or _ALWAYS, query.after, "since")
    if query.resource is not None:
        require_scope(request, query.resource.scope)
    kinds = [query.resource] if query.resource is not None else list(DeletedResource)
    readable = [kind for kind in kinds if kind.scope in request.caller.scopes]
    page = await request.fetch(list_deletions(readable, since, query.request()))
    last = _deleted.decode(page.documents)
    beyond = {"since": last[-1].deleted_at, "after": str(last[-1].id)} if last else None
    return list_response(request, query, page, beyond, next_since)
