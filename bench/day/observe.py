"""What the programs use during the day: CPU time, memory, connections, the disk, the age of the queues."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from bench.run import connection
from bench.usage import all_cpu_seconds, proportional_bytes
from frontdesk.messages.monitoring_queries import count_due as count_due_messages
from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.delivery_queries import count_late

_MEASURE_SECONDS = 2.0
_DRAIN_SECONDS = 120


class Peaks:
    """The largest seen so far."""

    def __init__(self) -> None:
        self.connections = 0
        self.memory: dict[str, int] = {}  # by program
        self.queue_seconds = {"webhooks": 0.0, "messages": 0.0}


class TableSize(NamedTuple):
    rows: int
    table: int  # bytes, with what is stored outside the row
    indexes: int


class Used(NamedTuple):
    """Since the beginning of the database."""

    cpu_seconds: dict[str, float]  # by program
    log_bytes: int
    tables: Mapping[str, TableSize]


async def read_used(conn: Connection, programs: Mapping[str, int]) -> Used:
    await conn.execute("VACUUM ANALYZE")
    rows = await conn.fetch(
        """
        SELECT c.relname, c.reltuples::bigint AS rows, pg_table_size(c.oid) AS size, pg_indexes_size(c.oid) AS indexes
        FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        """
    )
    return Used(
        {name: all_cpu_seconds(pid) for name, pid in programs.items()},
        await conn.fetchval("SELECT (pg_current_wal_lsn() - '0/0')::bigint"),
        {row["relname"]: TableSize(row["rows"], row["size"], row["indexes"]) for row in rows},
    )


@asynccontextmanager
async def watching(dsn: str, programs: Mapping[str, int]) -> AsyncIterator[Peaks]:
    peaks = Peaks()
    async with connection(dsn) as conn:
        task = asyncio.create_task(_watch(conn, programs, peaks))
        try:
            yield peaks
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _watch(conn: Connection, programs: Mapping[str, int], peaks: Peaks) -> None:
    while True:
        connections = await conn.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        peaks.connections = max(peaks.connections, connections)
        for name, (_, age) in (await _queues(conn)).items():
            peaks.queue_seconds[name] = max(peaks.queue_seconds[name], age)
        for name, pid in programs.items():
            peaks.memory[name] = max(peaks.memory.get(name, 0), proportional_bytes(pid))
        await asyncio.sleep(_MEASURE_SECONDS)


async def wait_for_queues(conn: Connection) -> float:
    """Seconds until webhooks and messages are sent, or the limit."""
    began = time.monotonic()
    while True:
        waiting, seconds = await _queues(conn), time.monotonic() - began
        if seconds > _DRAIN_SECONDS or not any(many for many, _ in waiting.values()):
            return seconds
        await asyncio.sleep(0.2)


async def _queues(conn: Connection) -> dict[str, tuple[int, float]]:
    return {"webhooks": await count_late(conn), "messages": await count_due_messages(conn)}
