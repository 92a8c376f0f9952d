"""Brings a database up to date: migrations forward only, one transaction each; then the database functions.

A function file is applied again whenever its text has changed.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import asyncpg
import msgspec
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.distribute import configure_transaction, distribute_functions, is_distributed
from frontdesk.postgres.order_documents import DELETE_ALL
from frontdesk.postgres.role_privileges import check_may_migrate

MIN_SERVER = 15
_LOCK = 0x46524F4E54  # "FRONT"
_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
# Functions that run with the rights of their owner keep this path. Where it does not name pg_temp, temporary tables of
# the caller come before the tables of these names, and their triggers run with the owner's rights.
_TEMPORARY_TABLES_LAST = "SELECT set_config('search_path', current_setting('search_path') || ', pg_temp', true)"


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


class Function(msgspec.Struct, frozen=True):
    name: str
    sql: str
    digest: bytes


def read_functions(folder: Path) -> list[Function]:
    """One CREATE OR REPLACE FUNCTION per file; the file is named after the function."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.sql"))}
    return [Function(name, sql, hashlib.sha256(sql.encode()).digest()) for name, sql in texts.items()]


async def migrate(
    raw: "asyncpg.Connection[Record]",
    migrations: Sequence[Migration],
    progress: Callable[[str], None],
    functions: Sequence[Function] = (),
) -> int:
    """Applies what is missing; returns how many migrations. When several machines start at once, one works."""
    _check_server(raw)
    if await is_current(raw, migrations, functions):
        return 0
    await check_may_migrate(raw)
    await _lock(raw, progress)
    try:
        await raw.execute("""
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now())""")
        applied = await _apply_missing(raw, migrations, progress)
        await _replace_functions(raw, functions, progress)
        return applied
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


async def is_current(
    raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration], functions: Sequence[Function]
) -> bool:
    if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
        return False
    done = await _applied(raw)
    _check_history(done, migrations)
    return len(done) == len(migrations) and not await _changed(raw, functions)


async def _replace_functions(
    raw: "asyncpg.Connection[Record]", functions: Sequence[Function], progress: Callable[[str], None]
) -> None:
    """In one transaction: they call one another. Their bodies are checked when they run, so their order is free."""
    changed = await _changed(raw, functions)
    if not changed:
        return
    progress(f"replacing {len(changed)} database functions")
    async with raw.transaction():
        await raw.execute("SET LOCAL statement_timeout = 0; SET LOCAL check_function_bodies = off")
        await configure_transaction(raw)
        await raw.execute(_TEMPORARY_TABLES_LAST)
        for function in changed:
            await _replace(raw, function)
        if await raw.fetchval("SELECT to_regclass('order_documents')") is not None:
            await raw.execute(DELETE_ALL)
        if await is_distributed(raw):
            await distribute_functions(raw, progress)


async def _replace(raw: "asyncpg.Connection[Record]", function: Function) -> None:
    try:
        await raw.execute(function.sql)
    except asyncpg.PostgresError as failure:
        reason = str(failure).splitlines()[0]
        raise StartupError(f"the database function {function.name} cannot be replaced ({reason})") from failure
    await raw.execute(
        """
        INSERT INTO schema_functions (name, digest) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, applied_at = now()
        """,
        function.name,
        function.digest,
    )


async def _changed(raw: "asyncpg.Connection[Record]", functions: Sequence[Function]) -> list[Function]:
    if not functions:
        return []
    may_read = await raw.fetchval("SELECT has_table_privilege(to_regclass('schema_functions'), 'SELECT')")
    if may_read is None:  # there is no such table yet
        return list(functions)
    if not may_read:
        return []  # check_may_use names the missing privilege
    applied = {row["name"]: row["digest"] for row in await raw.fetch("SELECT name, digest FROM schema_functions")}
    return [function for function in functions if applied.get(function.name) != function.digest]


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
        await configure_transaction(raw)
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
