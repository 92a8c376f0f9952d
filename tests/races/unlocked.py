"""What a guard is worth shows when it is gone: connections that take no locks, and a gate to hold writers at."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asyncpg import Record

from frontdesk.postgres.pool import Connection, connect

_LOCK = "FOR NO KEY UPDATE"
_MOST_LOOKS = 1000
_PATIENT = "SET lock_timeout = '30s'; SET statement_timeout = '30s'"  # the gate opens when all stand there, not before


class UnlockedConnection(Connection):
    """Runs every statement of the service, with its row locks left out."""

    async def fetch(self, sql: str, *args: object) -> list[Record]:
        return await super().fetch(_without_lock(sql), *args)

    async def fetchrow(self, sql: str, *args: object) -> Record | None:
        return await super().fetchrow(_without_lock(sql), *args)

    async def fetchval(self, sql: str, *args: object) -> Any:
        return await super().fetchval(_without_lock(sql), *args)

    async def execute(self, sql: str, *args: object) -> str:
        return await super().execute(_without_lock(sql), *args)


def _without_lock(sql: str) -> str:
    return sql.replace(_LOCK, "")


class LockFixture:
    """Connections to one throw-away database: one that commands, one that watches, two writers that meet."""

    def __init__(self, command: Connection, watch: Connection, writers: list[Connection]) -> None:
        self.command = command
        self._watch = watch  # never inside a transaction, which would see who waits only once
        self.writers = writers

    @asynccontextmanager
    async def holding(self, sql: str, *args: object, waiting: int = 2) -> AsyncIterator[None]:
        """The statement's locks are held until that many others wait for a lock, whatever the body has started."""
        async with self.command.transaction():
            await self.command.execute(sql, *args)
            yield
            await self.until_waiting(waiting)

    async def until_waiting(self, many: int) -> None:
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        await self._until(f"SELECT ({waiting}) = $1", many)

    async def until_blocked(self, pid: int, by: int) -> None:
        await self._until("SELECT $2 = ANY (pg_blocking_pids($1))", pid, by)

    async def _until(self, sql: str, *args: object) -> None:
        for _ in range(_MOST_LOOKS):
            if await self._watch.fetchval(sql, *args):
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"never came true: {sql} {args}")


@asynccontextmanager
async def open_lock_fixture(dsn: str, kind: type[Connection] = Connection) -> AsyncIterator[LockFixture]:
    raw = [await connect(dsn) for _ in range(4)]
    try:
        for writer in raw[2:]:
            await writer.execute(_PATIENT)
        yield LockFixture(Connection(raw[0]), Connection(raw[1]), [kind(writer) for writer in raw[2:]])
    finally:
        for each in raw:
            each.terminate()
