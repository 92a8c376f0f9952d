"""The user's own account: e-mail address, password, second factors and sessions."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.device_names import describe_device
from frontdesk.accounts.email_verification import change_email, resend_verification
from frontdesk.accounts.pin_queries import has_pin
from frontdesk.accounts.second_factor_queries import raise_security_version
from frontdesk.accounts.second_factors import get_security
from frontdesk.accounts.session_queries import delete_sessions, list_sessions
from frontdesk.accounts.sessions import change_own_password, end_user_session
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.ui.components.device_cookies import keep_device
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import SIGNED_IN, SIGNED_IN_RECENTLY
from frontdesk.ui.shell.routing import Pages

pages = Pages()
_PATH = "/settings/account"
_SENT = N_("The link is on its way.")
_KEPT = N_("There is a new link. Ask the operator of this service for it.")


class EmailForm(msgspec.Struct):
    new_email: Annotated[str, Meta(min_length=1, max_length=320)]


class PasswordForm(msgspec.Struct):
    current_password: Secret
    new_password: Secret


@pages.get(_PATH, SIGNED_IN)
async def show_account(context: PageContext) -> Response:
    async with context.connection() as conn:
        sessions = await list_sessions(conn, context.user.id)
        security = await get_security(conn, context.user.id)
        is_pin_set = await has_pin(conn, context.user.id)
    devices = [(session, describe_device(session.user_agent)) for session in sessions]
    return context.render(
        "account.html", devices=devices, security=security, new_email=security.new_email, has_pin=is_pin_set
    )


@pages.post(f"{_PATH}/verification", SIGNED_IN, on_error=show_account)
async def resend(context: PageContext) -> Response:
    await context.call(resend_verification, context.request.resources.secret_box, context.user.id)
    return context.redirect(_PATH, flash=_link_flash(context))


def _link_flash(context: PageContext) -> str:
    return _KEPT if context.request.resources.settings.smtp is None else _SENT


@pages.get(f"{_PATH}/email", SIGNED_IN_RECENTLY)
async def show_email(context: PageContext) -> Response:
    return context.render("email.html")


@pages.post(f"{_PATH}/email", SIGNED_IN_RECENTLY, on_error=show_email)
async def submit_email(context: PageContext, form: EmailForm) -> Response:
    await context.call(change_email, context.request.resources.secret_box, context.user, form.new_email)
    return context.redirect(_PATH, flash=_link_flash(context))


@pages.post(f"{_PATH}/password", SIGNED_IN, on_error=show_account)
async def change_password(context: PageContext, form: PasswordForm) -> Response:
    if context.session is not None:
        if context.user.has_second_factor and not context.session.is_recent:
            return context.redirect(f"{_PATH}/confirm?next={_PATH}")
        current, new = form.current_password.text, form.new_password.text
        await change_own_password(context.connection, context.session, current, new)
        await keep_device(context, context.user.id)
    return context.redirect(_PATH, flash=N_("Password changed. All other devices are signed out."))


@pages.post(f"{_PATH}/sessions/{{session_id}}/end", SIGNED_IN)
async def end_device(context: PageContext, session_id: UUID) -> Response:
    await context.call(end_user_session, context.user.id, session_id)
    return context.redirect(_PATH, flash=N_("That device is signed out."))


@pages.post(f"{_PATH}/sessions/end-others", SIGNED_IN)
async def end_other_devices(context: PageContext) -> Response:
    if context.session is not None:
        async with context.connection() as conn:
            await delete_sessions(conn, context.user.id, but=context.session.session_id)
            await raise_security_version(conn, context.user.id)
        await keep_device(context, context.user.id)
    return context.redirect(_PATH, flash=N_("All other devices are signed out."))
