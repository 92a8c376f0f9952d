from typing import Annotated

from msgspec import Meta

from frontdesk.access.scopes import Scope
from frontdesk.errors import Code
from frontdesk.events.documents import Event
from frontdesk.events.kinds import READ_SCOPE, Kind, readable_kinds
from frontdesk.events.queries import list_events
from frontdesk.events.types import EventFilter
from frontdesk.open_api.guard import require_scope
from frontdesk.web.answers import Answer
from frontdesk.web.call import Call
from frontdesk.web.pages import PageOf, PageQuery, list_answer
from frontdesk.web.surface import Operations

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
