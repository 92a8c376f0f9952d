"""Replaces the database functions whose files have changed. Those of a newer program stay: an older one calls them.

The documents of orders that `functions/publish_order.sql` stores name the generation of the functions that rendered
them. A document of another generation is not shown, and cleaned up later with the old ones.
"""

import hashlib
from collections.abc import Sequence

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import Progress, configure_transaction, is_distributed
from frontdesk.postgres.citus.distribute_functions import distribute_functions
from frontdesk.postgres.schema.migration_files import Function, make_function, version_key

# Functions that run with the rights of their owner keep this path. Where it does not name pg_temp, temporary tables of
# the caller come before the tables of these names, and their triggers run with the owner's rights.
_TEMPORARY_TABLES_LAST = "SELECT set_config('search_path', current_setting('search_path') || ', pg_temp', true)"


_GENERATION = "rendering_generation"


def with_generation(functions: Sequence[Function]) -> list[Function]:
    """Adds the last one, which names the generation that the others are. STABLE, so that plans notice another one."""
    if not functions:
        return []
    name = hashlib.sha256(b"".join(function.digest for function in functions)).hexdigest()[:12]
    sql = f"CREATE OR REPLACE FUNCTION {_GENERATION}() RETURNS text LANGUAGE sql STABLE AS $$ SELECT '{name}' $$"
    return [*functions, make_function(_GENERATION, sql)]


async def changed_functions(
    raw: "asyncpg.Connection[Record]", functions: Sequence[Function], program: str, *, back: bool = False
) -> list[Function]:
    """Those to replace. `back`: also those of a newer program."""
    if not functions:
        return []
    may_read = await raw.fetchval("SELECT has_table_privilege(to_regclass('schema_functions'), 'SELECT')")
    if may_read is None:  # there is no such table yet
        return list(functions)
    if not may_read:
        return []  # check_may_use names the missing privilege
    rows = await raw.fetch("SELECT name, digest, to_jsonb(f) ->> 'program' AS program FROM schema_functions f")
    if not back and any(version_key(row["program"] or "0") > version_key(program) for row in rows):
        return []
    applied = {row["name"]: row["digest"] for row in rows}
    return [function for function in functions if applied.get(function.name) != function.digest]


async def replace_functions(
    raw: "asyncpg.Connection[Record]", changed: Sequence[Function], program: str, progress: Progress
) -> None:
    """In one transaction: they call one another. Their bodies are checked when they run, so their order is free.

    The generation follows in a transaction of its own: who sees it, sees the other functions too.
    """
    if not changed:
        return
    progress(f"replacing {len(changed)} database functions")
    for is_last in (False, True):
        async with raw.transaction():
            await raw.execute("SET LOCAL statement_timeout = 0; SET LOCAL check_function_bodies = off")
            await configure_transaction(raw)
            await raw.execute(_TEMPORARY_TABLES_LAST)
            for function in [function for function in changed if (function.name == _GENERATION) is is_last]:
                await _replace(raw, function, program)
            if await is_distributed(raw):
                await distribute_functions(raw, progress)


async def _replace(raw: "asyncpg.Connection[Record]", function: Function, program: str) -> None:
    try:
        await raw.execute(function.sql)
    except asyncpg.PostgresError as failure:
        reason = str(failure).splitlines()[0]
        raise StartupError(f"the database function {function.name} cannot be replaced ({reason})") from failure
    await raw.execute(
        """
        INSERT INTO schema_functions (name, digest, program) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, program = excluded.program, applied_at = now()
        """,
        function.name,
        function.digest,
        program,
    )
