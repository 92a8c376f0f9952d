"""What changed in the Open API of what a client calls, and of the events that it gets."""

from uuid import UUID

from frontdesk.auth.clients import get_tenant_client
from frontdesk.changelog.of_client import later_changes
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.webhooks.queries import list_client_uses

pages = Pages()


@pages.get("/settings/api/clients/{client_id}/changes", MANAGERS)
async def show_changes(context: PageContext, client_id: UUID) -> Response:
    async with context.connection() as conn:
        client = await get_tenant_client(conn, context.tenant_id, client_id)
        uses = await fetch(conn, context.tenant_id, list_client_uses(client_id))
    return context.render("client_changes.html", client=client, entries=later_changes(uses))
