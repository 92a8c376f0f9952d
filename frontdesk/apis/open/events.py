from typing import Annotated

from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.pagination import PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.values.pagination import Page
from frontdesk.webhooks import queries
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.types import EventFilter

operations = Endpoints()

Sequence = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class EventQuery(PageQuery, kw_only=True):
    after: Sequence | None = None
    type: EventType | None = None


@operations.get("/events", response=PageResponse[Event], errors=[Code.INSUFFICIENT_SCOPE])
async def list_events(request: Request, query: EventQuery) -> Response:
    """List the events of the last 30 days, in ascending `sequence`.

    Only event types whose scope the token has are listed.
    """
    types = [query.type] if query.type is not None else list(READ_SCOPES)
    found = await request.fetch(queries.list_events(EventFilter(query.after or 0, types), query.request()))
    for scope in READ_SCOPES[query.type] if query.type is not None else ():
        require_scope(request, scope)
    contacts = Scope.CUSTOMERS_READ in request.caller.scopes
    documents = queries.event_documents(request.caller.tenant_id, found.events, request.origin, contacts=contacts)
    return list_response(request, query, Page(documents, found.total))
