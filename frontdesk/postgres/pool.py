"""Connections to PostgreSQL: a pool, and a thin wrapper that counts statements."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit, urlunsplit

import asyncpg
from asyncpg import Record
from asyncpg.transaction import Transaction

from frontdesk.errors import WireError
from frontdesk.postgres.held_connections import add_held, remove_held

# JIT compilation never pays off for statements this short. Timeouts end statements that wait for a lock or run for
# seconds. Statements have a generic plan, because planning a page of orders for each tenant costs more than reading it.
# The planner does not see the parameters, so a statement contains only the conditions that apply, and a LIMIT where it
# returns few rows. Pages are in memory or on an SSD. A plan that is made while a table is small would read the whole
# table and be kept while the table grows, so it uses an index wherever there is one: every statement has the tenant.
_SESSION = {
    "application_name": "frontdesk",
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "random_page_cost": "1.1",
    "enable_seqscan": "off",
    "timezone": "UTC",
    "statement_timeout": "10s",
    "lock_timeout": "3s",
    "idle_in_transaction_session_timeout": "60s",
}
# Citus plans a statement for the node of its tenant, so it must see the values. A transaction may change a table and
# another one that it refers to, which Citus allows in sequential mode only. Hiding shards from the catalogs would make
# asyncpg's look-up of array types take seconds.
_CITUS_SESSION = {
    "plan_cache_mode": "auto",
    "citus.multi_shard_modify_mode": "sequential",
    "citus.override_table_visibility": "off",
}

# A connection's cached statements are outdated: the database was migrated since.
_OUTDATED = (
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
    asyncpg.DatatypeMismatchError,  # a row that a database function takes has other columns now
)


class PoolTimeout(Exception):
    """No connection became free in time."""


class ConnectionLost(ConnectionError):
    """The connection was lost during a statement, or its cached plans predate a migration. Retry on a new one."""


class Connection:
    """The methods that queries use; each call is one statement."""

    __slots__ = ("_raw", "statements")

    def __init__(self, raw: "asyncpg.Connection[Record]") -> None:
        self._raw = raw
        self.statements = 0

    @property
    def is_closed(self) -> bool:
        return self._raw.is_closed()

    async def fetch(self, sql: str, *args: object) -> list[Record]:
        self.statements += 1
        return await self._raw.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: object) -> Record | None:
        self.statements += 1
        return await self._raw.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: object) -> Any:  # noqa: ANN401 - as wide as SQL itself
        self.statements += 1
        return await self._raw.fetchval(sql, *args)

    async def execute(self, sql: str, *args: object) -> str:
        self.statements += 1
        return await self._raw.execute(sql, *args)

    async def copy_rows(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        self.statements += 1
        await self._raw.copy_records_to_table(table, columns=list(columns), records=list(rows))

    async def copy_query(self, sql: str, write: Callable[[bytes], Coroutine[Any, Any, None]], *args: object) -> None:
        """The rows in the text format of COPY, while they arrive. `args` are quoted into the statement."""
        self.statements += 1
        await self._raw.copy_from_query(sql, *args, output=write)

    def transaction(self) -> Transaction:
        self.statements += 2  # BEGIN and COMMIT
        return self._raw.transaction()

    def read_only(self) -> Transaction:
        """A transaction in which the database refuses every write."""
        self.statements += 2
        return self._raw.transaction(readonly=True)

    def savepoint_if_nested(self) -> AbstractAsyncContextManager[object]:
        """For a single statement, which is a transaction by itself; inside another transaction it can fail alone.

        Without BEGIN and COMMIT its locks are released two round trips earlier.
        """
        return self.transaction() if self._raw.is_in_transaction() else nullcontext()


class Pool:
    """At most `size` connections. The last one used is reused first, so that few are used under low load."""

    def __init__(self, dsn: str, size: int = 10, wait: float = 10.0, settings: Mapping[str, str] | None = None) -> None:
        self._dsn = dsn
        self._settings = settings
        self._free: deque[asyncpg.Connection[Record]] = deque()
        self._slots = asyncio.Semaphore(size)
        self._wait = wait
        self._open: set[asyncpg.Connection[Record]] = set()

    def connection(self) -> "PooledConnection":
        return PooledConnection(self)

    async def close(self) -> None:
        while self._open:
            await self._open.pop().close(timeout=5)
        self._free.clear()

    async def take(self) -> "asyncpg.Connection[Record]":
        if self._slots.locked():
            await self._await_slot()
        else:
            await self._slots.acquire()  # without a timer, which would cost more than the rest
        while self._free:
            raw = self._free.pop()
            if not raw.is_closed():
                return raw
            self._open.discard(raw)
        try:
            raw = await connect(self._dsn, settings=self._settings)
        except BaseException:
            self._slots.release()
            raise
        self._open.add(raw)
        return raw

    async def _await_slot(self) -> None:
        try:
            async with asyncio.timeout(self._wait):
                await self._slots.acquire()
        except TimeoutError as late:
            raise PoolTimeout from late

    def release(self, raw: "asyncpg.Connection[Record]") -> None:
        """Without a reset, because asyncpg's costs more than most statements, and nothing sets session state."""
        if raw.is_closed() or raw.is_in_transaction():
            self._open.discard(raw)
            raw.terminate()
        else:
            self._free.append(raw)
        self._slots.release()


class PooledConnection:
    """A class, because a generator as a context manager costs as much as a short statement."""

    __slots__ = ("_connection", "_database", "_raw")

    def __init__(self, database: Pool) -> None:
        self._database = database

    async def __aenter__(self) -> Connection:
        self._raw = await self._database.take()
        add_held()
        self._connection = Connection(self._raw)
        return self._connection

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release(kind, failure, trace)

    def release(
        self, _kind: type[BaseException] | None, failure: BaseException | None, _trace: TracebackType | None
    ) -> int:
        """Returns the number of statements that were run."""
        remove_held()
        if failure is not None and (not isinstance(failure, Exception) or isinstance(failure, _OUTDATED)):
            self._raw.terminate()  # canceled during a statement, so its state is unknown
        is_lost = self._raw.is_closed()
        self._database.release(self._raw)
        if is_lost and isinstance(failure, Exception) and not isinstance(failure, WireError):
            raise ConnectionLost(type(failure).__name__) from failure
        return self._connection.statements


async def connect(
    dsn: str, wait: float = 10.0, settings: Mapping[str, str] | None = None
) -> "asyncpg.Connection[Record]":
    """Settings in the `options` of the address replace the defaults."""
    options = str(parse_qs(urlsplit(dsn).query).get("options", ""))
    defaults = {name: value for name, value in _SESSION.items() if f"{name}=" not in options}
    return await asyncpg.connect(
        dsn, timeout=wait, statement_cache_size=512, server_settings={**defaults, **(settings or {})}
    )


def citus_address(dsn: str) -> str:
    """The address with the session settings that a Citus coordinator needs."""
    parts = urlsplit(dsn)
    query = parse_qs(parts.query)
    options = [*query.get("options", []), *(f"-c {name}={value}" for name, value in _CITUS_SESSION.items())]
    return urlunsplit(
        parts._replace(query=urlencode({**query, "options": " ".join(options)}, doseq=True, quote_via=quote))
    )
