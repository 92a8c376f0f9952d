"""Tells people by mail what a new publication of the Open API breaks or deprecates of what their programs use."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import structlog

from frontdesk.changelog.announcement_mail import Program, write_mail
from frontdesk.changelog.announcement_queries import (
    Business,
    DevelopedApplication,
    Recipient,
    UsingClient,
    get_business,
    list_announced,
    list_businesses_with_clients,
    list_developed,
    list_using_clients,
    mark_announced,
    queue_mails,
)
from frontdesk.changelog.of_client import changes_in
from frontdesk.changelog.types import Change
from frontdesk.changelog.versions import entries, published_versions
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.sending import held_since
from frontdesk.postgres.supervise import record_success

_HELD_PAUSE = 60.0
_log = structlog.get_logger("frontdesk.changelog")


class _ConcernedClient(NamedTuple):
    tenant_id: UUID
    client: UsingClient
    changes: dict[str, set[Change]]  # by version


async def announce_publications(database: Pool) -> None:
    """Once after the start: descriptions are published with the program."""
    while True:
        async with database.connection() as conn:
            if await held_since(conn) is None:
                return await announce_new(conn)
        record_success()
        await asyncio.sleep(_HELD_PAUSE)


async def announce_new(conn: Connection) -> None:
    """Announces each publication once, by the worker that marks it first.

    Those that an installation begins with send no mail. Several that are new together send one mail.
    """
    announced = await list_announced(conn)
    new = set(published_versions()) - announced
    if not new:
        return
    if not announced:
        await mark_announced(conn, new)
        return
    concerned = [one async for one in _concerned_clients(conn, new)]
    businesses = {tenant_id: await get_business(conn, tenant_id) for tenant_id in {one.tenant_id for one in concerned}}
    used = {one.client.application_id for one in concerned if one.client.application_id}
    applications = await list_developed(conn, used)
    async with conn.transaction():
        marked = await mark_announced(conn, new)
        mails = [*_to_businesses(concerned, businesses, marked), *_to_developers(concerned, applications, marked)]
        await queue_mails(conn, mails)
    if marked:
        _log.info("changes of the API announced", versions=sorted(marked), mails=len(mails))


async def _concerned_clients(conn: Connection, versions: Collection[str]) -> AsyncIterator[_ConcernedClient]:
    published = [entry for entry in entries() if entry.version in versions and not entry.is_first]
    if not any(_is_urgent(entry.changes) for entry in published):
        return
    for tenant_id in await list_businesses_with_clients(conn):
        for client in await list_using_clients(conn, tenant_id):
            changes = {
                entry.version: {one.change for one in found} for entry, found in changes_in(published, client.uses)
            }
            if changes:
                yield _ConcernedClient(tenant_id, client, changes)


def _to_businesses(
    concerned: Iterable[_ConcernedClient], businesses: Mapping[UUID, Business], versions: Collection[str]
) -> Iterator[str]:
    """To the owners and managers of each, about all of its clients that have to change."""
    changes, programs = defaultdict[UUID, set[Change]](set), defaultdict[UUID, list[Program]](list)
    for one in concerned:
        found = _changes(one, versions)
        if _is_urgent(found):
            changes[one.tenant_id] |= found
            page = f"/settings/api/clients/{one.client.id}/changes"
            programs[one.tenant_id].append(Program(one.client.name, page))
    for tenant_id, its in programs.items():
        business = businesses[tenant_id]
        for person in business.people:
            yield _encode(write_mail(person, changes[tenant_id], its, business.name))


def _to_developers(
    concerned: Iterable[_ConcernedClient], applications: Iterable[DevelopedApplication], versions: Collection[str]
) -> Iterator[str]:
    """One each, about all applications of theirs, wherever these are installed."""
    by_application = defaultdict[UUID | None, set[Change]](set)
    for one in concerned:
        by_application[one.client.application_id] |= _changes(one, versions)
    changes, programs = defaultdict[Recipient, set[Change]](set), defaultdict[Recipient, list[Program]](list)
    for application in applications:
        if _is_urgent(found := by_application[application.id]):
            changes[application.developer] |= found
            page = f"/developer/applications/{application.id}/changes"
            programs[application.developer].append(Program(application.name, page))
    for person, theirs in programs.items():
        yield _encode(write_mail(person, changes[person], theirs))


def _changes(one: _ConcernedClient, versions: Collection[str]) -> set[Change]:
    return set[Change]().union(*(found for version, found in one.changes.items() if version in versions))


def _is_urgent(changes: Iterable[Change]) -> bool:
    return any(change.breaking or change.is_deprecation for change in changes)


def _encode(message: dict[str, Any]) -> str:
    return msgspec.json.encode(message).decode()
