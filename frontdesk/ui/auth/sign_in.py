"""Sign in, sign out, and choose the current business."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.accounts.passkeys import site_of
from frontdesk.accounts.pending_sign_ins import LIFETIME
from frontdesk.accounts.session_queries import delete_session, list_tenants
from frontdesk.accounts.sessions import SignInAttempt, choose_tenant
from frontdesk.accounts.sign_in import SignInResult, sign_in
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Response
from frontdesk.ui.components.device_cookies import Address, set_session_cookie
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import DEVICE, PENDING_SIGN_IN, REMEMBERED, SESSION, clear_cookie, set_cookie
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import PUBLIC, SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()
FIRST_PAGE = "/start"  # leads on, by role


class Destination(msgspec.Struct):
    next: Address = "/"
    ended: str | None = None  # the session has ended
    over: str | None = None  # the time for the second factor is over


class TenantForm(msgspec.Struct):
    next: Address = "/"


class SignInForm(msgspec.Struct):
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    password: Secret
    keep: bool = False
    next: Address = "/"


@pages.get("/sign-in", PUBLIC)
async def show_sign_in(context: PageContext, query: Destination | None = None) -> Response:
    path = query.next if query else context.form.value("next", "/")
    if context.session is not None:
        return context.redirect(after_sign_in(path))
    passkeys = site_of(context.request.origin) is not None
    return context.render(
        "sign_in.html", next=path, ended=bool(query and query.ended), over=bool(query and query.over), passkeys=passkeys
    )


@pages.post("/sign-in", PUBLIC, on_error=show_sign_in)
async def submit_sign_in(context: PageContext, form: SignInForm) -> Response:
    attempt = sign_in_attempt(context, form.email, form.password.text, remember_me=form.keep)
    entry = await sign_in(context.connection, context.request.resources.secret_box, attempt, form.next)
    return await entered(context, entry, attempt, form.next)


@pages.post("/sign-out", SIGNED_IN)
async def sign_out(context: PageContext) -> Response:
    if context.session is not None:
        await context.call(delete_session, context.user.id, context.session.session_id)
    clear_cookie(context.request, SESSION)
    return context.redirect("/sign-in")


@pages.get("/businesses", SIGNED_IN)
async def show_tenants(context: PageContext, query: Destination) -> Response:
    businesses = await context.call(list_tenants, context.user.id)
    return context.render("businesses.html", businesses=businesses, next=query.next)


@pages.post("/businesses/{tenant_id}", SIGNED_IN)
async def submit_tenant(context: PageContext, tenant_id: UUID, form: TenantForm) -> Response:
    if context.session is not None:
        await context.call(choose_tenant, context.session, tenant_id)
    return context.redirect(after_sign_in(form.next))


def sign_in_attempt(context: PageContext, email: str, password: str, *, remember_me: bool) -> SignInAttempt:
    request = context.request
    return SignInAttempt(
        email,
        password,
        remember_me,
        request.address,
        request.header(b"user-agent") or "",
        context.cookie(DEVICE),
        remembered=context.cookie(REMEMBERED),
    )


async def entered(context: PageContext, entry: SignInResult, attempt: SignInAttempt, path: str) -> Response:
    """After the password: leads to the page that was asked for, or to the second factor."""
    if entry.is_pending:
        set_pending_cookie(context, entry.token)
        return context.redirect("/sign-in/second-factor")
    await set_session_cookie(context, entry.token, entry.user_id, remember_me=attempt.remember_me)
    return context.redirect(after_sign_in(path))


def set_pending_cookie(context: PageContext, token: str) -> None:
    set_cookie(context.request, PENDING_SIGN_IN, token, seconds=int(LIFETIME.total_seconds()))


def after_sign_in(path: str) -> str:
    """The page that was asked for; who asked for none in particular begins with the page of their work."""
    safe = local_path(path)
    return FIRST_PAGE if safe == "/" else safe
