"""A forgotten password: asking for a link, and the page behind it that sets a new password."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.password_reset import get_reset, request_reset, reset_password
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/reset-password"
Token = Annotated[str, Meta(max_length=200)]


class RequestForm(msgspec.Struct):
    email: Annotated[str, Meta(min_length=1, max_length=320)]


class ResetQuery(msgspec.Struct):
    token: Token = ""


class ResetForm(msgspec.Struct):
    token: Token
    password: Secret


@pages.get("/forgot-password", PUBLIC)
async def show_request(context: PageContext) -> Response:
    return context.render("forgot_password.html", sent=False)


@pages.post("/forgot-password", PUBLIC, on_error=show_request)
async def submit_request(context: PageContext, form: RequestForm) -> Response:
    """The same answer whether there is an account or not."""
    await request_reset(context.connection, context.request.resources.secret_box, form.email, context.request.address)
    return context.render("forgot_password.html", sent=True)


@pages.get(_PATH, PUBLIC)
async def show_reset(context: PageContext, query: ResetQuery | None = None) -> Response:
    token = query.token if query else context.form.value("token")
    link = await context.call(get_reset, token)
    return context.render("reset_password.html", link=link, token=token)


@pages.post(_PATH, PUBLIC, on_error=show_reset)
async def submit_reset(context: PageContext, form: ResetForm) -> Response:
    await reset_password(context.connection, form.token, form.password.text, context.request.address)
    return context.redirect("/sign-in", flash=N_("Your password is changed. Sign in with it."))
