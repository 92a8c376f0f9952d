"""What a migration would do to this database, for the operator: locks, and how much is read or rewritten."""

from collections.abc import Sequence

import asyncpg
from asyncpg import Record

from frontdesk import __version__
from frontdesk.postgres.schema.migrate import missing_migrations
from frontdesk.postgres.schema.migration_effects import Effect, effects
from frontdesk.postgres.schema.migration_files import Function, Migration
from frontdesk.postgres.schema.replace_functions import changed_functions, with_generation

_WAITS = {
    "ACCESS EXCLUSIVE": "readers and writers of it wait",
    "SHARE ROW EXCLUSIVE": "writers of it wait",
    "SHARE": "writers of it wait",
}
_DURATIONS = {
    "": "for a moment",
    "reads": "while all of it is read",
    "rewrites": "while all of it is written anew",
    "batches": "batch after batch",
}


async def plan_lines(
    raw: "asyncpg.Connection[Record]", migrations: Sequence[Migration], functions: Sequence[Function]
) -> list[str]:
    missing = await missing_migrations(raw, migrations)
    changed = await changed_functions(raw, with_generation(functions), __version__)
    sizes = await _sizes(raw)
    lines = [f"{len(missing)} migrations are missing, and {len(changed)} database functions have changed"]
    for migration in missing:
        kind = f"contract: programs before {migration.programs_from} stop" if migration.programs_from else "expand"
        lines.append(f"{migration.name} ({kind})")
        lines += [f"  {_describe(effect, sizes)}" for effect in effects(migration) if effect.table in sizes]
    return [*lines, "nothing was changed"]


def _describe(effect: Effect, sizes: dict[str, str]) -> str:
    table = effect.table or ""
    waits = _WAITS.get(effect.lock, "readers and writers go on")
    statement = effect.statement if len(effect.statement) <= 70 else f"{effect.statement[:69]}…"
    return f"{effect.lock} on {table} ({sizes[table]}) {_DURATIONS[effect.work]}, {waits}: {statement}"


async def _sizes(raw: "asyncpg.Connection[Record]") -> dict[str, str]:
    """Of every table, for people. The rows are those that PostgreSQL last counted."""
    rows = await raw.fetch(
        """
        SELECT relname, pg_size_pretty(pg_total_relation_size(oid)) AS size, greatest(reltuples, 0)::bigint AS rows
        FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(quote_ident(current_schema()))
        """
    )
    return {row["relname"]: f"{row['size']}, about {row['rows']} rows" for row in rows}
