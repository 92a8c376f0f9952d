"""A business reports an application to the operator of the service."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.applications.install import get_installable_application
from frontdesk.applications.queries.reports import insert_report
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.applications.pages import DIRECTORY
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
_REPORT = f"{DIRECTORY}/{{application_id}}/report"


class ReportForm(msgspec.Struct):
    id: UUID
    words: Annotated[str, Meta(min_length=1, max_length=2000)]


@pages.get(_REPORT, MANAGERS)
async def show_report(context: PageContext, application_id: UUID) -> Response:
    offer = await context.call(get_installable_application, context.tenant_id, application_id)
    return context.render("application_report.html", application=offer.application, id=uuid7())


@pages.post(_REPORT, MANAGERS, on_error=show_report)
async def submit_report(context: PageContext, application_id: UUID, form: ReportForm) -> Response:
    async with context.connection() as conn:
        offer = await get_installable_application(conn, context.tenant_id, application_id)
        business = context.current_tenant.name
        await insert_report(conn, form.id, offer.application.id, business, context.user.name, form.words)
    return context.redirect(DIRECTORY, flash=N_("Sent to the operator of this service. Thank you."))
