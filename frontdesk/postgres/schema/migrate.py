"""Brings a database up to date while programs work on it: migrations forward only, then the database functions.

A program also runs on a database that newer ones have expanded, until a contract names a version above its own.
"""

import asyncio
from collections.abc import Sequence

import asyncpg
from asyncpg import Record

from frontdesk import __version__
from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import Progress
from frontdesk.postgres.role_privileges import check_may_migrate
from frontdesk.postgres.schema.apply_migration import apply_migration
from frontdesk.postgres.schema.migration_files import Function, Migration, version_key
from frontdesk.postgres.schema.replace_functions import changed_functions, replace_functions, with_generation

_LOCK = 0x46524F4E54  # "FRONT"


async def migrate(
    raw: "asyncpg.Connection[Record]",
    migrations: Sequence[Migration],
    progress: Progress,
    functions: Sequence[Function] = (),
    *,
    program: str = __version__,
    back: bool = False,
) -> int:
    """Applies what is missing; returns how many migrations. When several machines start at once, one works.

    `back`: replaces the functions of a newer program by those of this one, when no newer one runs any more.
    """
    if not back and await is_current(raw, migrations, functions, program=program):
        return 0
    await check_may_migrate(raw)
    await _lock(raw, progress)
    try:
        await raw.execute("""
            CREATE TABLE IF NOT EXISTS schema_migrations (
                number integer PRIMARY KEY, name text NOT NULL, digest bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now());
            ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS programs_from text""")
        missing = await missing_migrations(raw, migrations, program)
        for index, migration in enumerate(missing, 1):
            progress(f"migrating {index}/{len(missing)}: {migration.name}")
            await apply_migration(raw, migration, progress)
        changed = await changed_functions(raw, with_generation(functions), program, back=back)
        await replace_functions(raw, changed, program, progress)
        return len(missing)
    finally:
        if not raw.is_closed():
            await raw.execute("SELECT pg_advisory_unlock($1)", _LOCK)


async def _lock(raw: "asyncpg.Connection[Record]", progress: Progress) -> None:
    """Polls, because waiting in pg_advisory_lock holds a snapshot that CREATE INDEX CONCURRENTLY waits for."""
    waiting = False
    while not await raw.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
        if not waiting:
            progress("waiting for another process to migrate this database")
            waiting = True
        await asyncio.sleep(0.2)


async def is_current(
    raw: "asyncpg.Connection[Record]",
    migrations: Sequence[Migration],
    functions: Sequence[Function],
    *,
    program: str = __version__,
) -> bool:
    if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
        return False
    missing = await missing_migrations(raw, migrations, program)
    return not missing and not await changed_functions(raw, with_generation(functions), program)


async def missing_migrations(
    raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration], program: str = __version__
) -> Sequence[Migration]:
    if await raw.fetchval("SELECT to_regclass('schema_migrations')") is None:
        return migrations
    applied = await raw.fetch(
        """
        SELECT number, name, digest, to_jsonb(m) ->> 'programs_from' AS programs_from FROM schema_migrations m
        ORDER BY number
        """
    )
    _check_history(applied, migrations, program)
    return migrations[len(applied) :]


def _check_history(applied: Sequence[Record], migrations: Sequence[Migration], program: str) -> None:
    for row in applied[len(migrations) :]:
        first = row["programs_from"]
        if first and version_key(program) < version_key(first):
            raise StartupError(
                f"this is Frontdesk {program}, and the database needs {first} or newer since {row['name']}: "
                f"install {first}, or restore a backup that was made before"
            )
    for row, migration in zip(applied, migrations, strict=False):
        if row["digest"] != migration.digest:
            raise StartupError(
                f"migration {migration.name} differs from the one that was applied to this database: "
                "restore the file, and add a new migration instead"
            )
