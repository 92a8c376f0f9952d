"""What a member chooses on the page of reports: favorites, and the month by mail; and the last month as a PDF."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found, or_not_found
from frontdesk.reports.monthly import last_month, read_month
from frontdesk.reports.monthly_file import draw_month, file_name
from frontdesk.reports.settings import SaveReportSettings
from frontdesk.runtime.slow_work import PDFS
from frontdesk.ui.reports.pages import REPORTS
from frontdesk.ui.reports.view import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class FavoriteForm(msgspec.Struct):
    """One of two buttons, whose value is the report."""

    add: Annotated[str, Meta(max_length=40)] | None = None
    remove: Annotated[str, Meta(max_length=40)] | None = None
    back: Annotated[str, Meta(max_length=2000)] = PATH


class MailForm(msgspec.Struct):
    mailed: Literal["yes", "no"]


@pages.post(f"{PATH}/favorites", MANAGERS)
async def choose_favorite(context: PageContext, form: FavoriteForm) -> Response:
    chosen = form.add or form.remove
    if chosen not in REPORTS:
        raise not_found("report")
    await context.run(SaveReportSettings(context.user.id, favorite=chosen, is_favorite=form.add is not None))
    return context.redirect(f"{local_path(form.back)}#reports")


@pages.post(f"{PATH}/monthly", MANAGERS)
async def choose_mail(context: PageContext, form: MailForm) -> Response:
    is_mailed = form.mailed == "yes"
    await context.run(SaveReportSettings(context.user.id, is_mailed=is_mailed))
    flash = (
        N_("You will get the monthly report by mail.")
        if is_mailed
        else N_("You no longer get the monthly report by mail.")
    )
    return context.redirect(f"{PATH}#monthly", flash=flash)


@pages.get(f"{PATH}/monthly.pdf", MANAGERS)
async def show_last_month(context: PageContext) -> Response:
    month = last_month(context.format.today)
    report = await context.request.read_slowly(
        context.tenant_id, lambda conn: read_month(conn, context.tenant_id, context.user.id, month)
    )
    report = or_not_found(report, "report")
    async with PDFS.turn(context.tenant_id):
        pdf = await draw_month(report)
    headers = {"content-type": "application/pdf", "content-disposition": f'inline; filename="{file_name(report)}"'}
    return Response(pdf, 200, {**headers, "cache-control": "no-store"})
