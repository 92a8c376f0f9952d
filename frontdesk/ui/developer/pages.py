"""Developer sign-up: an account and a sandbox, whose credentials are shown once."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.email_verification import mail_verification
from frontdesk.accounts.session_queries import update_language
from frontdesk.accounts.sessions import SignInAttempt, find_signed_in, open_session
from frontdesk.accounts.sign_up_links import SignUpRequest, prepare_linked_user
from frontdesk.accounts.users import PreparedUser, prepare_user, user_problems
from frontdesk.applications.queries.applications import find_developer, list_developer_applications
from frontdesk.demo_data.create import Sandbox
from frontdesk.demo_data.developer import become_developer, consume_sign_up, sign_up_developer
from frontdesk.http.field_types import Secret, ShortText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import raise_all
from frontdesk.ui.components.application_labels import STATUSES
from frontdesk.ui.components.curl_examples import client_curl_example
from frontdesk.ui.components.device_cookies import set_session_cookie
from frontdesk.ui.components.sign_up_links import FinishForm, FinishQuery, ask_password, can_mail, read_link, send_link
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import SESSION, THEME
from frontdesk.ui.shell.permissions import PUBLIC, SIGNED_IN
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages

pages = Pages()
HOME = "/developer"
_PATH = "/developers/sign-up"
_FINISH = f"{_PATH}/finish"
_CLOSED = N_("Developer sign-up is closed. Ask the operator of this service.")


class SignUpForm(msgspec.Struct):
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    name: ShortText
    company: ShortText
    password: Secret | None = None


class JoinForm(msgspec.Struct):
    company: ShortText


@pages.get(_PATH, PUBLIC)
async def show_sign_up(context: PageContext) -> Response:
    _require_open(context)
    if context.session is not None:
        return context.redirect(HOME)
    return context.render("developer_sign_up.html", mails=can_mail(context))


@pages.post(_PATH, PUBLIC, on_error=show_sign_up)
async def submit_sign_up(context: PageContext, form: SignUpForm) -> Response:
    """As for a business: where mail can be sent, a link goes on, and the page says the same for every address."""
    _require_open(context)
    request = context.request
    password = form.password.text if form.password else ""
    asked = None if can_mail(context) else password
    problems = user_problems(form.email, form.name, asked, (form.company,))
    await context.call(consume_sign_up, form.company, request.address)
    raise_all(problems)
    if can_mail(context):
        return await send_link(context, _PATH, SignUpRequest(form.email, form.name, {"company": form.company}))
    new = await prepare_user(form.email, form.name, password, own=(form.company,))
    return await _create(context, new, form.company, proven=False)


@pages.get(_FINISH, PUBLIC)
async def show_finish(context: PageContext, query: FinishQuery | None = None) -> Response:
    _require_open(context)
    return ask_password(context, _PATH, query, N_("Sign up"))


@pages.post(_FINISH, PUBLIC, on_error=show_finish)
async def submit_finish(context: PageContext, form: FinishForm) -> Response:
    _require_open(context)
    asked = read_link(context, _PATH, form.token)
    company, password = asked.fields["company"], form.password.text if form.password else ""
    new = await prepare_linked_user(context.connection, asked, password, context.request.address, (company,))
    return await _create(context, new, company, proven=True)


async def _create(context: PageContext, new: PreparedUser, company: str, *, proven: bool) -> Response:
    request = context.request
    attempt = SignInAttempt(
        new.email, "", remember_me=False, address=request.address, user_agent=request.header(b"user-agent") or ""
    )
    async with context.connection() as conn:
        user_id, sandbox = await sign_up_developer(conn, new, company, proven=proven)
        await update_language(conn, user_id, context.language)
        if not proven:
            await mail_verification(conn, request.resources.secret_box, user_id)
        token = await open_session(conn, user_id, attempt)
        session = await find_signed_in(conn, token, request.address)
    await set_session_cookie(context, token, user_id, remember_me=False)
    cookies = {SESSION: token} | ({THEME: context.theme} if context.theme else {})
    return _show_sandbox(PageContext(request, cookies, session), sandbox)


@pages.get(HOME, SIGNED_IN)
async def show_applications(context: PageContext) -> Response:
    async with context.connection() as conn:
        developer = await find_developer(conn, context.user.id)
        if developer is None:
            return context.render("developer_join.html", is_open=context.request.resources.settings.developer_sign_up)
        applications = await list_developer_applications(conn, context.user.id)
    return context.render("developer.html", developer=developer, applications=applications, statuses=STATUSES)


@pages.post(f"{HOME}/join", SIGNED_IN, on_error=show_applications)
async def join(context: PageContext, form: JoinForm) -> Response:
    _require_open(context)
    async with context.connection() as conn:
        await consume_sign_up(conn, form.company, context.request.address)
        sandbox = await become_developer(conn, context.user.id, form.company)
    return _show_sandbox(context, sandbox)


def _require_open(context: PageContext) -> None:
    if not context.request.resources.settings.developer_sign_up:
        raise forbidden(_CLOSED)


def _show_sandbox(context: PageContext, sandbox: Sandbox) -> Response:
    origin, api_key = context.request.origin, sandbox.api_key
    curl = client_curl_example(origin, sandbox.client_id, sandbox.client_secret, ["orders:read"], api_key=api_key)
    return context.render("developer_ready.html", sandbox=sandbox, curl=curl)
