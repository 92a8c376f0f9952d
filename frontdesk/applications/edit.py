"""What a developer does with an application while it is a draft, or was rejected."""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from frontdesk.applications.queries.applications import (
    find_developer_application,
    insert_application,
    lock_application,
    replace_scopes,
    save_listing,
    update_methods,
    update_webhook,
)
from frontdesk.applications.types import Application, Listing, RequestedScope
from frontdesk.auth.scopes import WILDCARD, Scope
from frontdesk.errors import Code, WireError, invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.values.text import search_key
from frontdesk.webhooks.event_types import READ_SCOPE, EventType

LANGUAGES = ("en", "ar")
LINKS = ("website", "support", "privacy", "setup")
MAX_METHODS = 3
_GAPS = re.compile(r"[\W_]+")
_LINK = re.compile(r"https://[^\s/@\\]+\.[^\s/@\\]+(/[^\s\\]*)?")


async def get_developer_application(conn: Connection, developer_id: UUID, application_id: UUID) -> Application:
    application = await find_developer_application(conn, developer_id, application_id)
    if application is None:
        raise not_found("application")
    return application


async def create_application(conn: Connection, developer_id: UUID, application_id: UUID, name: str) -> None:
    """The one who makes it chooses its id, so that a form that is sent twice makes one."""
    slug = _GAPS.sub("-", search_key(name)).strip("-")[:60] or "application"
    await insert_application(conn, application_id, developer_id, name, slug, f"{slug}-{application_id.hex[-8:]}")


async def update_listing(conn: Connection, developer_id: UUID, application_id: UUID, about: Listing) -> None:
    wrong = {
        f"link_{name}": ["must be a URL that begins with https://"]
        for name, link in about.links.items()
        if not _LINK.fullmatch(link)
    }
    if wrong:
        raise invalid(wrong)
    async with _changing(conn, developer_id, application_id):
        await save_listing(conn, application_id, about)


async def set_scopes(
    conn: Connection, developer_id: UUID, application_id: UUID, asked: Sequence[RequestedScope]
) -> None:
    """Of a scope that is named twice the last counts."""
    wrong = {f"reason.{one.scope}": ["is required"] for one in asked if not one.reason}
    unknown = {f"scopes.{one.scope}": [f"{one.scope!r} is not a scope"] for one in asked if one.scope not in set(Scope)}
    if wrong or unknown:
        raise invalid({**unknown, **wrong})
    async with _changing(conn, developer_id, application_id):
        await replace_scopes(conn, application_id, list({one.scope: one for one in asked}.values()))


async def set_webhook(
    conn: Connection, developer_id: UUID, application_id: UUID, url: str | None, events: Iterable[EventType]
) -> None:
    """The URL has been looked at by whoever calls: that asks others, which no act does while it holds locks."""
    wanted = list(dict.fromkeys(events)) if url else []
    if url and not wanted:
        raise invalid({"events": ["must have at least 1 entry"]})
    async with _changing(conn, developer_id, application_id) as application:
        _require_readable(application, wanted)
        await update_webhook(conn, application_id, url, wanted)


async def set_payment_methods(
    conn: Connection, developer_id: UUID, application_id: UUID, names: Sequence[dict[str, str]]
) -> None:
    if len(names) > MAX_METHODS:
        raise invalid({"name_en": [f"must have at most {MAX_METHODS} entries"]})
    async with _changing(conn, developer_id, application_id):
        await update_methods(conn, application_id, names)


@asynccontextmanager
async def _changing(conn: Connection, developer_id: UUID, application_id: UUID) -> AsyncIterator[Application]:
    async with conn.transaction():
        await lock_application(conn, application_id)
        application = await get_developer_application(conn, developer_id, application_id)
        require_changeable(application)
        yield application


def require_changeable(application: Application) -> None:
    if not application.may_change:
        raise WireError(Code.VALIDATION_ERROR, "This application cannot be changed now: return it to draft first.")


def _require_readable(application: Application, events: Iterable[EventType]) -> None:
    asked = {one.scope for one in application.scopes}
    for kind in events:
        scope = READ_SCOPE[kind]
        if scope is not None and not asked & {scope, WILDCARD}:
            raise invalid({"events": [f"{kind.value!r} needs the scope {scope.value!r}, which is not requested"]})
