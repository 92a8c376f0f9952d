"""A replica takes reads that may be a moment late: reports, exports, lists, and reads of the APIs that ask for it.

After each request that may write, the position of the log is stored for its business. A read uses the replica only if
that has come so far, so nobody misses what they, or another one of the business, have written. A replica that is late
or does not answer costs time: the primary answers instead.
"""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

import asyncpg
import structlog
from prometheus_client import Counter

from frontdesk.postgres.pool import Connection, Pool, PoolTimeout
from frontdesk.runtime.late_gauge import LateGauge

T = TypeVar("T")
_CONNECT_SECONDS = 1.0
_PAUSE_SECONDS = 5.0  # after a failure, until it is asked again
_FAILURES = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_reads = Counter("frontdesk_replica_reads_total", "Reads that the replica was asked for", ["outcome"])
_is_up = LateGauge("frontdesk_replica_up", "Whether the replica answered when it was last asked", "livemin")
_log = structlog.get_logger("frontdesk.database")


class ReplicaUnusable(Exception):
    """It is late, or does not answer: ask the primary."""


class Replica:
    def __init__(self, dsn: str, size: int, slow_seconds: float) -> None:
        self._pool = Pool(dsn, size, _CONNECT_SECONDS, name="replica", slow_seconds=slow_seconds)
        self._asked_from = 0.0

    async def read(self, work: Callable[[Connection], Awaitable[T]], position: str | None) -> T:
        """`position` is that of the last write, as text."""
        if time.monotonic() < self._asked_from:
            raise self._unusable("paused")
        is_there = False
        try:
            async with self._pool.connection() as conn:
                is_late = not await _has(conn, position)
                is_there = True
                if is_late:
                    raise self._unusable("late")
                found = await work(conn)
        except PoolTimeout as full:
            raise self._unusable("busy") from full
        except _FAILURES as failure:  # of the statement alone, for example one that reads an unlogged table
            _log.warning("the replica failed", reason=type(failure).__name__)
            if not is_there or isinstance(failure, OSError):
                self._asked_from = time.monotonic() + _PAUSE_SECONDS
                _is_up.set(0)
            raise self._unusable("failed") from failure
        _is_up.set(1)
        _reads.labels("answered").inc()
        return found

    def _unusable(self, outcome: str) -> ReplicaUnusable:
        _reads.labels(outcome).inc()
        return ReplicaUnusable(outcome)

    async def close(self) -> None:
        await self._pool.close()


async def _has(conn: Connection, position: str | None) -> bool:
    """A server that does not recover is no replica any more, and has everything."""
    has_come: bool = await conn.fetchval(
        "SELECT NOT pg_is_in_recovery() OR $1::text IS NULL OR pg_last_wal_replay_lsn() >= $1::text::pg_lsn", position
    )
    return has_come


async def replica_delay(conn: Connection) -> float | None:
    """Seconds since the last transaction that it has; None if it is no replica."""
    seconds: float | None = await conn.fetchval(
        """
        SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
            ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 END
        WHERE pg_is_in_recovery()
        """
    )
    return seconds


async def find_last_write(conn: Connection, tenant_id: UUID) -> str | None:
    position: str | None = await conn.fetchval("SELECT position::text FROM last_writes WHERE tenant_id = $1", tenant_id)
    return position


async def store_last_write(conn: Connection, tenant_id: UUID) -> None:
    """After the write was committed."""
    await conn.execute(
        """
        INSERT INTO last_writes (tenant_id, position) VALUES ($1, pg_current_wal_insert_lsn())
        ON CONFLICT (tenant_id) DO UPDATE SET position = greatest(last_writes.position, excluded.position)
        """,
        tenant_id,
    )
