"""Shows what a guard is worth: database functions without it, and a barrier at which writers wait."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.schema.migration_files import read_functions
from frontdesk.server.database import functions_folder
from tests.support.waiting import eventually

_LOCK = re.compile(r"FOR NO KEY UPDATE( OF \w+)?")
_PATIENT = "SET lock_timeout = '30s'; SET statement_timeout = '30s'"  # longer than the barrier stays closed
NO_VERSION = ("lock_order", "NOT FOUND OR o.version <> p_version", "NOT FOUND")  # for change_function


async def remove_locks(conn: Connection) -> None:
    """Replaces the database functions by the same functions without their row locks."""
    for function in read_functions(functions_folder()):
        if _LOCK.search(function.sql) and "SKIP LOCKED" not in function.sql:  # a queue, which waits for nobody
            await conn.execute(_LOCK.sub("", function.sql))


async def change_function(conn: Connection, name: str, old: str, new: str) -> None:
    """Replaces a part of one database function."""
    [sql] = [function.sql for function in read_functions(functions_folder()) if function.name == name]
    assert old in sql, (name, old)
    await conn.execute(sql.replace(old, new))


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

    async def until_waiting(self, count: int) -> None:
        waiting = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        await self._until(f"SELECT ({waiting}) = $1", count)

    async def until_blocked(self, pid: int, by: int) -> None:
        await self._until("SELECT $2 = ANY (pg_blocking_pids($1))", pid, by)

    async def _until(self, sql: str, *args: object) -> None:
        await eventually(lambda: self._watch.fetchval(sql, *args))


@asynccontextmanager
async def open_lock_fixture(dsn: str, *, unlocked: bool = False) -> AsyncIterator[LockFixture]:
    raw = [await connect(dsn) for _ in range(4)]
    try:
        for writer in raw[2:]:
            await writer.execute(_PATIENT)
        command, watch, *writers = map(Connection, raw)
        if unlocked:
            await remove_locks(command)
        yield LockFixture(command, watch, writers)
    finally:
        for each in raw:
            each.terminate()
