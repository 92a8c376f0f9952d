"""All calendar feeds and other calendars of the business, and what the feeds show."""

import msgspec

from frontdesk.calendar_sync.feed_queries import get_calendar_settings
from frontdesk.calendar_sync.feeds import SaveCalendarSettings
from frontdesk.calendar_sync.types import CustomerNames
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS, OWNERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
PATH = "/settings/calendars"
CUSTOMER_NAMES = {
    "full": N_("The whole name"),
    "short": N_("The first name and an initial"),
    "none": N_("No name, only the service"),
}


class SettingsForm(msgspec.Struct):
    version: int
    customer_names: CustomerNames


@pages.get(PATH, MANAGERS)
async def show_calendar_settings(context: PageContext) -> Response:
    found = await context.fetch(get_calendar_settings())
    may_change = context.has_access(OWNERS)
    return context.render("calendar_settings.html", found=found, names=CUSTOMER_NAMES, may_change=may_change)


@pages.post(PATH, OWNERS, on_error=show_calendar_settings)
async def change_calendar_settings(context: PageContext, form: SettingsForm) -> Response:
    await context.run(SaveCalendarSettings(form.customer_names, form.version))
    return context.redirect(PATH, flash=N_("Saved."))
