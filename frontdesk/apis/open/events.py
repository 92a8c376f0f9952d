from typing import Annotated

from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code
from frontdesk.http.endpoints import Operations
from frontdesk.http.pagination import PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer
from frontdesk.webhooks.documents import Event
from frontdesk.webhooks.event_types import READ_SCOPE, Kind, readable_kinds
from frontdesk.webhooks.queries import list_events
from frontdesk.webhooks.types import EventFilter

operations = Operations()

Sequence = Annotated[int, Meta(ge=0, le=2**63 - 1)]


class EventQuery(PageQuery, kw_only=True):
    after: Sequence | None = None
    type: Kind | None = None


@operations.get("/events", answer=PageOf[Event], errors=[Code.INSUFFICIENT_SCOPE])
async def get_events(call: Call, query: EventQuery) -> Answer:
    """List the events of the last 30 days that this token may read, in the order of their sequence."""
    scopes = call.caller.scopes
    if query.type is not None and (scope := READ_SCOPE[query.type]) is not None:
        require_scope(call, scope)
    kinds = readable_kinds(scopes) if query.type is None else [query.type]
    filter_ = EventFilter(query.after or 0, kinds, contacts=Scope.CUSTOMERS_READ in scopes)
    async with call.connection() as conn:
        page = await list_events(conn, call.caller.tenant_id, call.caller.id, filter_, query.request())
    return list_answer(call, query, page)
