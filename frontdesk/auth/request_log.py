"""The request log of API callers, buffered in memory and written once a second.

A request only appends to the buffer. A killed process loses at most one second of entries. While the database is
unavailable the newest entries stay in the buffer, up to its limit.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

import asyncpg
import structlog

from frontdesk.auth.application_usage_queries import RequestCount, add_requests, find_applications_of
from frontdesk.auth.customer_reads import NOBODY, Showing, ShownCustomers, add_customer_reads, customer_reads
from frontdesk.auth.request_log_queries import (
    OperationDay,
    ScopeUsageCount,
    add_token_uses,
    add_used_operations,
    add_uses,
    insert_lines,
)
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.supervise import record_success
from frontdesk.runtime.time_limits import time_limit

EVERY_SECONDS = 1.0
MAX_ENTRIES = 20_000
# As published, and so as they are logged.
REJECTED_CODES = frozenset({"feature_disabled", "business_suspended", "rate_limit_exceeded", "insufficient_scope"})
_log = structlog.get_logger("frontdesk.request_log")


class RequestLogEntry(NamedTuple):
    tenant_id: UUID
    caller_id: UUID
    at: datetime
    request_id: str
    route: str
    status: int
    microseconds: int
    error: str | None
    path: str | None = None  # if it is not that of the route
    idempotency_key: str | None = None
    statements: int | None = None
    database_microseconds: int | None = None
    created_type: str | None = None
    created_id: UUID | None = None
    is_replayed: bool = False
    is_dry_run: bool = False
    answered: str | None = None  # JSON; the messages of an error
    extra_scopes: tuple[str, ...] = ()  # counted as usage, not logged: the payment within an order
    token_hash: bytes | None = None  # of the Open API; the least recently used tokens are revoked first
    customers: ShownCustomers = NOBODY  # in the response; not logged either


class RequestLog:
    """`scopes` maps routes to the scopes that they require."""

    def __init__(self, database: Pool, scopes: Mapping[str, str | None]) -> None:
        self._database = database
        self._scopes = scopes
        self._entries: deque[RequestLogEntry] = deque(maxlen=MAX_ENTRIES)
        self._writing: list[RequestLogEntry] = []
        self._ending = asyncio.Event()
        self._every = EVERY_SECONDS

    def add(self, entry: RequestLogEntry) -> None:
        self._entries.append(entry)

    def unwritten(self) -> Iterator[RequestLogEntry]:
        """Newest first; among them those that are being written."""
        yield from reversed(self._entries)
        yield from reversed(self._writing)

    async def flush_loop(self) -> None:
        """Runs until `end` is called, then writes the remaining entries."""
        while not self._ending.is_set():
            with suppress(TimeoutError), time_limit(self._every):
                await self._ending.wait()
            await self.flush()
            record_success()

    def end(self) -> None:
        self._ending.set()

    async def flush(self) -> None:
        entries = list(self._entries)
        if not entries:
            return
        self._entries.clear()
        self._writing = entries
        try:
            async with self._database.connection() as conn, conn.transaction():
                await insert_lines(conn, entries)
                await add_uses(conn, aggregate_usage(entries, self._scopes))
                await add_used_operations(conn, used_operations(entries, self._scopes))
                await add_token_uses(conn, token_uses(entries))
                if reads := customer_reads(map(_showing, entries)):
                    await add_customer_reads(conn, reads)
                await count_application_requests(conn, entries)
        except asyncpg.DataError:
            raise  # an entry that the database refuses would be refused every time
        except Exception as failure:
            self._put_back(entries)
            _log.warning("request log not written", reason=type(failure).__name__, waiting=len(self._entries))
            raise
        finally:
            self._writing = []

    def _put_back(self, entries: list[RequestLogEntry]) -> None:
        """Before newer entries. If they exceed the limit, the oldest are dropped."""
        entries = [*entries, *self._entries]
        self._entries.clear()
        self._entries.extend(entries)


def aggregate_usage(entries: Iterable[RequestLogEntry], scopes: Mapping[str, str | None]) -> list[ScopeUsageCount]:
    """One row for each caller and scope, sorted, so that concurrent writers cannot deadlock.

    Requests that were rejected by authentication do not count.
    """
    times: dict[tuple[UUID, UUID, str], list[datetime]] = {}
    for entry in entries:
        if entry.error not in REJECTED_CODES:
            for scope in (scopes.get(entry.route) or "", *entry.extra_scopes):
                times.setdefault((entry.tenant_id, entry.caller_id, scope), []).append(entry.at)
    return [ScopeUsageCount(*key, len(at), at[0], at[-1]) for key, at in sorted(times.items())]


def used_operations(entries: Iterable[RequestLogEntry], scopes: Mapping[str, str | None]) -> list[OperationDay]:
    """Sorted, for the same reason. The last day of an operation, if the entries are of two days."""
    days = {
        (entry.tenant_id, entry.caller_id, entry.route): entry.at.date() for entry in entries if entry.route in scopes
    }
    return [OperationDay(*key, day) for key, day in sorted(days.items())]


def _showing(entry: RequestLogEntry) -> Showing:
    return Showing(entry.tenant_id, entry.caller_id, entry.at.date(), entry.customers)


def token_uses(entries: Iterable[RequestLogEntry]) -> dict[tuple[UUID, bytes], datetime]:
    """When each token was last used."""
    return {(entry.tenant_id, entry.token_hash): entry.at for entry in entries if entry.token_hash is not None}


async def count_application_requests(conn: Connection, entries: Iterable[RequestLogEntry]) -> None:
    """Requests of clients that no install created are not counted here."""
    applications = await find_applications_of(conn, {entry.caller_id: entry.tenant_id for entry in entries})
    counts: dict[tuple[UUID, date], RequestCount] = {}
    for entry in entries:
        application_id = applications.get(entry.caller_id)
        if application_id is not None:
            key = (application_id, entry.at.date())
            requests, errors = counts.get(key, RequestCount(0, 0))
            counts[key] = RequestCount(requests + 1, errors + (entry.status >= 400))
    if counts:
        await add_requests(conn, counts)
