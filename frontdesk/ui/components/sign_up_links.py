"""The mailed link with which a sign-up of a business or a developer goes on: sent, opened, the password asked for."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.sign_up_links import SignUpRequest, mail_sign_up_link, open_sign_up_link
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.ui.shell.context import PageContext


class FinishQuery(msgspec.Struct):
    token: Annotated[str, Meta(max_length=4000)] = ""


class FinishForm(msgspec.Struct):
    token: Annotated[str, Meta(max_length=4000)]
    password: Secret | None = None


def can_mail(context: PageContext) -> bool:
    return context.request.resources.settings.smtp is not None


async def send_link(context: PageContext, path: str, asked: SignUpRequest) -> Response:
    """`path` is that of the sign-up; the page with the password is below it."""
    box = context.request.resources.secret_box
    await mail_sign_up_link(context.connection, box, f"{path}/finish", asked, context.language)
    return context.render("sign_up_sent.html", email=asked.email, again=path)


def read_link(context: PageContext, path: str, token: str) -> SignUpRequest:
    return open_sign_up_link(context.request.resources.secret_box, f"{path}/finish", token)


def ask_password(context: PageContext, path: str, query: FinishQuery | None, button: str) -> Response:
    """`button` is a text marked for translation."""
    token = query.token if query else context.form.value("token")
    asked = read_link(context, path, token)
    return context.render("sign_up_finish.html", path=f"{path}/finish", token=token, asked=asked, button=button)
