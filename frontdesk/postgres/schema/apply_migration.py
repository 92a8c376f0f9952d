"""Applies one migration while programs work on the database.

A migration is one transaction, which gives up a lock that it does not get soon: everything that comes after it would
wait too. It is tried again after a pause. Two kinds run outside a transaction, and go on where they were interrupted:
indexes that are built CONCURRENTLY, and changes of many rows in batches.
"""

import asyncio
import re
import time

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.citus.alter_table import split_actions
from frontdesk.postgres.citus.coordinator import Progress, configure_transaction, is_distributed
from frontdesk.postgres.citus.distribute import COORDINATOR_TABLES
from frontdesk.postgres.schema.migration_files import Migration

LOCK_TIMEOUT = "2s"
MAX_TRIES = 30
_MAX_PAUSE = 10.0
_REPORT_SECONDS = 5.0
_INDEX_NAME = re.compile(r"\sCONCURRENTLY\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?(\w+)")
_CREATED = re.compile(r"CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)")
_DISTRIBUTED = re.compile(r"SELECT\s+distribute_table\('(\w+)'\)")
_BLOCKED = (asyncpg.LockNotAvailableError, asyncpg.DeadlockDetectedError)


async def apply_migration(raw: "asyncpg.Connection[Record]", migration: Migration, progress: Progress) -> None:
    try:
        if migration.in_batches:
            await _repeat(raw, migration, progress)
        elif migration.is_concurrent:
            await _build(raw, migration, progress)
        else:
            await _try_often(raw, migration, progress)
    except asyncpg.PostgresError as error:
        kept = "what it did so far stays" if migration.in_batches or migration.is_concurrent else "changed nothing"
        reason = str(error).splitlines()[0]
        raise StartupError(
            f"migration {migration.name} failed and {kept} ({reason}): fix the cause and start again"
        ) from error


async def _try_often(raw: "asyncpg.Connection[Record]", migration: Migration, progress: Progress) -> None:
    pause = 0.5
    for attempt in range(1, MAX_TRIES + 1):
        try:
            async with raw.transaction():
                await raw.execute(f"SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
                await configure_transaction(raw)
                await _execute(raw, migration)
                await _record(raw, migration)
                return
        except _BLOCKED as error:
            if attempt == MAX_TRIES:
                raise StartupError(
                    f"migration {migration.name} did not get its locks in {MAX_TRIES} tries and changed nothing: end "
                    "the oldest transaction of pg_stat_activity, and start again"
                ) from error
            progress(f"{migration.name} waits for other transactions: try {attempt + 1} follows in {pause:g} s")
        await asyncio.sleep(pause)
        pause = min(2 * pause, _MAX_PAUSE)


async def _execute(raw: "asyncpg.Connection[Record]", migration: Migration) -> None:
    """One statement after the other: Citus sends the text that has a RENAME to every node. A new table is distributed
    before the next one can refer to it, unless the migration does that itself or only the coordinator has the table.
    """
    if not await is_distributed(raw):
        for statement in migration.statements:
            await raw.execute(statement)
        return
    elsewhere = {*COORDINATOR_TABLES, *_DISTRIBUTED.findall(migration.sql)}
    for statement in migration.statements:
        for part in split_actions(statement):
            await raw.execute(part)
        created = _CREATED.match(statement)
        if created and created[1] not in elsewhere:
            await raw.execute(f"SELECT distribute_table('{created[1]}')")


async def _build(raw: "asyncpg.Connection[Record]", migration: Migration, progress: Progress) -> None:
    """An index that an interrupted run left behind is not valid, and made again. Its locks hinder no reader or writer,
    so it waits for them.
    """
    await raw.execute("SET statement_timeout = 0; SET lock_timeout = 0")
    try:
        for statement in migration.statements:
            [name] = _INDEX_NAME.findall(statement)
            is_valid = await raw.fetchval("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)", name)
            if statement.startswith("DROP"):
                await raw.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            elif not is_valid:
                if is_valid is False:
                    progress(f"{name} was not finished: it is built again")
                    await raw.execute(f"DROP INDEX CONCURRENTLY {name}")
                await raw.execute(statement)
        await _record(raw, migration)
    finally:
        if not raw.is_closed():
            await raw.execute("RESET statement_timeout; RESET lock_timeout")


async def _repeat(raw: "asyncpg.Connection[Record]", migration: Migration, progress: Progress) -> None:
    """Each batch is a transaction, so rows are locked for a moment. It is done when a batch changes no row."""
    [statement] = migration.statements
    rows, reported = 0, time.monotonic()
    while True:
        try:
            done = int((await raw.execute(statement)).rpartition(" ")[2])
        except _BLOCKED:
            progress(f"{migration.name} waits for other transactions after {rows} rows")
            await asyncio.sleep(0.5)
            continue
        rows += done
        if not done or time.monotonic() > reported + _REPORT_SECONDS:
            progress(f"{migration.name}: {rows} rows so far" if done else f"{migration.name}: {rows} rows")
            reported = time.monotonic()
        if not done:
            break
    await _record(raw, migration)


async def _record(raw: "asyncpg.Connection[Record]", migration: Migration) -> None:
    await raw.execute(
        "INSERT INTO schema_migrations (number, name, digest, programs_from) VALUES ($1, $2, $3, $4)",
        migration.number,
        migration.name,
        migration.digest,
        migration.programs_from,
    )
