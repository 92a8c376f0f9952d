"""Erases what is personal in deleted businesses, in short transactions: nothing of another business waits for it."""

import asyncio

from frontdesk.postgres.pool import Pool
from frontdesk.postgres.supervise import record_success
from frontdesk.runtime.slow_work import QUERIES
from frontdesk.tenants.erasure_queries import BATCH, erase_batch, list_erasures

_POLL_SECONDS = 10.0
_PAUSE_SECONDS = 0.05  # between batches, so that the database has time for others


async def run_erasure_loop(database: Pool) -> None:
    """Runs until canceled. Several processes may run it: each business is erased by one of them at a time."""
    while True:
        await erase_waiting(database)
        record_success()
        await asyncio.sleep(_POLL_SECONDS)


async def erase_waiting(database: Pool, limit: int = BATCH) -> None:
    async with database.connection() as conn:
        waiting = [erasure.tenant_id for erasure in await list_erasures(conn)]
    while waiting:
        for tenant_id in list(waiting):
            async with QUERIES.turn(tenant_id), database.connection() as conn:
                if not await erase_batch(conn, tenant_id, limit):
                    waiting.remove(tenant_id)
            await asyncio.sleep(_PAUSE_SECONDS)
