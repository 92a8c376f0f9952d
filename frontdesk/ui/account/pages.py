"""Somebody's own sign-in: their password, and where they are signed in."""

from uuid import UUID

import msgspec

from frontdesk.auth.session_queries import end_sessions, list_sessions
from frontdesk.auth.sessions import change_own_password, end_own_session
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Answer
from frontdesk.ui.account.devices import describe_device
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_HERE = "/settings/account"


class PasswordForm(msgspec.Struct):
    current_password: Secret
    new_password: Secret


@pages.get(_HERE, SIGNED_IN)
async def show_account(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        sessions = await list_sessions(conn, visit.person.id)
    devices = [(session, describe_device(session.user_agent)) for session in sessions]
    return visit.show("account.html", devices=devices)


@pages.get("/settings", SIGNED_IN)
async def show_settings(visit: Visit) -> Answer:
    """The first of them that is open to this role."""
    return visit.go(visit.settings[0][0].path)


@pages.post(f"{_HERE}/password", SIGNED_IN, again=show_account)
async def change_password(visit: Visit, form: PasswordForm) -> Answer:
    if visit.signed_in is not None:
        current, new = form.current_password.text, form.new_password.text
        await change_own_password(visit.connection, visit.signed_in, current, new)
    return visit.go(_HERE, done=mark("Password changed. Every other device is signed out."))


@pages.post(f"{_HERE}/sessions/{{session_id}}/end", SIGNED_IN)
async def end_one(visit: Visit, session_id: UUID) -> Answer:
    async with visit.connection() as conn:
        await end_own_session(conn, visit.person.id, session_id)
    return visit.go(_HERE, done=mark("That device is signed out."))


@pages.post(f"{_HERE}/sessions/end-others", SIGNED_IN)
async def end_others(visit: Visit) -> Answer:
    if visit.signed_in is not None:
        async with visit.connection() as conn:
            await end_sessions(conn, visit.person.id, but=visit.signed_in.session_id)
    return visit.go(_HERE, done=mark("Every other device is signed out."))
