"""Works on imports in the background of a server process. Several processes share the imports by leases."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from uuid import UUID

import asyncpg
import structlog

from frontdesk.imports.check import check_import
from frontdesk.imports.problems import RunProblem
from frontdesk.imports.queries import LeaseLost, claim_import, get_import, list_waiting, release_lease, set_status
from frontdesk.imports.run import publish_events, run_import, undo_import
from frontdesk.imports.types import Import, ImportStatus
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Pool, PoolTimeout
from frontdesk.postgres.supervise import Supervised, record_success, supervise
from frontdesk.runtime.time_limits import time_limit
from frontdesk.values.ids import uuid7

POLL_SECONDS = 2.0
_LOST = (OSError, TimeoutError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, PoolTimeout)
_STEPS: Mapping[ImportStatus, Callable[[Pool, Import, UUID], Awaitable[None]]] = {
    ImportStatus.CHECKING: check_import,
    ImportStatus.RUNNING: run_import,
    ImportStatus.UNDOING: undo_import,
}
_log = structlog.get_logger("frontdesk.imports")


class ImportWorker:
    """Works on one import at a time. If the process ends, its transaction ends, and another process begins again.

    `submitted` is set when a request of this process submits work. The workers of other processes find it by polling.
    """

    def __init__(self, database: Pool, submitted: asyncio.Event) -> None:
        self._database = database
        self._submitted = submitted
        self._poll = POLL_SECONDS
        self._served: dict[UUID, int] = {}  # when each tenant had its last turn: the one that waited longest is next
        self._task: Supervised | None = None

    def start(self) -> None:
        self._task = supervise("imports", self._run)

    async def stop(self) -> None:
        if self._task is not None:
            await self._task.stop()
        await self._database.close()

    async def _run(self) -> None:
        while True:
            self._submitted.clear()
            worked = await self.work_once()
            record_success()
            if not worked:
                await self._wait()

    async def _wait(self) -> None:
        with suppress(TimeoutError), time_limit(self._poll):
            await self._submitted.wait()

    async def work_once(self) -> bool:
        """Takes one import a step further; False if none waits."""
        async with self._database.connection() as conn:
            waiting = await list_waiting(conn)
        for tenant_id, import_id in sorted(waiting, key=lambda entry: self._served.get(entry[0], 0)):
            lease = uuid7()
            async with self._database.connection() as conn:
                if not await claim_import(conn, tenant_id, import_id, lease):
                    continue
                import_ = await get_import(conn, tenant_id, import_id)
            self._served = {id_: self._served.get(id_, 0) for id_, _ in waiting}
            self._served[tenant_id] = 1 + max(self._served.values())
            await self._step(import_, lease)
            return True
        return False

    async def _step(self, import_: Import, lease: UUID) -> None:
        try:
            step = publish_events if import_.has_events else _STEPS[import_.status]
            await step(self._database, import_, lease)
        except LeaseLost:
            pass
        except asyncio.CancelledError:
            await self._release(import_, lease)
            raise
        except _LOST:
            raise
        except Exception as error:  # noqa: BLE001 - a bug must not stop the other imports
            _log.error("import failed", import_id=str(import_.id), trace=trace(error))
            if import_.has_events:  # what was imported stays; the events are tried again when the lease has ended
                return
            after = ImportStatus.DONE if import_.status is ImportStatus.UNDOING else ImportStatus.FAILED
            async with self._database.connection() as conn:
                await set_status(conn, import_, after, lease, RunProblem.FAILED)

    async def _release(self, import_: Import, lease: UUID) -> None:
        """When the server stops, so that another process does not wait for the end of the lease."""
        with suppress(*_LOST, asyncpg.PostgresError):
            async with self._database.connection() as conn:
                await release_lease(conn, import_, lease)
