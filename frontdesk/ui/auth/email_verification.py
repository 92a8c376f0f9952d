"""The page behind an e-mail verification link. The link works only for the account it was created for."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.email_verification import verify_by_link
from frontdesk.accounts.user_queries import find_new_email
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class VerificationLink(msgspec.Struct):
    token: Annotated[str, Meta(max_length=200)] = ""


@pages.get("/verify-email", SIGNED_IN)
async def show_verification(context: PageContext, query: VerificationLink | None = None) -> Response:
    token = query.token if query else context.form.value("token")
    waiting = await context.call(find_new_email, context.user.id)
    return context.render("verify_email.html", token=token, email=waiting or context.user.email)


@pages.post("/verify-email", SIGNED_IN, on_error=show_verification)
async def submit_verification(context: PageContext, form: VerificationLink) -> Response:
    await context.call(verify_by_link, context.user.id, form.token)
    return context.redirect("/settings/account", flash=N_("Your e-mail address is verified."))
