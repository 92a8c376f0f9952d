"""Signing in and out, and choosing the business to work for."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.known_devices import new_device_cookie, read_device_cookie
from frontdesk.auth.session_queries import end_session, list_businesses
from frontdesk.auth.sessions import KEPT, Attempt, choose_business, sign_in
from frontdesk.http.field_types import Secret
from frontdesk.http.responses import Answer
from frontdesk.ui.shell.context import Visit
from frontdesk.ui.shell.cookies import DEVICE, SESSION, VISITOR, clear_cookie, set_cookie
from frontdesk.ui.shell.permissions import EVERYBODY, SIGNED_IN
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Address = Annotated[str, Meta(max_length=2000)]


class Destination(msgspec.Struct):
    next: Address = "/"


class SignInForm(msgspec.Struct):
    email: Annotated[str, Meta(min_length=1, max_length=320)]
    password: Secret
    keep: bool = False
    next: Address = "/"


@pages.get("/sign-in", EVERYBODY)
async def show_sign_in(visit: Visit, query: Destination | None = None) -> Answer:
    where = query.next if query else visit.value("next", "/")
    if visit.signed_in is not None:
        return visit.go(local_path(where))
    return visit.show("sign_in.html", next=where)


@pages.post("/sign-in", EVERYBODY, again=show_sign_in)
async def take_sign_in(visit: Visit, form: SignInForm) -> Answer:
    call = visit.call
    agent = call.header(b"user-agent") or ""
    device = known_device(visit, form.email)
    attempt = Attempt(form.email, form.password.text, form.keep, call.address, agent, device)
    token = await sign_in(visit.connection, attempt)
    enter(visit, token, form.email, kept=form.keep)
    return visit.go(local_path(form.next))


@pages.post("/sign-out", SIGNED_IN)
async def sign_out(visit: Visit) -> Answer:
    if visit.signed_in is not None:
        async with visit.connection() as conn:
            await end_session(conn, visit.person.id, visit.signed_in.session_id)
    clear_cookie(visit.call, SESSION)
    return visit.go("/sign-in")


@pages.get("/businesses", SIGNED_IN)
async def show_businesses(visit: Visit) -> Answer:
    async with visit.connection() as conn:
        businesses = await list_businesses(conn, visit.person.id)
    return visit.show("businesses.html", businesses=businesses)


@pages.post("/businesses/{tenant_id}", SIGNED_IN)
async def take_business(visit: Visit, tenant_id: UUID) -> Answer:
    if visit.signed_in is not None:
        async with visit.connection() as conn:
            await choose_business(conn, visit.signed_in, tenant_id)
    return visit.go("/")


def enter(visit: Visit, token: str, email: str, *, kept: bool) -> None:
    set_cookie(visit.call, SESSION, token, seconds=int(KEPT.total_seconds()) if kept else None)
    clear_cookie(visit.call, VISITOR)
    if known_device(visit, email) is None:
        set_cookie(visit.call, DEVICE, new_device_cookie(visit.call.resources.vault, email))


def known_device(visit: Visit, email: str) -> bytes | None:
    return read_device_cookie(visit.call.resources.vault, visit.cookie(DEVICE), email)


def local_path(where: str) -> str:
    """Never another host: browsers read two slashes, and slashes the other way round, as one."""
    safe = where.startswith("/") and where[1:2] not in ("/", "\\") and where.isprintable() and where.isascii()
    return where if safe else "/"
