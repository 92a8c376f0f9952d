"""Sign-up: a new owner with a new business, where the operator allows it.

Where mail can be sent, the form is the same for every address, and a mailed link asks for the password. Elsewhere the
form asks for it, and says when the address has an account: there is no other way to tell its owner.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.email_verification import mail_verification
from frontdesk.accounts.session_queries import update_language
from frontdesk.accounts.sessions import SignInAttempt, open_session
from frontdesk.accounts.sign_up import SignedUp, consume_sign_up_attempt, is_email_known, is_slug_taken, sign_up
from frontdesk.accounts.sign_up_links import SignUpRequest, prepare_linked_user
from frontdesk.accounts.users import PreparedUser, prepare_user, user_problems
from frontdesk.auth.problems import AccountProblem
from frontdesk.http.field_types import FilterText, Secret
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, raise_all
from frontdesk.tenants.problems import BusinessProblem
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.ui.components.device_cookies import set_session_cookie
from frontdesk.ui.components.sign_up_links import FinishForm, FinishQuery, ask_password, can_mail, read_link, send_link
from frontdesk.ui.components.tenant_choices import country_choices, form_problems, propose_tenant
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/sign-up"
_FINISH = f"{_PATH}/finish"
_CLOSED = N_("Sign-up is closed. Ask the operator of this service for a business.")


class SignUpForm(msgspec.Struct):
    """What is missing is found by the rules for users and businesses, so that all errors are shown at once."""

    business: FilterText = ""
    name: FilterText = ""
    email: Annotated[str, Meta(max_length=320)] = ""
    password: Secret | None = None
    country: str = ""
    slug: Annotated[str, Meta(max_length=60)] = ""


@pages.get(_PATH, PUBLIC)
async def show_sign_up(context: PageContext) -> Response:
    _require_open(context)
    if context.session is not None:
        return context.redirect("/")
    return context.render("sign_up.html", countries=country_choices(context.language), mails=can_mail(context))


@pages.post(_PATH, PUBLIC, on_error=show_sign_up)
async def submit_sign_up(context: PageContext, form: SignUpForm) -> Response:
    _require_open(context)
    request = context.request
    password = form.password.text if form.password else ""
    new = propose_tenant(form.country, form.business, Plan.PROFESSIONAL, form.slug, signed_up=True)
    asked = None if can_mail(context) else password
    problems = [*form_problems(new), *user_problems(form.email, form.name, asked, (form.business,))]
    async with context.connection() as conn:
        is_taken = all(problem.at != ("slug",) for problem in problems) and await is_slug_taken(conn, new.slug)
        if not problems:
            await consume_sign_up_attempt(conn, request.address)
            if asked is not None and await is_email_known(conn, form.email):
                problems.append(Problem(AccountProblem.EMAIL_KNOWN, "email"))
    if is_taken:
        problems.append(Problem(BusinessProblem.SLUG_TAKEN, "slug"))
    raise_all(problems)
    if can_mail(context):
        fields = {"business": form.business, "country": form.country, "slug": form.slug}
        return await send_link(context, _PATH, SignUpRequest(form.email, form.name, fields))
    user = await prepare_user(form.email, form.name, password, own=(form.business,))
    made = await _create(context, user, new, proven=False)
    return await _enter(context, made, form.email)


@pages.get(_FINISH, PUBLIC)
async def show_finish(context: PageContext, query: FinishQuery | None = None) -> Response:
    _require_open(context)
    return ask_password(context, _PATH, query, N_("Open the business"))


@pages.post(_FINISH, PUBLIC, on_error=show_finish)
async def submit_finish(context: PageContext, form: FinishForm) -> Response:
    """The slug is left out if another business has taken it since."""
    _require_open(context)
    asked = read_link(context, _PATH, form.token)
    business, slug = asked.fields["business"], asked.fields["slug"]
    password = form.password.text if form.password else ""
    user = await prepare_linked_user(context.connection, asked, password, context.request.address, (business,))
    free = "" if await context.call(is_slug_taken, slug.lower()) else slug
    new = propose_tenant(asked.fields["country"], business, Plan.PROFESSIONAL, free, signed_up=True)
    made = await _create(context, user, new, proven=True)
    return await _enter(context, made, asked.email)


async def _create(context: PageContext, user: PreparedUser, new: NewTenant, *, proven: bool) -> SignedUp:
    async with context.connection() as conn:
        made = await sign_up(conn, user, new, context.request.address, proven=proven)
        await update_language(conn, made.user_id, context.language)
        if not proven:
            await mail_verification(conn, context.request.resources.secret_box, made.user_id)
    return made


async def _enter(context: PageContext, made: SignedUp, email: str) -> Response:
    request = context.request
    attempt = SignInAttempt(
        email, "", remember_me=False, address=request.address, user_agent=request.header(b"user-agent") or ""
    )
    token = await context.call(open_session, made.user_id, attempt, at=made.tenant_id)
    await set_session_cookie(context, token, made.user_id, remember_me=False)
    return context.redirect("/setup/business")


def _require_open(context: PageContext) -> None:
    if not context.request.resources.settings.sign_up:
        raise forbidden(_CLOSED)
