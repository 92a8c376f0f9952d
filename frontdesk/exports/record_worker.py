"""Writes exports of records in the background of a server process. Several processes share them by leases."""

import asyncio
import gzip
from contextlib import suppress
from uuid import UUID

import asyncpg
import structlog

from frontdesk.exports.record_queries import (
    ClaimedExport,
    LeaseLost,
    add_part,
    begin_export,
    claim_export,
    end_export,
    last_sequence,
    read_records,
    release_export,
)
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Pool, PoolTimeout
from frontdesk.postgres.query import fetch
from frontdesk.postgres.snapshot import begin_snapshot
from frontdesk.postgres.supervise import Supervised, record_success, supervise
from frontdesk.runtime.slow_work import ARCHIVES
from frontdesk.values.ids import uuid7

POLL_SECONDS = 1.0
_BATCH = 500  # records of a statement
_PART = 1024 * 1024  # characters of a part, before they are compressed
_LEVEL = 3  # of the compression: a tenth of the size at a third of the time of the usual one
_FIRST = UUID(int=0)
_LOST = (OSError, TimeoutError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, PoolTimeout)
_log = structlog.get_logger("frontdesk.exports")


class RecordExportWorker:
    """Writes one export at a time. If the process ends, another one begins again."""

    def __init__(self, database: Pool, slow_database: Pool, *, by_tenant: bool = False) -> None:
        self._database = database
        self._slow_database = slow_database
        self._by_tenant = by_tenant  # tenants are on different nodes
        self._task: Supervised | None = None

    def start(self) -> None:
        self._task = supervise("record exports", self._run)

    async def stop(self) -> None:
        if self._task is not None:
            await self._task.stop()

    async def _run(self) -> None:
        while True:
            worked = await self.work_once()
            record_success()
            if not worked:
                await asyncio.sleep(POLL_SECONDS)

    async def work_once(self) -> bool:
        """Writes the next export; False if none waits."""
        async with self._database.connection() as conn:
            export = await claim_export(conn, uuid7(), by_tenant=self._by_tenant)
        if export is None:
            return False
        try:
            await _write(self._database, self._slow_database, export)
        except LeaseLost:
            pass
        except asyncio.CancelledError:
            with suppress(*_LOST, asyncpg.PostgresError, LeaseLost):
                async with self._database.connection() as conn:
                    await release_export(conn, export)
            raise
        except _LOST:
            raise
        except Exception as error:  # noqa: BLE001 - a bug must not stop the other exports
            _log.error("export failed", export_id=str(export.id), trace=trace(error))
            with suppress(LeaseLost):
                async with self._database.connection() as conn:
                    await end_export(conn, export, failed=True)
        return True


async def _write(database: Pool, slow_database: Pool, export: ClaimedExport) -> None:
    """All records from one snapshot. What it contains has events up to its sequence: the counter of events is locked by
    every writer until it commits, so the snapshot sees the changes of exactly the events that it counts."""
    async with (
        ARCHIVES.turn(export.tenant_id, has_begun=True),
        slow_database.connection() as reader,
        reader.transaction(),
    ):
        await begin_snapshot(reader)
        sequence = await last_sequence(reader, export.tenant_id)
        async with database.connection() as conn:
            await begin_export(conn, export, sequence)
        file = _File(database, export)
        for resource in export.resources:
            after = _FIRST
            while found := await fetch(reader, export.tenant_id, read_records(resource, after, _BATCH, export)):
                await file.add(found.lines, found.number)
                after = found.last
        await file.flush()
    async with database.connection() as conn:
        await end_export(conn, export, failed=False)


class _File:
    """Lines become parts, each of which is compressed by itself."""

    def __init__(self, database: Pool, export: ClaimedExport) -> None:
        self._database = database
        self._export = export
        self._lines: list[str] = []
        self._size = self._records = self._parts = 0

    async def add(self, lines: str, records: int) -> None:
        self._lines.append(lines)
        self._size += len(lines)
        self._records += records
        if self._size >= _PART:
            await self.flush()

    async def flush(self) -> None:
        if not self._lines:
            return
        content = await asyncio.to_thread(_compressed, self._lines)
        self._lines, self._size, self._parts = [], 0, self._parts + 1
        async with self._database.connection() as conn, conn.transaction():
            await add_part(conn, self._export, self._parts, content, self._records)


def _compressed(lines: list[str]) -> bytes:
    return gzip.compress(("\n".join(lines) + "\n").encode(), _LEVEL)
