"""What callers did, kept aside while they are answered and written together once a second.

A request adds one entry to a list and waits for nothing. What a killed process had not written yet is lost: at most
a second of lines. While the database is away the newest lines are kept, as many as fit the bound.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import asyncpg
import structlog

from frontdesk.auth.request_log_queries import ScopeUsageCount, add_token_uses, add_uses, insert_lines
from frontdesk.errors import Code
from frontdesk.postgres.pool import Pool, PoolTimeout

EVERY_SECONDS = 1.0
MAX_ENTRIES = 20_000
REJECTED_CODES = frozenset(
    {Code.FEATURE_DISABLED, Code.BUSINESS_SUSPENDED, Code.RATE_LIMIT_EXCEEDED, Code.INSUFFICIENT_SCOPE}
)
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
    extra_scope: str | None = None  # counted, not written: the payment within an order
    token_hash: bytes | None = None  # of the Open API; when it was last used decides which tokens go first


class RequestLog:
    """`scopes` tells what scope each route needs."""

    def __init__(self, database: Pool, scopes: Mapping[str, str | None]) -> None:
        self._database = database
        self._scopes = scopes
        self._waiting: deque[RequestLogEntry] = deque(maxlen=MAX_ENTRIES)
        self._ending = asyncio.Event()
        self._every = EVERY_SECONDS

    def add(self, line: RequestLogEntry) -> None:
        self._waiting.append(line)

    async def keep_writing(self) -> None:
        """Until told to end; what waits then is written first."""
        while not self._ending.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every):
                    await self._ending.wait()
            await self.write()

    def end(self) -> None:
        self._ending.set()

    async def write(self) -> None:
        lines = list(self._waiting)
        if not lines:
            return
        self._waiting.clear()
        try:
            async with self._database.connection() as conn, conn.transaction():
                await insert_lines(conn, lines)
                await add_uses(conn, aggregate_usage(lines, self._scopes))
                await add_token_uses(conn, token_uses(lines))
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, PoolTimeout) as failure:
            self._put_back(lines)
            _log.warning("request log not written", reason=type(failure).__name__, waiting=len(self._waiting))

    def _put_back(self, lines: list[RequestLogEntry]) -> None:
        """Before what came meanwhile; where all of it does not fit, the oldest go."""
        kept = [*lines, *self._waiting]
        self._waiting.clear()
        self._waiting.extend(kept)


def aggregate_usage(lines: Iterable[RequestLogEntry], scopes: Mapping[str, str | None]) -> list[ScopeUsageCount]:
    """One row a caller and scope, always in the same order, so that processes that write at once cannot deadlock.

    Whoever the guard turned away has used nothing.
    """
    counted: dict[tuple[UUID, UUID, str], ScopeUsageCount] = {}
    for line in lines:
        if line.error not in REJECTED_CODES:
            needed = scopes.get(line.route) or ""
            for scope in (needed, line.extra_scope) if line.extra_scope else (needed,):
                key = (line.tenant_id, line.caller_id, scope)
                before = counted.get(key, ScopeUsageCount(*key, 0, line.at, line.at))
                counted[key] = before._replace(uses=before.uses + 1, last_at=line.at)
    return [counted[key] for key in sorted(counted)]


def token_uses(lines: Iterable[RequestLogEntry]) -> dict[tuple[UUID, bytes], datetime]:
    """When each token was last used."""
    return {(line.tenant_id, line.token_hash): line.at for line in lines if line.token_hash is not None}
