"""Edits an application that is a draft or was rejected."""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from frontdesk.applications.problems import ApplicationProblem
from frontdesk.applications.queries.applications import (
    find_developer_application,
    insert_application,
    lock_application,
    replace_scopes,
    save_listing,
    update_methods,
    update_redirects,
    update_webhook,
)
from frontdesk.applications.redirects import redirect_problem
from frontdesk.applications.types import Application, Listing, RequestedScope
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, or_not_found, raise_all
from frontdesk.values.text import search_key
from frontdesk.webhooks.event_types import READ_SCOPES, EventType

LANGUAGES = ("en", "ar")
MAX_METHODS = 3
MAX_REDIRECTS = 5
IN_FRAMES = ("order_panel", "customer_panel")
_NON_WORD = re.compile(r"[\W_]+")
_LINK = re.compile(r"https://[^\s/@\\]+\.[^\s/@\\]+(/[^\s\\]*)?")


async def get_developer_application(conn: Connection, developer_id: UUID, application_id: UUID) -> Application:
    return or_not_found(await find_developer_application(conn, developer_id, application_id), "application")


async def create_application(conn: Connection, developer_id: UUID, application_id: UUID, name: str) -> None:
    """The caller chooses the id, so that a repeated form creates one application."""
    slug = _NON_WORD.sub("-", search_key(name)).strip("-")[:60] or "application"
    await insert_application(conn, application_id, developer_id, name, slug, f"{slug}-{application_id.hex[-8:]}")


async def update_listing(conn: Connection, developer_id: UUID, application_id: UUID, listing: Listing) -> None:
    raise_all([problem for name, link in listing.links.items() if (problem := _link_problem(name, link))])
    async with _editing(conn, developer_id, application_id):
        await save_listing(conn, application_id, listing)


def _link_problem(name: str, link: str) -> Problem | None:
    """Addresses of frames are in a header of the page, so they are as strict as redirect addresses."""
    if name in IN_FRAMES:
        found = redirect_problem(link)
        return found and found.within(f"link_{name}")
    return None if _LINK.fullmatch(link) else Problem(ApplicationProblem.NOT_A_LINK, f"link_{name}")


async def set_scopes(
    conn: Connection, developer_id: UUID, application_id: UUID, requested: Sequence[RequestedScope]
) -> None:
    """If a scope is given twice, the last one counts."""
    known = set(Scope)
    unknown = [
        Problem(ApplicationProblem.UNKNOWN_SCOPE, "scopes", r.scope, scope=r.scope)
        for r in requested
        if r.scope not in known
    ]
    without_reason = [Problem(ApplicationProblem.REASON_REQUIRED, "reason", r.scope) for r in requested if not r.reason]
    raise_all([*unknown, *without_reason])
    async with _editing(conn, developer_id, application_id):
        await replace_scopes(conn, application_id, list({r.scope: r for r in requested}.values()))


async def set_webhook(
    conn: Connection, developer_id: UUID, application_id: UUID, url: str | None, events: Iterable[EventType]
) -> None:
    """The caller has validated the URL: that needs DNS, which must not be waited for while locks are held."""
    event_types = list(dict.fromkeys(events)) if url else []
    if url and not event_types:
        raise Problem(ApplicationProblem.EVENTS_REQUIRED, "events")
    async with _editing(conn, developer_id, application_id) as application:
        _require_readable(application, event_types)
        await update_webhook(conn, application_id, url, event_types)


async def set_payment_methods(
    conn: Connection, developer_id: UUID, application_id: UUID, names: Sequence[dict[str, str]]
) -> None:
    if len(names) > MAX_METHODS:
        raise Problem(ApplicationProblem.TOO_MANY_METHODS, "name_en", most=MAX_METHODS)
    async with _editing(conn, developer_id, application_id):
        await update_methods(conn, application_id, names)


async def set_redirects(conn: Connection, developer_id: UUID, application_id: UUID, addresses: Sequence[str]) -> None:
    found = [redirect_problem(address) for address in addresses]
    raise_all([problem.within("addresses") for problem in found if problem is not None])
    distinct = list(dict.fromkeys(addresses))
    if len(distinct) > MAX_REDIRECTS:
        raise Problem(ApplicationProblem.TOO_MANY_REDIRECTS, "addresses", most=MAX_REDIRECTS)
    async with _editing(conn, developer_id, application_id):
        await update_redirects(conn, application_id, distinct)


@asynccontextmanager
async def _editing(conn: Connection, developer_id: UUID, application_id: UUID) -> AsyncIterator[Application]:
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        require_changeable(application)
        yield application


def require_changeable(application: Application) -> None:
    if not application.is_editable:
        raise Problem(ApplicationProblem.NOT_EDITABLE)


def _require_readable(application: Application, events: Iterable[EventType]) -> None:
    requested = {scope.scope for scope in application.scopes}
    for event_type in events:
        for scope in READ_SCOPES[event_type]:
            if not requested & {scope, WILDCARD}:
                raise Problem(ApplicationProblem.EVENT_NEEDS_SCOPE, "events", event=event_type.value, scope=scope.value)
