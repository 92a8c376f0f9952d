"""Throws away what nobody needs any more, every ten minutes, beside the requests."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import asyncpg
import structlog

from frontdesk.auth.queries import delete_expired_tokens
from frontdesk.auth.rate_limit import delete_idle_throttles, delete_idle_windows
from frontdesk.auth.request_log_queries import delete_old_requests
from frontdesk.auth.session_queries import delete_expired_sessions
from frontdesk.postgres.idempotency import delete_expired_responses
from frontdesk.postgres.pool import Connection, Pool, PoolTimeout
from frontdesk.webhooks.delivery_queries import delete_old_attempts
from frontdesk.webhooks.queries import delete_old_events

Task = Callable[[Connection, int], Awaitable[int]]

BATCH = 2000  # rows that one statement deletes, far below the statement timeout
_MAX_BATCHES = 500
_FAILURES = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, PoolTimeout)
_EVERY = 600.0
_TASKS = (
    delete_idle_windows,
    delete_idle_throttles,
    delete_expired_responses,
    delete_expired_tokens,
    delete_expired_sessions,
    delete_old_requests,
    delete_old_events,
    delete_old_attempts,
)
_log = structlog.get_logger("frontdesk.server.cleanup")


async def run_cleanup_loop(database: Pool) -> None:
    """Until cancelled. Several processes may do it: they skip the rows that another one is deleting."""
    while True:
        await asyncio.sleep(_EVERY * random.uniform(0.5, 1.0))  # noqa: S311 - only to keep processes apart
        await run_cleanup(database)


async def run_cleanup(database: Pool, batch: int = BATCH) -> None:
    """Each task on its own. One that fails is logged and goes on where it stopped the next time."""
    for task in _TASKS:
        try:
            await _run(task, database, batch)
        except _FAILURES as failure:
            _log.warning("housekeeping failed", task=task.__name__, reason=type(failure).__name__)


async def _run(task: Task, database: Pool, batch: int) -> None:
    """One transaction a batch, and the connection is given back after each, so that requests get their turn."""
    for _ in range(_MAX_BATCHES):
        async with database.connection() as conn:
            deleted = await task(conn, batch)
        if deleted < batch:
            return
