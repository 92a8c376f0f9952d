"""After the password: a code or a passkey. And signing in with a passkey alone."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.known_devices import REMEMBER_FACTOR, new_remembered_cookie
from frontdesk.accounts.passkeys import request_options, site_of
from frontdesk.accounts.pending_sign_ins import (
    begin_pending,
    find_pending_sign_in,
    finish_with_code,
    finish_with_passkey,
)
from frontdesk.accounts.second_factor_queries import list_credential_ids
from frontdesk.accounts.sign_in import begin_session
from frontdesk.accounts.user_queries import find_account, find_person
from frontdesk.auth.throttle import ATTEMPTS_OF_ADDRESS, address_subject, consume_attempt_or_raise
from frontdesk.auth.types import PendingSignIn
from frontdesk.http.responses import Response
from frontdesk.problems import or_not_found
from frontdesk.ui.auth.sign_in import after_sign_in, set_pending_cookie, sign_in_attempt
from frontdesk.ui.components.device_cookies import Address, known_device, set_session_cookie
from frontdesk.ui.components.passkey_answer import PasskeyAnswer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import PENDING_SIGN_IN, REMEMBERED, clear_cookie, set_cookie
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_CODE_PATH, _PASSKEY_PATH = "/sign-in/second-factor", "/sign-in/passkey"
_OVER_PATH = "/sign-in?over=yes"


class PasskeyStart(msgspec.Struct):
    keep: bool = False
    next: Address = "/"


class CodeForm(msgspec.Struct):
    code: Annotated[str, Meta(min_length=1, max_length=100)]
    remember: bool = False


class PasskeyForm(msgspec.Struct):
    answer: PasskeyAnswer
    remember: bool = False


@pages.get(_CODE_PATH, PUBLIC)
async def show_second_factor(context: PageContext) -> Response:
    pending = await _find_pending(context)
    if pending is None or pending.user_id is None:
        return context.redirect(_OVER_PATH)
    return await _show(context, pending)


@pages.post(_CODE_PATH, PUBLIC, on_error=show_second_factor)
async def submit_code(context: PageContext, form: CodeForm) -> Response:
    pending = await _find_pending(context)
    if pending is None or pending.user_id is None:
        return context.redirect(_OVER_PATH)
    async with context.connection() as conn:
        device = await known_device(context, conn, pending.user_id)
        user_id = await finish_with_code(conn, context.request.resources.secret_box, pending, form.code, device)
    return await _begin_session(context, pending, user_id, remember=form.remember)


@pages.post(_PASSKEY_PATH, PUBLIC)
async def start_passkey(context: PageContext, form: PasskeyStart) -> Response:
    """Without a name: the browser offers the passkeys that it has for this site."""
    if site_of(context.request.origin) is None:
        return context.redirect("/sign-in")
    async with context.connection() as conn:
        await consume_attempt_or_raise(conn, address_subject(context.request.address), ATTEMPTS_OF_ADDRESS)
        token = await begin_pending(conn, None, remember_me=form.keep, next_path=form.next)
    set_pending_cookie(context, token)
    return context.redirect(_PASSKEY_PATH)


@pages.get(_PASSKEY_PATH, PUBLIC)
async def show_passkey(context: PageContext) -> Response:
    pending = await _find_pending(context)
    if pending is None:
        return context.redirect(_OVER_PATH)
    return await _show(context, pending)


@pages.post(f"{_PASSKEY_PATH}/answer", PUBLIC, on_error=show_passkey, max_body=32_000)
async def submit_passkey(context: PageContext, form: PasskeyForm) -> Response:
    pending = await _find_pending(context)
    if pending is None:
        return context.redirect(_OVER_PATH)
    site = site_of(context.request.origin)
    user_id = await context.call(finish_with_passkey, site, pending, form.answer)
    return await _begin_session(context, pending, user_id, remember=form.remember)


async def _find_pending(context: PageContext) -> PendingSignIn | None:
    if context.session is not None:
        return None
    return await context.call(find_pending_sign_in, context.cookie(PENDING_SIGN_IN))


async def _show(context: PageContext, pending: PendingSignIn) -> Response:
    site, allowed = site_of(context.request.origin), []
    if site is not None and pending.user_id is not None:
        allowed = await context.call(list_credential_ids, pending.user_id, site.rp_id)
    usable = site is not None and (allowed or pending.user_id is None)
    options = request_options(site, pending.challenge, allowed) if site and usable else None
    return context.render("second_factor.html", pending=pending, options=options)


async def _begin_session(context: PageContext, pending: PendingSignIn, user_id: UUID, *, remember: bool) -> Response:
    secret_box = context.request.resources.secret_box
    async with context.connection() as conn:
        person = or_not_found(await find_person(conn, user_id), "person")
        attempt = msgspec.structs.replace(
            sign_in_attempt(context, person.email, "", remember_me=pending.remember_me),
            device=await known_device(context, conn, user_id),
        )
        token = await begin_session(conn, secret_box, user_id, attempt, at=pending.tenant_id)
        account = await find_account(conn, person.email) if remember and pending.user_id else None
    clear_cookie(context.request, PENDING_SIGN_IN)
    if account is not None and account.id == user_id:
        cookie = new_remembered_cookie(secret_box, user_id, account.security_version)
        set_cookie(context.request, REMEMBERED, cookie, seconds=int(REMEMBER_FACTOR.total_seconds()))
    await set_session_cookie(context, token, user_id, remember_me=pending.remember_me)
    return context.redirect(after_sign_in(pending.next_path))
