"""Connections to PostgreSQL: a pool that tenants take turns at, and a wrapper that limits and counts statements."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from types import TracebackType
from typing import Any

import asyncpg
import structlog
from asyncpg import Record

from frontdesk.postgres.connect import Hosts, citus_address, connect
from frontdesk.postgres.connection_guard import count_returned, count_taken
from frontdesk.postgres.limited_transaction import LimitedTransaction
from frontdesk.postgres.pool_metrics import WAIT_SECONDS, measured
from frontdesk.postgres.session_clock import move_session_clock
from frontdesk.postgres.slow_statements import log_slow_statement, report_statement
from frontdesk.problems import Refusal
from frontdesk.runtime.time_limits import Deadlines
from frontdesk.runtime.tracing import tracing
from frontdesk.runtime.turns import QueueFull, Turns, TurnTimeout
from frontdesk.values.clock import seconds_ahead

__all__ = (
    "Connection",
    "ConnectionLost",
    "Pool",
    "PoolFull",
    "PoolTimeout",
    "PooledConnection",
    "citus_address",
    "connect",
)

STATEMENT_SECONDS = 11.0  # longer than `statement_timeout`: a server that answers ends the statement itself
COPY_STEP_SECONDS = 60.0  # between two parts of a COPY; the server sorts before the first
_ANY_NUMBER = 1_000_000
_CLOSE_SECONDS = 5.0
# A connection's cached statements are outdated: the database was migrated since.
_OUTDATED = (
    asyncpg.InvalidCachedStatementError,
    asyncpg.OutdatedSchemaCacheError,
    asyncpg.DatatypeMismatchError,  # a row that a database function takes has other columns now
)
_log = structlog.get_logger("frontdesk.database")


class PoolTimeout(Exception):
    """No connection became free in time."""


class PoolFull(PoolTimeout):
    """So many requests of this tenant wait for a connection that this one is not to wait too."""


class ConnectionLost(ConnectionError):
    """The connection was lost during a statement, or its cached plans predate a migration. Retry on a new one."""


class Connection:
    """The methods that queries use; each call is one statement.

    Inside a pool each has a limit of time, which this process enforces: a server that hangs, or a host that is gone,
    does not. Then the connection is aborted, and nothing waits for the server.
    """

    __slots__ = ("_began", "_is_reading_only", "_limit", "_pool", "_raw", "seconds", "sql", "statements")

    def __init__(self, raw: "asyncpg.Connection[Record]", pool: "Pool | None" = None) -> None:
        self._raw = raw
        self._pool = pool
        self._limit = 0.0 if pool is None else pool.statement_seconds
        self._is_reading_only = False
        self.statements, self.sql = 0, ""  # how many, and the last one
        self.seconds = 0.0  # of all of them

    @property
    def is_closed(self) -> bool:
        return self._raw.is_closed()

    def allow(self, seconds: float) -> None:
        """For each statement until the connection is released. `statement_timeout` is to be set too."""
        self._limit = seconds

    # A statement is a `with self` block, without an object of its own: this is the path of every statement.

    def __enter__(self) -> None:
        self.statements += 1
        if self._pool is not None:
            self._pool.deadlines.start(self, self._limit, self._expire)
            self._began = time.monotonic()

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        self._pool.deadlines.stop(self)
        seconds = time.monotonic() - self._began
        self.seconds += seconds
        if seconds > self._pool.report_seconds:
            report_statement(self._raw, self.sql, seconds, self._pool.slow_seconds, self._pool.name)
        if isinstance(failure, asyncpg.ReadOnlySQLTransactionError) and not self._is_reading_only:
            _log.error("the database does not accept writes")
            self._abandon()
            raise ConnectionLost("read-only") from failure

    def _expire(self) -> None:
        if self._pool is not None:
            log_slow_statement(self._raw, self.sql, time.monotonic() - self._began, self._pool.name)
        _log.error("the database does not answer")
        self._abandon()

    def _abandon(self) -> None:
        """The connection ends at once. The server, or the way to it, has changed, so the idle ones are not used."""
        self._raw.terminate()
        if self._pool is not None:
            self._pool.suspect_host_of(self._raw)

    async def fetch(self, sql: str, *args: object) -> list[Record]:
        self.sql = sql
        with self:
            return await self._raw.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: object) -> Record | None:
        self.sql = sql
        with self:
            return await self._raw.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: object) -> Any:  # noqa: ANN401 - as wide as SQL itself
        self.sql = sql
        with self:
            return await self._raw.fetchval(sql, *args)

    async def execute(self, sql: str, *args: object) -> str:
        self.sql = sql
        with self:
            return await self._raw.execute(sql, *args)

    async def execute_one(self, sql: str, *args: object) -> bool:
        """Whether the statement wrote a row; for those that write at most one."""
        return (await self.execute(sql, *args)).endswith(" 1")

    async def copy_rows(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        self.sql = f"INSERT INTO {table}"  # as it is logged
        with self:
            await self._raw.copy_records_to_table(table, columns=list(columns), records=list(rows))

    async def copy_query(self, sql: str, write: Callable[[bytes], Coroutine[Any, Any, None]], *args: object) -> None:
        """The rows in the text format of COPY, while they arrive. `args` are quoted into the statement."""

        async def write_in_time(part: bytes) -> None:
            if self._pool is not None:
                self._pool.deadlines.stop(self)  # it may wait for a reader that is slow
            await write(part)
            if self._pool is not None:
                self._pool.deadlines.start(self, COPY_STEP_SECONDS, self._expire)

        self.sql = sql
        with self:
            if self._pool is not None:
                self._pool.deadlines.start(self, COPY_STEP_SECONDS, self._expire)
            await self._raw.copy_from_query(sql, *args, output=write_in_time)

    def transaction(self) -> LimitedTransaction:
        return LimitedTransaction(self, self._raw, self._raw.transaction())

    def read_only(self) -> LimitedTransaction:
        """A transaction in which the database refuses every write."""
        self._is_reading_only = True
        return LimitedTransaction(self, self._raw, self._raw.transaction(readonly=True))

    def savepoint_if_nested(self) -> AbstractAsyncContextManager[object]:
        """For a single statement, which is a transaction by itself; inside another transaction it can fail alone.

        Without BEGIN and COMMIT its locks are released two round trips earlier.
        """
        return self.transaction() if self._raw.is_in_transaction() else nullcontext()


class Pool:
    """At most `size` connections. The last one used is reused first, so that few are used under low load.

    Tenants that wait take turns. While another waits a tenant gets no more than `share` of the connections, and no more
    than `waiting` of its requests wait. `memory` is for how many seconds another one counts as waiting.
    """

    def __init__(
        self,
        dsn: str,
        size: int = 10,
        wait: float = 10.0,
        settings: Mapping[str, str] | None = None,
        *,
        statement_seconds: float | None = None,
        share: int | None = None,
        waiting: int = _ANY_NUMBER,
        memory: float = 0.0,
        name: str = "other",
        slow_seconds: float = math.inf,
    ) -> None:
        """`name` is that of the metrics. A statement that takes longer than `slow_seconds` is logged."""
        self._hosts = Hosts(dsn)
        self._settings = settings
        self._free: deque[asyncpg.Connection[Record]] = deque()
        self._wait = wait
        self._open: dict[asyncpg.Connection[Record], str] = {}  # with the address of the host
        self.moved: dict[asyncpg.Connection[Record], int] = {}  # by how many seconds their time is ahead
        self.turns: Turns[Hashable] = Turns(size, share=share or size, waiting=waiting, limit=wait, memory=memory)
        self.deadlines = Deadlines()
        self.statement_seconds = statement_seconds or STATEMENT_SECONDS
        self.name, self.slow_seconds = name, slow_seconds
        self.report_seconds = slow_seconds if tracing.tracer is None else 0.0
        self._wait_seconds = WAIT_SECONDS.labels(name)
        measured.add(self)

    def connection(self, tenant: Hashable = None) -> "PooledConnection":
        return PooledConnection(self, tenant)

    async def close(self) -> None:
        measured.discard(self)
        self._free.clear()
        closing = [raw.close(timeout=_CLOSE_SECONDS) for raw in self._open]
        self._open.clear()
        await asyncio.gather(*closing, return_exceptions=True)  # a connection that does not close is aborted

    async def take(self, tenant: Hashable = None, wait: float | None = None) -> "asyncpg.Connection[Record]":
        """Waits for a turn and a connection, for both together no longer than `wait`."""
        until = time.monotonic() + (self._wait if wait is None else wait)
        if not self.turns.take(tenant):
            await self._await_turn(tenant, wait)
        while self._free:
            raw = self._free.pop()
            if not raw.is_closed():
                return raw
            self._forget(raw)
        try:
            raw, host = await self._hosts.connect(until - time.monotonic(), self._settings)
        except BaseException:
            self.turns.release(tenant)
            raise
        self._open[raw] = host
        return raw

    async def set_clock(self, raw: "asyncpg.Connection[Record]", conn: Connection) -> None:
        """Puts a connection that was taken at the time of the business; nearly all are there already."""
        seconds = seconds_ahead()
        if seconds == self.moved.get(raw):
            return
        self.moved.pop(raw, None)
        conn.sql = "SET the clock"
        with conn:
            await move_session_clock(raw, seconds)
        if seconds is not None:
            self.moved[raw] = seconds

    async def _await_turn(self, tenant: Hashable, wait: float | None) -> None:
        try:
            with self._wait_seconds.time():
                await self.turns.wait(tenant, wait)
        except QueueFull as full:
            raise PoolFull from full
        except TurnTimeout as late:
            raise PoolTimeout from late

    def release(self, raw: "asyncpg.Connection[Record]", tenant: Hashable = None) -> None:
        """Without a reset, which costs more than most statements with asyncpg: only `set_clock` sets session state."""
        if raw.is_closed() or raw.is_in_transaction():
            self._forget(raw)
            raw.terminate()
        else:
            self._free.append(raw)
        self.turns.release(tenant)

    def suspect_host_of(self, raw: "asyncpg.Connection[Record]") -> None:
        """Its idle connections are not used again, and with several hosts it is the last to be tried."""
        host = self._open.get(raw)
        if host is None:
            return
        self._hosts.suspect(host)
        for idle in [idle for idle in self._free if self._open.get(idle) == host]:
            self._free.remove(idle)
            self._forget(idle)
            idle.terminate()

    def _forget(self, raw: "asyncpg.Connection[Record]") -> None:
        self._open.pop(raw, None)
        self.moved.pop(raw, None)


class PooledConnection:
    """A class, because a generator as a context manager costs as much as a short statement."""

    __slots__ = ("_connection", "_database", "_raw", "_tenant")

    def __init__(self, database: Pool, tenant: Hashable = None) -> None:
        self._database = database
        self._tenant = tenant

    async def __aenter__(self) -> Connection:
        self._raw = await self._take()
        count_taken()
        self._connection = Connection(self._raw, self._database)
        if self._database.moved or seconds_ahead() is not None:
            await self._set_clock()
        return self._connection

    async def _set_clock(self) -> None:
        try:
            await self._database.set_clock(self._raw, self._connection)
        except BaseException as failure:
            self._raw.terminate()
            self.release(type(failure), failure, None)
            raise

    async def _take(self) -> "asyncpg.Connection[Record]":
        return await self._database.take(self._tenant)

    async def __aexit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release(kind, failure, trace)

    def release(
        self, _kind: type[BaseException] | None, failure: BaseException | None, _trace: TracebackType | None
    ) -> int:
        """Returns the number of statements that were run."""
        count_returned()
        if failure is not None and (not isinstance(failure, Exception) or isinstance(failure, _OUTDATED)):
            self._raw.terminate()  # canceled during a statement, so its state is unknown
        is_lost = self._raw.is_closed()
        self._database.release(self._raw, self._tenant)
        if is_lost and isinstance(failure, Exception) and not isinstance(failure, Refusal):
            raise ConnectionLost(type(failure).__name__) from failure
        return self._connection.statements
