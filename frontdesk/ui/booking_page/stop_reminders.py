"""The link that ends reminders, or news: a page with a button, and the one request of mail programs (RFC 8058)."""

import re
from typing import Literal

import msgspec

from frontdesk.http.forms import Fields
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.messages.send import StopReminders
from frontdesk.messages.settings_queries import find_unsubscribe_token
from frontdesk.problems import not_found
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages

_CODE = re.compile("[0-9a-f]{32}")


class OneClickContext(PublicContext):
    def verify_form(self, fields: Fields) -> None:
        """Mail programs send this field from anywhere; the code in the address is what allows it."""
        if fields.get("List-Unsubscribe") == ["One-Click"]:
            return
        if not (self.request.header(b"origin") or self.request.header(b"referer")):
            raise forbidden(N_("This form has expired. Reload the page and submit it again."))
        super().verify_form(fields)


pages = Pages(OneClickContext)
PATH = "/reminders/{slug}/{code}"


class StopForm(msgspec.Struct):
    again: Literal["yes"] | None = None


@pages.get(PATH, PUBLIC)
async def show_reminders(context: OneClickContext, slug: str, code: str) -> Response:
    await context.open_business(slug, must_be_open=False)
    if not _CODE.fullmatch(code):
        raise not_found("page")
    link = await context.fetch(find_unsubscribe_token(code))
    response = context.render("reminders.html", **link._asdict(), path=f"/reminders/{slug}/{code}")
    response.headers["x-robots-tag"] = "noindex, nofollow"
    return response


@pages.post(PATH, PUBLIC)
async def submit_reminders(context: OneClickContext, slug: str, code: str, form: StopForm) -> Response:
    await context.open_business(slug, must_be_open=False)
    await context.run(StopReminders(code, again=form.again is not None))
    return await show_reminders(context, slug, code)
