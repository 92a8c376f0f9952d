"""Runs an import, or undoes it: batches of rows in one transaction, so that everything is written or nothing."""

from collections.abc import Mapping
from uuid import UUID

import asyncpg

from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.problems import RunProblem
from frontdesk.imports.queries import call_function, discard_plans, end_events, renew_lease, set_status
from frontdesk.imports.types import Import, ImportStatus
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.write import OUTDATED, UNIQUE
from frontdesk.values.clock import current_time

BATCH = 2000  # numbers of rows; a batch takes well under a second
EVENT_BATCH = 1000


async def run_import(database: Pool, import_: Import, lease: UUID) -> None:
    """If a record was changed since it was checked, nothing is written and everything is checked again."""
    kind = KINDS[import_.kind]
    argument = {"id": import_.id, "at": current_time(), "lease": lease, "actor": import_.actor}
    try:
        async with database.connection() as conn, conn.transaction():
            await call_function(conn, import_, "create_import_tags_and_categories", argument)
            await _run_batches(database, conn, import_, lease, kind.run, argument)
            await call_function(conn, import_, "finish_import", {**argument, "counted": kind.counted})
    except asyncpg.PostgresError as error:
        if error.sqlstate not in (OUTDATED, UNIQUE):
            raise
        async with database.connection() as conn:
            await set_status(conn, import_, ImportStatus.CHECKING, lease, RunProblem.CHANGED_MEANWHILE)


async def undo_import(database: Pool, import_: Import, lease: UUID) -> None:
    kind = KINDS[import_.kind]
    argument = {"id": import_.id, "at": import_.written_at, "lease": lease, "actor": import_.actor}
    async with database.connection() as conn, conn.transaction():
        await _run_batches(database, conn, import_, lease, kind.undo, argument)
        await call_function(conn, import_, "finish_import_undo", {**argument, "counted": kind.counted})


async def publish_events(database: Pool, import_: Import, lease: UUID) -> None:
    """The events of a run or of an undo. Each batch locks the counter of events for some milliseconds."""
    last = 0
    while True:
        async with database.connection() as conn:
            argument = {"id": import_.id, "limit": EVENT_BATCH, "after": last}
            last = await call_function(conn, import_, "emit_import_events", argument)
            if not last:
                await end_events(conn, import_, lease)
                return
            await renew_lease(conn, import_, lease, import_.progress)


async def _run_batches(
    database: Pool, conn: Connection, import_: Import, lease: UUID, function: str, argument: Mapping[str, object]
) -> None:
    """Progress is written on another connection, because what this transaction writes is visible only at its end."""
    done = 0
    for first in range(1, import_.last_row + 1, BATCH):
        await discard_plans(conn)
        done += await call_function(conn, import_, function, {**argument, "first": first, "last": first + BATCH - 1})
        async with database.connection() as other:
            await renew_lease(other, import_, lease, done)
