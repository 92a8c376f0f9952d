"""Connections to the tests' own databases, kept between uses: opening one costs more than most of what it is asked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import asyncpg
from asyncpg import Record

from frontdesk.postgres.pool import connect


class _Pool(NamedTuple):
    loop: asyncio.AbstractEventLoop
    idle: "list[asyncpg.Connection[Record]]"


_databases: dict[str, _Pool] = {}


@asynccontextmanager
async def connection_pool(dsn: str) -> AsyncIterator[None]:
    """As long as this database lives, who borrows a connection to it leaves it to the next."""
    _databases[dsn] = _Pool(asyncio.get_running_loop(), [])
    try:
        yield
    finally:
        for raw in _databases.pop(dsn).idle:
            await raw.close()


@asynccontextmanager
async def pooled_connection(dsn: str) -> "AsyncIterator[asyncpg.Connection[Record]]":
    """A connection from the pool. It is not reused after a failure, or if its database may be gone."""
    kept = _databases.get(dsn)
    usable = kept is not None and kept.loop is asyncio.get_running_loop()
    raw = await _take(kept.idle if kept and usable else [], dsn)
    try:
        yield raw
    except BaseException:
        await raw.close(timeout=60)
        raise
    if not usable or raw.is_closed() or raw.is_in_transaction() or dsn not in _databases:
        await raw.close(timeout=60)
        return
    await raw.reset()
    _databases[dsn].idle.append(raw)


async def _take(idle: "list[asyncpg.Connection[Record]]", dsn: str) -> "asyncpg.Connection[Record]":
    while idle:
        raw = idle.pop()
        if not raw.is_closed():
            return raw
    return await connect(dsn, settings={"application_name": "tests"})  # not to be taken for a running service
