"""The stream of changes that open pages follow (static/live.js)."""

from uuid import UUID

import msgspec

from frontdesk.http.protocol import END_STREAM
from frontdesk.http.responses import EVENT_STREAM, EventStream, Response
from frontdesk.i18n.texts import N_
from frontdesk.live.types import Viewer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_MAX_DIGITS = 18


class LiveQuery(msgspec.Struct):
    after: int = 0  # the last event that the page knows
    business: UUID | None = None  # of the page; another one may be current now, in another window


@pages.get("/live", ANY_ROLE)
async def follow(context: PageContext, query: LiveQuery) -> Response:
    """An event source gets a stream; any other request, of a page that asks from time to time, what has happened."""
    if query.business not in (None, context.tenant_id):
        raise forbidden(N_("Another business is open now. Reload the page."))
    viewer = Viewer(
        context.session_id, context.tenant_id, context.user.id, context.role, context.current_tenant.staff_id
    )
    after = max(query.after, _last_event_id(context))
    request, feed = context.request, context.request.resources.live
    if EVENT_STREAM not in (request.header(b"accept") or "") or request.scope["method"] == "HEAD":
        return Response(await feed.read(viewer, after) or b"\n", 200, {"cache-control": "no-store"}, EVENT_STREAM)
    stream = await feed.open(viewer, after)
    request.scope[END_STREAM] = stream.end
    return EventStream(stream.chunks(request.receive))


def _last_event_id(context: PageContext) -> int:
    """What a browser sends when it connects again by itself."""
    text = context.request.header(b"last-event-id") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else 0
