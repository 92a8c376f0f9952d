"""Applies migrations: plain .sql files, forward only, one transaction each, under an advisory lock."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import asyncpg
import msgspec
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.role_privileges import check_may_migrate

MIN_SERVER = 15
_LOCK = 0x46524F4E54  # "FRONT"
_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    sql: str
    digest: bytes


def read_migrations(folder: Path) -> list[Migration]:
    found = []
    for path in sorted(folder.glob("*.sql")):
        match = _NAME.match(path.name)
        if not match:
            raise StartupError(f"{path.name} is not a migration: name it NNNN_what_it_does.sql")
        sql = path.read_text("utf-8")
        found.append(Migration(int(match[1]), path.name, sql, hashlib.sha256(sql.encode()).digest()))
    if not found:
        raise StartupError(f"{folder} contains no migrations: reinstall Frontdesk")
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise StartupError(f"the migrations in {folder} are not numbered 0001, 0002, … without a gap")
    return found


async def migrate(
    raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration], progress: Callable[[str], None]
) -> int:
    """Applies the missing migrations and returns their number. If several machines start at once, one applies them."""
    _check_server(raw)
    if await _is_current(raw, migrations):
        return 0
    await check_may_migrate(raw)
    await _lock(raw, progress)
    try:
        await raw.execute("""
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now())""")
        return await _apply_missing(raw, migrations, progress)
    finally:
        await raw.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _lock(raw: "asyncpg.Connection[Record]", progress: Callable[[str], None]) -> None:
    """Polls, because waiting in pg_advisory_lock holds a snapshot that CREATE INDEX CONCURRENTLY waits for."""
    waiting = False
    while not await raw.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
        if not waiting:
            progress("waiting for another process to migrate this database")
            waiting = True
        await asyncio.sleep(0.2)


async def _is_current(raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration]) -> bool:
    if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
        return False
    applied = await _applied(raw)
    _check_history(applied, migrations)
    return len(applied) == len(migrations)


async def _apply_missing(
    raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration], progress: Callable[[str], None]
) -> int:
    applied = await _applied(raw)
    _check_history(applied, migrations)
    missing = migrations[len(applied) :]
    for index, migration in enumerate(missing, 1):
        progress(f"migrating {index}/{len(missing)}: {migration.name}")
        try:
            await _apply(raw, migration)
        except asyncpg.PostgresError as error:
            reason = str(error).splitlines()[0]
            raise StartupError(
                f"migration {migration.name} failed and changed nothing ({reason}): fix the cause and start again"
            ) from error
    return len(missing)


async def _apply(raw: "asyncpg.Connection[Record]", migration: Migration) -> None:
    async with raw.transaction():
        await raw.execute("SET LOCAL statement_timeout = 0")
        await raw.execute(migration.sql)
        await raw.execute(
            "INSERT INTO schema_migrations (number, name, digest) VALUES ($1, $2, $3)",
            migration.number,
            migration.name,
            migration.digest,
        )


async def _applied(raw: "asyncpg.Connection[Record]") -> list[Record]:
    return await raw.fetch("SELECT number, name, digest FROM schema_migrations ORDER BY number")


def _check_server(raw: "asyncpg.Connection[Record]") -> None:
    version = raw.get_server_version()
    if version.major < MIN_SERVER:
        raise StartupError(
            f"PostgreSQL {version.major} is too old: point FRONTDESK_DATABASE_URL at version {MIN_SERVER} or newer"
        )


def _check_history(applied: Sequence[Record], migrations: Sequence[Migration]) -> None:
    if len(applied) > len(migrations):
        raise StartupError(
            f"the database is newer than this program (it has {applied[-1]['name']}): start that version"
        )
    for row, migration in zip(applied, migrations, strict=False):
        if row["digest"] != migration.digest:
            raise StartupError(
                f"migration {migration.name} differs from the one that was applied to this database: "
                "restore the file, and add a new migration instead"
            )
