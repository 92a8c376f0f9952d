"""The page behind an invitation link: become a member with an existing or a new account."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.accept_invitation import accept_as_existing_user, accept_with_password, get_pending_invitation
from frontdesk.accounts.email_verification import mail_verification
from frontdesk.accounts.session_queries import update_language
from frontdesk.accounts.sessions import SignInAttempt, choose_tenant, open_session
from frontdesk.accounts.sign_in import enter
from frontdesk.auth.types import Account, PendingInvitation
from frontdesk.http.field_types import Secret
from frontdesk.http.problems import ValueProblem
from frontdesk.http.responses import Response
from frontdesk.problems import Problem
from frontdesk.ui.auth.sign_in import entered, sign_in_attempt
from frontdesk.ui.components.device_cookies import set_session_cookie
from frontdesk.ui.components.role_labels import ROLES
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Token = Annotated[str, Meta(max_length=200)]
Proof = Annotated[str, Meta(max_length=500)]


class InvitationLink(msgspec.Struct):
    token: Token = ""
    proof: Proof = ""


class JoinForm(msgspec.Struct):
    token: Token
    proof: Proof = ""
    name: Annotated[str, Meta(max_length=200)] = ""
    password: Secret | None = None


@pages.get("/invitation", PUBLIC)
async def show_invitation(context: PageContext, query: InvitationLink | None = None) -> Response:
    token = query.token if query else context.form.value("token")
    proof = query.proof if query else context.form.value("proof")
    invitation = await context.call(get_pending_invitation, context.request.resources.secret_box, token, proof)
    return context.render(
        "invitation.html", invitation=invitation, token=token, proof=proof, role=ROLES[invitation.role]
    )


@pages.post("/invitation", PUBLIC, on_error=show_invitation)
async def submit_invitation(context: PageContext, form: JoinForm) -> Response:
    async with context.connection() as conn:
        secret_box = context.request.resources.secret_box
        invitation = await get_pending_invitation(conn, secret_box, form.token, form.proof)
        if context.session is not None:
            await accept_as_existing_user(
                conn, invitation, context.user.id, context.user.email, context.request.address
            )
            await choose_tenant(conn, context.session, invitation.tenant_id)
            return context.redirect("/")
    if form.password is None:
        raise Problem(ValueProblem.EMPTY, "password")
    attempt = sign_in_attempt(context, invitation.email, form.password.text, remember_me=False)
    joined = await accept_with_password(context.connection, secret_box, invitation, attempt, form.name)
    if joined.account is not None:
        return await _enter_account(context, joined.account, attempt, invitation)
    async with context.connection() as conn:
        await update_language(conn, joined.user_id, context.language)
        if not invitation.proves_email:
            await mail_verification(conn, secret_box, joined.user_id)
        token = await open_session(conn, joined.user_id, attempt, at=invitation.tenant_id)
    await set_session_cookie(context, token, joined.user_id, remember_me=False)
    return context.redirect("/")


async def _enter_account(
    context: PageContext, account: Account, attempt: SignInAttempt, invitation: PendingInvitation
) -> Response:
    async with context.connection() as conn:
        await update_language(conn, account.id, context.language)
        entry = await enter(conn, context.request.resources.secret_box, account, attempt, "/", at=invitation.tenant_id)
    response = await entered(context, entry, attempt, "/")
    return response if entry.is_pending else context.redirect("/")
