"""The calendar elsewhere that makes a staff member busy: its address, "fetch now", and removing it."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.calendar_sync.external_calendar import DeleteExternalCalendar, SaveExternalCalendar, read_address
from frontdesk.calendar_sync.external_calendar_queries import calendars_of, fetch_soon
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.net.safe_url import UrlRejected, validate_url
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.ui.calendar_sync.feed_forms import VersionForm
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import TIME_OFF_REQUESTERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.pages import PATH, check_may_see_card, show_card

pages = Pages()
_NOT_PUBLIC = N_("This address is not on the public Internet.")


class ExternalCalendarForm(msgspec.Struct):
    address: Annotated[str, Meta(max_length=2000)] = ""
    version: int | None = None


@pages.post(f"{PATH}/{{staff_id}}/outside-calendar", TIME_OFF_REQUESTERS, on_error=show_card)
async def set_external_calendar(context: PageContext, staff_id: UUID, form: ExternalCalendarForm) -> Response:
    check_may_see_card(context, staff_id)
    address, target = read_address(form.address)
    resources = context.request.resources
    try:
        await validate_url(address, resources.dns.resolve, allow_private=resources.settings.webhook_allow_private)
    except UrlRejected:
        raise page_problem(_NOT_PUBLIC, "address") from None
    encrypted = resources.secret_box.encrypt(address.encode())
    await context.run(SaveExternalCalendar(staff_id, target.host, encrypted, form.version))
    return context.redirect(f"{PATH}/{staff_id}#calendars", flash=N_("Saved. The calendar is being read."))


@pages.post(f"{PATH}/{{staff_id}}/outside-calendar/fetch", TIME_OFF_REQUESTERS)
async def fetch_now(context: PageContext, staff_id: UUID) -> Response:
    """The worker fetches it: an answer from elsewhere may take long."""
    check_may_see_card(context, staff_id)
    async with context.connection() as conn:
        calendars = await fetch(conn, context.tenant_id, calendars_of(staff_id))
        if calendars.external is None:
            raise not_found("calendar")
        is_soon = await fetch_soon(conn, context.tenant_id, staff_id)
    flash = N_("The calendar is read within a few seconds.")
    if not is_soon:
        flash = N_("The calendar was read less than a minute ago. Try again in a minute.")
    return context.redirect(f"{PATH}/{staff_id}#calendars", flash=flash)


@pages.post(f"{PATH}/{{staff_id}}/outside-calendar/delete", TIME_OFF_REQUESTERS, on_error=show_card)
async def remove_external_calendar(context: PageContext, staff_id: UUID, form: VersionForm) -> Response:
    check_may_see_card(context, staff_id)
    await context.run(DeleteExternalCalendar(staff_id, form.version))
    return context.redirect(f"{PATH}/{staff_id}#calendars", flash=N_("The other calendar is removed."))
