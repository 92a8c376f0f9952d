"""Where the link of an invitation leads: become a member, with a sign-in of one's own or a new one."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.auth.accept_invitation import accept_as_existing_user, accept_with_password, get_pending_invitation
from frontdesk.auth.session_queries import update_language
from frontdesk.auth.sessions import SignInAttempt, choose_tenant, open_session
from frontdesk.errors import invalid
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.ui.auth.sign_in import known_device, set_session_cookie
from frontdesk.ui.settings.members import ROLES
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Token = Annotated[str, Meta(max_length=200)]


class InvitationLink(msgspec.Struct):
    token: Token = ""


class JoinForm(msgspec.Struct):
    token: Token
    name: Annotated[str, Meta(max_length=200)] = ""
    password: Secret | None = None


@pages.get("/invitation", PUBLIC)
async def show_invitation(context: PageContext, query: InvitationLink | None = None) -> Response:
    token = query.token if query else context.form.value("token")
    async with context.connection() as conn:
        offer = await get_pending_invitation(conn, token)
    return context.render("invitation.html", offer=offer, token=token, role=ROLES[offer.role])


@pages.post("/invitation", PUBLIC, on_error=show_invitation)
async def submit_invitation(context: PageContext, form: JoinForm) -> Response:
    async with context.connection() as conn:
        offer = await get_pending_invitation(conn, form.token)
        if context.session is not None:
            await accept_as_existing_user(conn, offer, context.user.id, context.user.email)
            await choose_tenant(conn, context.session, offer.tenant_id)
            return context.redirect("/")
    if form.password is None:
        raise invalid({"password": ["must not be empty"]})
    call = context.request
    attempt = SignInAttempt(
        offer.email,
        form.password.text,
        keep=False,
        address=call.address,
        user_agent=call.header(b"user-agent") or "",
        device=known_device(context, offer.email),
    )
    user_id = await accept_with_password(context.connection, offer, attempt, form.name)
    async with context.connection() as conn:
        await update_language(conn, user_id, context.language)
        token = await open_session(conn, user_id, attempt, at=offer.tenant_id)
    set_session_cookie(context, token, offer.email, kept=False)
    return context.redirect("/")
