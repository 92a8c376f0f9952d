"""What every scenario gets: an empty, migrated database, the callers, and how much to measure."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from bench.processes import Callers, Server, running_reference, running_service
from bench.reference.bare import ReferenceTenants
from bench.sizes import Size
from bench.turns import Turns
from bench.usage import parent_of
from frontdesk.postgres.pool import Connection, connect

T = TypeVar("T")


class Run(NamedTuple):
    dsn: str
    folder: Path
    size: Size
    callers: Callers
    postmaster: int

    @property
    def turns(self) -> Turns:
        return Turns(self.callers, self.postmaster, self.size.rounds, self.size.seconds)

    def service(self, **settings: str) -> AbstractContextManager[Server]:
        return running_service(self.dsn, self.folder, **settings)

    def bare_reference(self, tenants: ReferenceTenants | None = None) -> AbstractContextManager[Server]:
        return running_reference(self.dsn, tenants or ReferenceTenants())

    def full_reference(self) -> AbstractContextManager[Server]:
        return running_reference(self.dsn, None)

    def prepare(self, make: Callable[[Connection], Awaitable[T]]) -> T:
        """Runs `make` and leaves the tables vacuumed and analyzed."""
        return asyncio.run(self._prepare(make))

    def query(self, read: Callable[[Connection], Awaitable[T]]) -> T:
        return asyncio.run(self._query(read))

    async def _prepare(self, make: Callable[[Connection], Awaitable[T]]) -> T:
        async with connection(self.dsn) as conn:
            made = await make(conn)
            await conn.execute("VACUUM ANALYZE")
        return made

    async def _query(self, read: Callable[[Connection], Awaitable[T]]) -> T:
        async with connection(self.dsn) as conn:
            return await read(conn)


def postmaster_of(dsn: str) -> int:
    return asyncio.run(_postmaster(dsn))


async def _postmaster(dsn: str) -> int:
    raw = await connect(dsn)
    try:
        return parent_of(raw.get_server_pid())
    finally:
        await raw.close()


@asynccontextmanager
async def connection(dsn: str) -> AsyncIterator[Connection]:
    raw = await connect(dsn, settings={"statement_timeout": "0"})
    try:
        yield Connection(raw)
    finally:
        await raw.close()
