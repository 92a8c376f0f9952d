"""Throws away what nobody needs any more, every ten minutes, beside the requests."""

import asyncio
import random

import asyncpg
import structlog

from frontdesk.access.queries import delete_dead_tokens
from frontdesk.access.request_log_queries import delete_old_requests
from frontdesk.access.session_queries import delete_dead_sessions
from frontdesk.events.delivery_queries import delete_old_attempts
from frontdesk.events.queries import delete_old_events
from frontdesk.kit.db import Database, DatabaseBusy
from frontdesk.kit.idempotency import delete_old_answers
from frontdesk.kit.ratelimit import delete_idle_windows

_EVERY = 600.0
_TASKS = (
    delete_idle_windows,
    delete_old_answers,
    delete_dead_tokens,
    delete_dead_sessions,
    delete_old_requests,
    delete_old_events,
    delete_old_attempts,
)
_log = structlog.get_logger("frontdesk.housekeeping")


async def keep_house(database: Database) -> None:
    """Until cancelled. Several processes may do it: deleting twice does no harm, and they rarely meet."""
    while True:
        await asyncio.sleep(_EVERY * random.uniform(0.5, 1.0))  # noqa: S311 - only to keep processes apart
        try:
            await tidy_up(database)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, DatabaseBusy) as failure:
            _log.warning("housekeeping failed", reason=type(failure).__name__)


async def tidy_up(database: Database) -> None:
    for task in _TASKS:
        async with database.connection() as conn:
            await task(conn)
