"""Becoming a developer: an account, and a sandbox of one's own whose credentials are shown once."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.applications.queries.applications import find_developer, list_own_applications
from frontdesk.auth.session_queries import update_language
from frontdesk.auth.sessions import Attempt, find_signed_in, open_session
from frontdesk.auth.users import ready_user
from frontdesk.demo_data.create import Sandbox
from frontdesk.demo_data.developer import become_developer, sign_up_developer, spend_sign_up
from frontdesk.errors import Code, WireError
from frontdesk.http.field_types import Secret, ShortText
from frontdesk.http.responses import Answer
from frontdesk.ui.auth.sign_in import enter
from frontdesk.ui.developer.labels import STATUSES
from frontdesk.ui.settings.first_call import first_call
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.cookies import SESSION, THEME
from frontdesk.ui.shell.i18n import mark
from frontdesk.ui.shell.permissions import EVERYBODY, SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()
HOME = "/developer"
_CLOSED = mark("Nobody can sign up as a developer here. Ask the operator of this service.")


class SignUpForm(msgspec.Struct):
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    name: ShortText
    company: ShortText
    password: Secret


class JoinForm(msgspec.Struct):
    company: ShortText


@pages.get("/developers/sign-up", EVERYBODY)
async def show_sign_up(visit: Visit) -> Answer:
    _require_open(visit)
    if visit.signed_in is not None:
        return visit.go(HOME)
    return visit.show("developer_sign_up.html")


@pages.post("/developers/sign-up", EVERYBODY, again=show_sign_up)
async def take_sign_up(visit: Visit, form: SignUpForm) -> Answer:
    _require_open(visit)
    call = visit.call
    attempt = Attempt(form.email, "", keep=False, address=call.address, user_agent=call.header(b"user-agent") or "")
    async with visit.connection() as conn:
        await spend_sign_up(conn, form.company, call.address)
    new = await ready_user(form.email, form.name, form.password.text, own=(form.company,))
    async with visit.connection() as conn:
        user_id, sandbox = await sign_up_developer(conn, new, form.company)
        await update_language(conn, user_id, visit.language)
        token = await open_session(conn, user_id, attempt)
        signed_in = await find_signed_in(conn, token, call.address)
    enter(visit, token, form.email, kept=False)
    cookies = {SESSION: token} | ({THEME: visit.theme} if visit.theme else {})
    return _tell_sandbox(Visit(call, cookies, signed_in), sandbox)


@pages.get(HOME, SIGNED_IN)
async def show_own(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        developer = await find_developer(conn, visit.person.id)
        if developer is None:
            return visit.show("developer_join.html", is_open=visit.call.resources.settings.developer_sign_up)
        applications = await list_own_applications(conn, visit.person.id)
    return visit.show("developer.html", developer=developer, applications=applications, statuses=STATUSES)


@pages.post(f"{HOME}/join", SIGNED_IN, again=show_own)
async def join(visit: Visit, form: JoinForm) -> Answer:
    _require_open(visit)
    async with visit.connection() as conn:
        await spend_sign_up(conn, form.company, visit.call.address)
        sandbox = await become_developer(conn, visit.person.id, form.company)
    return _tell_sandbox(visit, sandbox)


def _require_open(visit: Visit) -> None:
    if not visit.call.resources.settings.developer_sign_up:
        raise WireError(Code.INSUFFICIENT_SCOPE, _CLOSED)


def _tell_sandbox(visit: Visit, sandbox: Sandbox) -> Answer:
    curl = first_call(visit.call.origin, sandbox.client_id, sandbox.client_secret, ["orders:read"])
    return visit.show("developer_ready.html", sandbox=sandbox, curl=curl)
