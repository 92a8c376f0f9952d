"""Where the link of an invitation leads: become a member, with a sign-in of one's own or a new one."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.auth.accept_invitation import get_offer, join_as_known, join_with_password
from frontdesk.auth.session_queries import update_language
from frontdesk.auth.sessions import Attempt, choose_business, open_session
from frontdesk.errors import invalid
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Answer
from frontdesk.ui.auth.sign_in import enter, known_device
from frontdesk.ui.settings.members import ROLES
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.permissions import EVERYBODY
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Token = Annotated[str, Meta(max_length=200)]


class InvitationLink(msgspec.Struct):
    token: Token = ""


class JoinForm(msgspec.Struct):
    token: Token
    name: Annotated[str, Meta(max_length=200)] = ""
    password: Secret | None = None


@pages.get("/invitation", EVERYBODY)
async def show_invitation(visit: Visit, query: InvitationLink | None = None) -> Answer:
    token = query.token if query else visit.value("token")
    async with visit.connection() as conn:
        offer = await get_offer(conn, token)
    return visit.show("invitation.html", offer=offer, token=token, role=ROLES[offer.role])


@pages.post("/invitation", EVERYBODY, again=show_invitation)
async def take_up(visit: Visit, form: JoinForm) -> Answer:
    async with visit.connection() as conn:
        offer = await get_offer(conn, form.token)
        if visit.signed_in is not None:
            await join_as_known(conn, offer, visit.person.id, visit.person.email)
            await choose_business(conn, visit.signed_in, offer.tenant_id)
            return visit.go("/")
    if form.password is None:
        raise invalid({"password": ["must not be empty"]})
    call = visit.call
    attempt = Attempt(
        offer.email,
        form.password.text,
        keep=False,
        address=call.address,
        user_agent=call.header(b"user-agent") or "",
        device=known_device(visit, offer.email),
    )
    user_id = await join_with_password(visit.connection, offer, attempt, form.name)
    async with visit.connection() as conn:
        await update_language(conn, user_id, visit.language)
        token = await open_session(conn, user_id, attempt, at=offer.tenant_id)
    enter(visit, token, offer.email, kept=False)
    return visit.go("/")
