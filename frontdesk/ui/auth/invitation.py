"""The page behind an invitation link: become a member with an existing or a new account."""

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
        invitation = await get_pending_invitation(conn, token)
    return context.render("invitation.html", invitation=invitation, token=token, role=ROLES[invitation.role])


@pages.post("/invitation", PUBLIC, on_error=show_invitation)
async def submit_invitation(context: PageContext, form: JoinForm) -> Response:
    async with context.connection() as conn:
        invitation = await get_pending_invitation(conn, form.token)
        if context.session is not None:
            await accept_as_existing_user(conn, invitation, context.user.id, context.user.email)
            await choose_tenant(conn, context.session, invitation.tenant_id)
            return context.redirect("/")
    if form.password is None:
        raise invalid({"password": ["must not be empty"]})
    request = context.request
    attempt = SignInAttempt(
        invitation.email,
        form.password.text,
        remember_me=False,
        address=request.address,
        user_agent=request.header(b"user-agent") or "",
        device=known_device(context, invitation.email),
    )
    user_id = await accept_with_password(context.connection, invitation, attempt, form.name)
    async with context.connection() as conn:
        await update_language(conn, user_id, context.language)
        token = await open_session(conn, user_id, attempt, at=invitation.tenant_id)
    set_session_cookie(context, token, invitation.email, remember_me=False)
    return context.redirect("/")
