"""Sign-up: a new owner with a new business, where the operator allows it."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.auth.email_verification import mail_verification
from frontdesk.auth.session_queries import update_language
from frontdesk.auth.sessions import SignInAttempt, open_session
from frontdesk.auth.sign_up import consume_sign_up_attempt, require_unused, sign_up
from frontdesk.auth.users import prepare_user, user_errors
from frontdesk.errors import Code, WireError
from frontdesk.http.field_types import FilterText, Secret
from frontdesk.http.responses import Response
from frontdesk.tenants.types import Plan
from frontdesk.ui.auth.sign_in import set_session_cookie
from frontdesk.ui.business.choices import country_choices, new_tenant_in
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/sign-up"
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
    return context.render("sign_up.html", countries=country_choices(context.language))


@pages.post(_PATH, PUBLIC, on_error=show_sign_up)
async def submit_sign_up(context: PageContext, form: SignUpForm) -> Response:
    _require_open(context)
    request = context.request
    password = form.password.text if form.password else ""
    owner = user_errors(form.email, form.name, password, (form.business,))
    new = new_tenant_in(form.country, form.business, Plan.PROFESSIONAL, form.slug, signed_up=True, others=owner)
    async with context.connection() as conn:
        await consume_sign_up_attempt(conn, request.address)
        await require_unused(conn, form.email, new.slug)
    user = await prepare_user(form.email, form.name, password, own=(form.business,))
    attempt = SignInAttempt(
        form.email, "", remember_me=False, address=request.address, user_agent=request.header(b"user-agent") or ""
    )
    async with context.connection() as conn:
        made = await sign_up(conn, user, new, request.address)
        await update_language(conn, made.user_id, context.language)
        await mail_verification(conn, request.resources.secret_box, made.user_id)
        token = await open_session(conn, made.user_id, attempt, at=made.tenant_id)
    await set_session_cookie(context, token, made.user_id, remember_me=False)
    return context.redirect("/setup")


def _require_open(context: PageContext) -> None:
    if not context.request.resources.settings.sign_up:
        raise WireError(Code.INSUFFICIENT_SCOPE, _CLOSED)
