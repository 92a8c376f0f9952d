from collections import Counter
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.changes import Position, begin_reading, position
from frontdesk.apis.open.authentication import require_scope
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import DateTimeInput
from frontdesk.http.pagination import PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.values.pagination import Page
from frontdesk.webhooks import queries
from frontdesk.webhooks.deletion_queries import list_deletions
from frontdesk.webhooks.deletions import DeletedResource, Deletion
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.types import EventFilter

operations = Endpoints()

Sequence = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class EventQuery(PageQuery, kw_only=True):
    after: Sequence | None = None
    type: EventType | None = None


@operations.get("/events", response=PageResponse[Event], errors=[Code.INSUFFICIENT_SCOPE, Code.BUDGET_EXCEEDED])
async def list_events(request: Request, query: EventQuery) -> Response:
    """List the events of the last 30 days, in ascending `sequence`.

    Only event types whose scope the token has are listed.
    """
    types = [query.type] if query.type is not None else list(READ_SCOPES)
    found = await request.fetch(queries.list_events(EventFilter(query.after or 0, types), query.request()))
    for scope in READ_SCOPES[query.type] if query.type is not None else ():
        require_scope(request, scope)
    request.extra_scopes.update(
        Counter(scope for event in found.events for scope in READ_SCOPES[EventType(event.type)])
    )
    contacts = Scope.CUSTOMERS_READ in request.caller.scopes
    documents = queries.event_documents(request.caller.tenant_id, found.events, request.origin, contacts=contacts)
    return list_response(request, query, Page(documents, found.total))


class DeletionQuery(PageQuery, kw_only=True):
    since: DateTimeInput | None = None
    after: Position | None = None
    resource: DeletedResource | None = None


class _Deleted(msgspec.Struct):
    id: UUID
    deleted_at: str


_deleted = msgspec.json.Decoder(list[_Deleted])
_EVER = DateTimeInput(datetime(1970, 1, 1, tzinfo=UTC))


@operations.get("/deletions", response=PageResponse[Deletion], errors=[Code.INSUFFICIENT_SCOPE])
async def list_deleted_records(request: Request, query: DeletionQuery) -> Response:
    """List what was deleted, merged into another record or erased, the earliest first.

    Only kinds of records whose scope the token has are listed.
    """
    reading = await begin_reading(request, query, query.since or _EVER, query.after, "since")
    if query.resource is not None:
        require_scope(request, query.resource.scope)
    kinds = [query.resource] if query.resource is not None else list(DeletedResource)
    readable = [kind for kind in kinds if kind.scope in request.caller.scopes]
    page = await request.fetch(list_deletions(readable, reading.since, query.request()))
    last = _deleted.decode(page.documents)
    end = position(last[-1].deleted_at, last[-1].id) if last else None
    return list_response(request, query, page, end, reading.next_since)
