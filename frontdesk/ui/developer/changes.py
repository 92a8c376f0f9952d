"""What changed in the Open API of what an application calls at businesses, and of the events that it gets."""

from uuid import UUID

from frontdesk.applications.edit import get_developer_application
from frontdesk.applications.queries.uses import find_application_uses
from frontdesk.changelog.of_client import later_changes
from frontdesk.http.responses import Response
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()


@pages.get("/developer/applications/{application_id}/changes", SIGNED_IN)
async def show_changes(context: PageContext, application_id: UUID) -> Response:
    async with context.connection() as conn:
        application = await get_developer_application(conn, context.user.id, application_id)
        uses = await find_application_uses(conn, application_id)
    return context.render("developer_changes.html", application=application, entries=later_changes(uses))
