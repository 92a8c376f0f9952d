"""The user's own second factors: passkeys, authenticator apps, recovery codes."""

from typing import Annotated
from uuid import UUID

import msgspec
import segno
from markupsafe import Markup
from msgspec import Meta

from frontdesk.accounts.device_names import describe_device
from frontdesk.accounts.one_time_codes import app_address
from frontdesk.accounts.passkeys import InvalidPasskey, check_new_passkey, creation_options, new_challenge, site_of
from frontdesk.accounts.second_factor_queries import list_credential_ids
from frontdesk.accounts.second_factors import (
    add_app,
    add_passkey,
    get_factor,
    get_security,
    new_app,
    remove_factor,
    rename,
    renew_recovery_codes,
)
from frontdesk.accounts.session_queries import take_challenge, update_challenge
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.device_cookies import keep_device
from frontdesk.ui.components.passkey_answer import PasskeyAnswer
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN, SIGNED_IN_RECENTLY
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_ACCOUNT = "/settings/account"
_PATH = f"{_ACCOUNT}/second-factor"
_ADDED = N_("Second factor added.")
_OUTDATED = N_("This was changed after you opened it. Check the values, then save again.")
Name = Annotated[str, Meta(min_length=1, max_length=100)]


class AppForm(msgspec.Struct):
    encrypted: Annotated[str, Meta(max_length=1000)]
    code: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Name


class PasskeyForm(msgspec.Struct):
    answer: PasskeyAnswer
    name: Name


class NameForm(msgspec.Struct):
    name: Name
    version: int


@pages.get(_PATH, SIGNED_IN)
async def show_choice(context: PageContext) -> Response:
    """Where an operator without a second factor is led first."""
    passkeys = site_of(context.request.origin) is not None
    return context.render("second_factor_choice.html", passkeys=passkeys, must_verify=_must_verify(context))


def _must_verify(context: PageContext) -> bool:
    """A password reset keeps the second factors. So nobody adds one to an account with another person's address, whose
    owner could never use it. Without a mail server there is no link to verify an address with.
    """
    return context.request.resources.settings.smtp is not None and not context.user.has_proven_email


@pages.get(f"{_PATH}/app", SIGNED_IN_RECENTLY)
async def show_app(context: PageContext) -> Response:
    if _must_verify(context):
        return context.redirect(_PATH)
    app = new_app(context.request.resources.secret_box, context.user.id, context.form.value("encrypted") or None)
    address = app_address(app.secret, context.user.email, "Frontdesk")
    picture = segno.make(address, error="m", micro=False).svg_inline(
        border=4, light="#fff", dark="#000", svgclass="qr", lineclass=None, omitsize=True
    )
    return context.render(
        "second_factor_app.html",
        picture=Markup(picture),  # noqa: S704 - made here, of rectangles
        secret=" ".join(app.secret[n : n + 4] for n in range(0, len(app.secret), 4)),
        encrypted=app.encrypted,
    )


@pages.post(f"{_PATH}/app", SIGNED_IN_RECENTLY, on_error=show_app)
async def submit_app(context: PageContext, form: AppForm) -> Response:
    if _must_verify(context):
        return context.redirect(_PATH)
    codes = await context.call(
        add_app,
        context.request.resources.secret_box,
        context.user.id,
        context.session_id,
        name=form.name,
        encrypted=form.encrypted,
        typed=form.code,
    )
    await keep_device(context, context.user.id)
    return _show_codes(context, codes)


@pages.get(f"{_PATH}/passkey", SIGNED_IN_RECENTLY)
async def show_passkey(context: PageContext) -> Response:
    if _must_verify(context):
        return context.redirect(_PATH)
    site, options = site_of(context.request.origin), None
    if site is not None:
        challenge = new_challenge()
        async with context.connection() as conn:
            existing = await list_credential_ids(conn, context.user.id, site.rp_id)
            await update_challenge(conn, context.session_id, challenge)
        user = context.user
        options = creation_options(site, challenge, user.id, user.email, user.name, existing)
    device = describe_device(context.request.header(b"user-agent") or "")
    return context.render("second_factor_passkey.html", options=options, device=device)


@pages.post(f"{_PATH}/passkey", SIGNED_IN_RECENTLY, on_error=show_passkey)
async def submit_passkey(context: PageContext, form: PasskeyForm) -> Response:
    if _must_verify(context):
        return context.redirect(_PATH)
    site = site_of(context.request.origin)
    async with context.connection() as conn:
        challenge = await take_challenge(conn, context.session_id)
        try:
            new = check_new_passkey(site, challenge, form.answer)
        except InvalidPasskey as error:
            raise page_problem(N_("This passkey was not accepted.")) from error
        codes = await add_passkey(conn, context.user.id, context.session_id, name=form.name, new=new)
    await keep_device(context, context.user.id)
    return _show_codes(context, codes)


@pages.get(f"{_PATH}/codes", SIGNED_IN_RECENTLY)
async def confirm_new_codes(context: PageContext) -> Response:
    security = await context.call(get_security, context.user.id)
    return context.render("recovery_codes_renew.html", security=security)


@pages.post(f"{_PATH}/codes", SIGNED_IN_RECENTLY)
async def submit_new_codes(context: PageContext) -> Response:
    codes = await context.call(renew_recovery_codes, context.user.id)
    return _show_codes(context, codes)


@pages.get(f"{_PATH}/{{factor_id}}", SIGNED_IN_RECENTLY)
async def show_factor(context: PageContext, factor_id: UUID) -> Response:
    factor = await context.call(get_factor, context.user.id, factor_id)
    return context.render("second_factor_edit.html", factor=factor)


@pages.post(f"{_PATH}/{{factor_id}}", SIGNED_IN_RECENTLY, on_error=show_factor)
async def submit_name(context: PageContext, factor_id: UUID, form: NameForm) -> Response:
    async with context.connection() as conn:
        await get_factor(conn, context.user.id, factor_id)
        if not await rename(conn, context.user.id, factor_id, form.name, form.version):
            raise page_problem(_OUTDATED)
    return context.redirect(_ACCOUNT, flash=N_("Saved."))


@pages.get(f"{_PATH}/{{factor_id}}/remove", SIGNED_IN_RECENTLY)
async def confirm_removal(context: PageContext, factor_id: UUID) -> Response:
    async with context.connection() as conn:
        factor = await get_factor(conn, context.user.id, factor_id)
        security = await get_security(conn, context.user.id)
    return context.render("second_factor_remove.html", factor=factor, is_last=len(security.factors) == 1)


@pages.post(f"{_PATH}/{{factor_id}}/remove", SIGNED_IN_RECENTLY, on_error=confirm_removal)
async def submit_removal(context: PageContext, factor_id: UUID) -> Response:
    await context.call(remove_factor, context.user.id, factor_id)
    await keep_device(context, context.user.id)
    return context.redirect(_ACCOUNT, flash=N_("Second factor removed."))


def _show_codes(context: PageContext, codes: list[str] | None) -> Response:
    """The codes are shown in this response only, like every secret."""
    if codes is None:
        return context.redirect(_ACCOUNT, flash=_ADDED)
    return context.render("recovery_codes.html", codes=codes)
