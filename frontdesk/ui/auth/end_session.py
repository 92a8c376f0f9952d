"""The page behind the link of a new-device notice: it ends that session, and no other."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.device_names import describe_device
from frontdesk.accounts.sign_in import end_noticed_session, get_noticed_session
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/end-session"


class SessionLink(msgspec.Struct):
    token: Annotated[str, Meta(max_length=500)] = ""


@pages.get(_PATH, PUBLIC)
async def show_session(context: PageContext, query: SessionLink) -> Response:
    _, session = await context.call(get_noticed_session, context.request.resources.secret_box, query.token)
    device = describe_device(session.user_agent)
    return context.render("end_session.html", session=session, device=device, token=query.token)


@pages.post(_PATH, PUBLIC)
async def end_session(context: PageContext, form: SessionLink) -> Response:
    """Who signed in knows the password, so a new one comes next."""
    await context.call(end_noticed_session, context.request.resources.secret_box, form.token)
    return context.redirect("/forgot-password", flash=N_("That device is signed out. Now choose a new password."))
