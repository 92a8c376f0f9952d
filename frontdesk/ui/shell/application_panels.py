"""What installed applications add to pages: panels, and the data that they store with a record for themselves."""

import time
from collections.abc import Sequence
from uuid import UUID

from frontdesk.applications.panels import Panel, PanelContext, open_panel
from frontdesk.applications.queries.panels import Place, list_panels
from frontdesk.applications.queries.stored_data import StoredData, list_stored_data
from frontdesk.custom_data.types import Kind
from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.ids import uuid7


async def find_panels(context: PageContext, conn: Connection, place: Place, record_id: UUID) -> list[Panel]:
    sources = await fetch(conn, context.tenant_id, list_panels(place))
    shown = PanelContext(context.tenant_id, place, record_id, context.user.id, context.role.value, context.language)
    box, now = context.request.resources.secret_box, int(time.time())  # as the application's own clock says
    return [open_panel(source, shown, box, f"panel_{uuid7().hex}", now) for source in sources]


async def find_stored_data(context: PageContext, conn: Connection, kind: Kind, record_id: UUID) -> Sequence[StoredData]:
    """For those who decide which applications are connected."""
    if not context.is_manager:
        return ()
    return await fetch(conn, context.tenant_id, list_stored_data(kind, record_id))


def allow_frames(response: Response, panels: Sequence[Panel]) -> Response:
    """Only of the pages that are shown: no other address can be framed."""
    if panels:
        origins = " ".join(sorted({panel.origin for panel in panels}))
        response.headers["content-security-policy"] += f"; frame-src {origins}"
    return response
