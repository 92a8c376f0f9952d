"""Says why a command hangs: a commit waits without an end, and in silence, while a synchronous standby is missing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg
from asyncpg import Record

from frontdesk.postgres.connect import connect
from frontdesk.postgres.health import waits_for_standby

_SECONDS = 3.0
_LINE = (
    "waiting for the synchronous standby of the database to confirm the change: start that server, or take it out of "
    "synchronous_standby_names"
)


@asynccontextmanager
async def reporting_standby_wait(
    dsn: str, raw: "asyncpg.Connection[Record]", report: Callable[[str], None]
) -> AsyncIterator[None]:
    """While the connection is used. It cannot be asked itself, so another one is opened from time to time."""
    watching = asyncio.create_task(_watch(dsn, raw.get_server_pid(), report))
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.wait([watching])


async def _watch(dsn: str, pid: int, report: Callable[[str], None]) -> None:
    while True:
        await asyncio.sleep(_SECONDS)
        if await _waits(dsn, pid):
            report(_LINE)
            return


async def _waits(dsn: str, pid: int) -> bool:
    try:
        raw = await connect(dsn)
        try:
            return await waits_for_standby(raw, pid)
        finally:
            raw.terminate()
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return False
