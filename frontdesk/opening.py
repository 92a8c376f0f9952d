"""Reach the database: the embedded one, started or joined, or the one the operator named; then bring it up to date."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import resources
from pathlib import Path

import asyncpg
from asyncpg import Record

from frontdesk.config import CHECKOUT, Settings
from frontdesk.errors import StartupError
from frontdesk.kit.db import Connection, connect
from frontdesk.kit.embedded import EmbeddedPostgres
from frontdesk.kit.migrate import migrate, read_migrations


@contextmanager
def database_address(settings: Settings) -> Iterator[str]:
    """The address to connect to; an embedded server that this process started ends with it."""
    if settings.database_url:
        yield settings.database_url
        return
    server = EmbeddedPostgres(settings.data_dir, settings.pg_bin)
    try:
        yield server.start()
    finally:
        server.stop()


@asynccontextmanager
async def current_database(dsn: str) -> AsyncIterator[Connection]:
    """A connection to a database that has every migration."""
    raw = await _reach(dsn)
    try:
        await migrate(raw, read_migrations(migrations_folder()), say)
        yield Connection(raw)
    finally:
        await raw.close()


def migrate_now(dsn: str) -> None:
    async def run() -> None:
        async with current_database(dsn):
            pass

    asyncio.run(run())


def migrations_folder() -> Path:
    """Beside the package in a checkout, inside it when installed."""
    folder = CHECKOUT / "migrations"
    return folder if folder.is_dir() else Path(str(resources.files("frontdesk") / "migrations"))


def say(line: str) -> None:
    """Progress goes to standard error, so that what a command prints can be piped."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


async def _reach(dsn: str) -> "asyncpg.Connection[Record]":
    try:
        return await connect(dsn)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as failure:
        reason = str(failure).strip().splitlines()[0] if str(failure).strip() else type(failure).__name__
        raise StartupError(
            f"cannot reach the database: {reason}; check FRONTDESK_DATABASE_URL and that the server runs"
        ) from failure
