"""The state of the database: whether it answers, and what the operator's health page shows."""

import asyncio
from datetime import datetime
from typing import NamedTuple

import asyncpg
import structlog
from asyncpg import Record

from frontdesk.postgres.connect import connect
from frontdesk.postgres.pool import Connection
from frontdesk.runtime.time_limits import time_limit

READY_SECONDS = 2.0
_FAILURES = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_SEGMENT_NAME = 24  # letters: the timeline, and two parts of the number, of which the first counts 4 GB
_LOG_BYTES = 2**32
_log = structlog.get_logger("frontdesk.database")


class ReadyCheck:
    """Asks the database on a connection of its own, which no request can keep busy. Simultaneous callers ask once."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._raw: asyncpg.Connection[Record] | None = None
        self._asking: asyncio.Task[str | None] | None = None

    async def failure(self) -> str | None:
        """What is wrong with the database; None if nothing is. Takes no longer than `READY_SECONDS`."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> str | None:
        try:
            with time_limit(READY_SECONDS):
                if self._raw is None or self._raw.is_closed():
                    self._raw = await connect(self._dsn, wait=READY_SECONDS)
                accepts_writes = not await is_read_only(self._raw)
        except _FAILURES as error:
            _log.warning("not ready", reason=type(error).__name__)
            self._end()
            return "the database does not answer"
        if not accepts_writes:
            self._end()  # the next connection may lead to another server
            return "the database does not accept writes"
        return None

    def _end(self) -> None:
        if self._raw is not None:
            self._raw.terminate()
            self._raw = None

    def close(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
        self._end()


async def is_read_only(raw: "asyncpg.Connection[Record]") -> bool:
    return bool(await raw.fetchval("SELECT current_setting('transaction_read_only')") == "on")


async def waits_for_standby(raw: "asyncpg.Connection[Record]", pid: int) -> bool:
    """Whether that session of the same role commits, and no synchronous standby has confirmed it yet."""
    event: str | None = await raw.fetchval("SELECT wait_event FROM pg_stat_activity WHERE pid = $1", pid)
    return event == "SyncRep"


async def get_database_time(conn: Connection) -> datetime:
    now: datetime = await conn.fetchval("SELECT clock_timestamp()")
    return now


class DatabaseHealth(NamedTuple):
    version: str
    started_at: datetime
    size: int  # bytes
    connections: int
    max_connections: int
    longest_statement_seconds: float


class Replication(NamedTuple):
    """Of the replicas that follow this server; how far the last of them is behind, if the role may read that."""

    replicas: int
    lag_seconds: float | None
    lag_bytes: int | None


class Archiving(NamedTuple):
    is_on: bool
    last_at: datetime | None
    failed_at: datetime | None  # None if it works again
    waiting: int  # files of the log that were not copied yet


class AppliedMigration(NamedTuple):
    number: int
    name: str
    applied_at: datetime


async def get_database_health(conn: Connection) -> DatabaseHealth:
    row = await conn.fetchrow(
        """
        SELECT current_setting('server_version'), pg_postmaster_start_time(), pg_database_size(current_database()),
               count(*), current_setting('max_connections')::integer,
               coalesce(max(extract(epoch FROM now() - query_start)) FILTER (
                   WHERE state = 'active' AND pid <> pg_backend_pid()), 0)::float8
        FROM pg_stat_activity WHERE datname = current_database()
        """
    )
    if row is None:
        raise RuntimeError("an aggregate always returns a row")
    return DatabaseHealth(*row)


async def count_connections(conn: Connection) -> tuple[int, int]:
    """Those of all databases of the server, and how many there may be."""
    row = await conn.fetchrow(
        """
        SELECT count(*) AS count, current_setting('max_connections')::integer AS most FROM pg_stat_activity
        WHERE backend_type = 'client backend'
        """
    )
    return (row["count"], row["most"]) if row else (0, 0)


async def get_replication(conn: Connection) -> Replication:
    """A role without the privileges of `pg_monitor` sees the number of replicas only: their lag is NULL, not 0.

    Who copies the database or its log is no replica: the count would fall when a backup ends.
    """
    row = await conn.fetchrow(
        """
        SELECT count(pid),
               CASE WHEN may_read THEN coalesce(max(extract(epoch FROM replay_lag)), 0)::float8 END,
               CASE WHEN may_read THEN coalesce(max(pg_wal_lsn_diff(
                   CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END,
                   replay_lsn)), 0)::bigint END
        FROM pg_has_role('pg_read_all_stats', 'USAGE') AS may_read
        LEFT JOIN pg_stat_replication ON application_name NOT IN ('pg_basebackup', 'pg_receivewal')
        GROUP BY may_read
        """
    )
    return Replication(*row) if row else Replication(0, None, None)


async def get_archiving(conn: Connection) -> Archiving:
    """Any role may read this. Where the server is in the log, a replica does not know by itself."""
    row = await conn.fetchrow(
        """
        SELECT current_setting('archive_mode') <> 'off' AS is_on, last_archived_time, last_archived_wal,
               CASE WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN last_failed_time END
               AS failed_at,
               CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END AS current,
               pg_size_bytes(current_setting('wal_segment_size')) AS segment_bytes
        FROM pg_stat_archiver
        """
    )
    if row is None:
        raise RuntimeError("this view always has a row")
    numbers = [_segment_number(row[name], row["segment_bytes"]) for name in ("last_archived_wal", "current")]
    waiting = numbers[1] - numbers[0] - 1 if all(numbers) else 0
    return Archiving(row["is_on"], row["last_archived_time"], row["failed_at"], waiting)


def _segment_number(name: str | None, segment_bytes: int) -> int:
    """Of a file of the log; 0 of one that is none, such as 00000002.history."""
    if name is None or len(name) < _SEGMENT_NAME:
        return 0
    return int(name[8:16], 16) * (_LOG_BYTES // segment_bytes) + int(name[16:24], 16)


async def get_role(conn: Connection) -> str:
    """As it is written in a GRANT."""
    role: str = await conn.fetchval("SELECT quote_ident(current_user)")
    return role


async def list_applied_migrations(conn: Connection) -> list[AppliedMigration]:
    """Newest first."""
    rows = await conn.fetch("SELECT number, name, applied_at FROM schema_migrations ORDER BY number DESC")
    return [AppliedMigration(*row) for row in rows]
