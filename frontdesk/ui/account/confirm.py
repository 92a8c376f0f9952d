"""Security settings ask who one is again."""

from typing import Annotated

import msgspec
from msgspec import Meta

from frontdesk.accounts.passkeys import new_challenge, request_options, site_of
from frontdesk.accounts.recent_authentication import confirm_by_code, confirm_by_passkey, confirm_by_password
from frontdesk.accounts.second_factor_queries import list_credential_ids, list_factors
from frontdesk.accounts.session_queries import update_challenge
from frontdesk.auth.types import UserSession
from frontdesk.http.field_types import Secret
from frontdesk.http.problems import ValueProblem
from frontdesk.http.responses import Response
from frontdesk.problems import Problem
from frontdesk.ui.components.device_cookies import Address, known_device
from frontdesk.ui.components.passkey_answer import PasskeyAnswer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/settings/account/confirm"


class Destination(msgspec.Struct):
    next: Address = "/settings/account"


class ConfirmForm(msgspec.Struct):
    password: Secret | None = None
    code: Annotated[str, Meta(max_length=100)] = ""
    next: Address = "/settings/account"


class PasskeyForm(msgspec.Struct):
    answer: PasskeyAnswer
    next: Address = "/settings/account"


@pages.get(_PATH, SIGNED_IN)
async def show_confirmation(context: PageContext, query: Destination | None = None) -> Response:
    path = query.next if query else context.form.value("next", "/settings/account")
    async with context.connection() as conn:
        factors = await list_factors(conn, context.user.id)
        site, options = site_of(context.request.origin), None
        if site is not None and any(factor.rp_id == site.rp_id for factor in factors):
            challenge = new_challenge()
            await update_challenge(conn, context.session_id, challenge)
            allowed = await list_credential_ids(conn, context.user.id, site.rp_id)
            options = request_options(site, challenge, allowed)
    return context.render("confirm.html", next=path, options=options, has_factor=bool(factors))


@pages.post(_PATH, SIGNED_IN, on_error=show_confirmation)
async def submit_confirmation(context: PageContext, form: ConfirmForm) -> Response:
    if form.password is not None:
        await confirm_by_password(context.connection, _session(context), form.password.text)
    elif form.code:
        async with context.connection() as conn:
            device = await known_device(context, conn, context.user.id)
            await confirm_by_code(conn, context.request.resources.secret_box, _session(context), form.code, device)
    else:
        raise Problem(ValueProblem.EMPTY, "code" if context.user.has_second_factor else "password")
    return context.redirect(local_path(form.next))


@pages.post(f"{_PATH}/passkey", SIGNED_IN, on_error=show_confirmation)
async def submit_passkey(context: PageContext, form: PasskeyForm) -> Response:
    await context.call(confirm_by_passkey, site_of(context.request.origin), _session(context), form.answer)
    return context.redirect(local_path(form.next))


def _session(context: PageContext) -> UserSession:
    if context.session is None:
        raise RuntimeError("this page requires a session")
    return context.session
