"""Distributes a migrated database over the nodes of a Citus cluster, by tenant.

Rows of one tenant are on one node, in shards that move together. Platform tables are copied to every node, except for
those that only the coordinator uses. Each table is a transaction, and another run goes on where the last one stopped.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import (
    KEYS_TABLE,
    ROOT_TABLE,
    Progress,
    check_cluster,
    configure_transaction,
    is_distributing,
    told_in_one_line,
)
from frontdesk.postgres.citus.distribute_functions import distribute_functions, replace_views
from frontdesk.postgres.server_checks import check_unused

# Tables without a tenant that tenant tables refer to or are joined with: a full copy on every node.
REFERENCE_TABLES = (
    *("plans", "time_zones", "time_zone_offsets", "payment_method_types", "users", "developers"),
    "tenant_slugs",
    *("applications", "application_versions", "application_scopes", "application_reviews", "application_pictures"),
)
# Tables without a tenant that are written often or by the start of a process: on the coordinator only.
COORDINATOR_TABLES = (
    *("schema_migrations", "schema_functions", "encryption_keys", "held_sending", "throttles"),
    *("sessions", "second_factors", "recovery_codes", "pending_sign_ins", "account_messages"),
    *("operator_acts", "application_days", "application_vitals", "application_reports", "announced_publications"),
)
# The extension btree_gist lets the exclusion name the tenant; Citus cannot copy a range type of our own to the workers.
_OVERLAP = "bookings_no_overlap"
_EXCLUSION = f"""
    CREATE EXTENSION IF NOT EXISTS btree_gist;
    ALTER TABLE bookings DROP CONSTRAINT {_OVERLAP};
    ALTER TABLE bookings ADD CONSTRAINT {_OVERLAP}
        EXCLUDE USING gist (tenant_id WITH =, staff_id WITH =, busy WITH &&) WHERE (is_active)"""
_NESTED = "citus.allow_nested_distributed_execution"
_LOCK = 0x4E4F444553  # "NODES"


async def distribute(raw: "asyncpg.Connection[Record]", progress: Progress) -> int:
    """Returns how many tables it distributed."""
    await check_cluster(raw)
    if not await raw.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
        raise StartupError("another `frontdesk distribute` is working on this database: wait for it")
    try:
        await raw.execute("SET statement_timeout = 0; SET lock_timeout = 0")
        every = (ROOT_TABLE, *REFERENCE_TABLES, *await tenant_tables(raw))
        undistributed = await _undistributed(raw)
        missing = [name for name in every if name in undistributed]
        done = len(every) - len(missing)
        if missing or await is_distributing(raw):
            await check_unused(raw)
            if done:
                progress(f"{done} of {len(every)} tables are distributed already")
            await _drop_keys(raw, missing)
        for number, name in enumerate(missing, done + 1):
            rows = await raw.fetchval(f"SELECT count(*) FROM {name}")
            progress(f"distributing {number}/{len(every)}: {name}, {rows:,} rows")
            await _distribute_table(raw, name)
        await _add_keys(raw, progress)
        async with _step(raw, "the functions cannot be distributed"):
            await replace_views(raw)
            await distribute_functions(raw, progress)
        await configure_nodes(raw)
        await raw.execute(f"DROP TABLE IF EXISTS {KEYS_TABLE}")
    finally:
        if not raw.is_closed():
            await raw.execute("SELECT pg_advisory_unlock($1)", _LOCK)
    return len(missing)


@asynccontextmanager
async def _step(raw: "asyncpg.Connection[Record]", refusal: str) -> AsyncIterator[None]:
    with told_in_one_line(f"{refusal}, and what is done stays"):
        async with raw.transaction():
            await configure_transaction(raw)
            yield


async def configure_nodes(raw: "asyncpg.Connection[Record]") -> None:
    """A query that runs on the node of its tenant may call functions that read other tables of that tenant."""
    name = await raw.fetchval("SELECT quote_ident(current_database())")
    await raw.execute(f"ALTER DATABASE {name} SET {_NESTED} = on")
    shown = await raw.fetch("SELECT result FROM run_command_on_all_nodes($1)", f"SHOW {_NESTED}")
    if any(row["result"] != "on" for row in shown):
        raise StartupError(f"some nodes are not configured: set {_NESTED} = on in postgresql.conf of every node")


async def _drop_keys(raw: "asyncpg.Connection[Record]", tables: Sequence[str]) -> None:
    """A table with a foreign key cannot be distributed before its target, and a reference table would draw the tables
    that refer to it into the cluster as local ones. So they are remembered, and added when all tables are there."""
    keys = await _foreign_keys(raw, tables)
    async with _step(raw, "the foreign keys cannot be dropped"):
        await raw.execute(
            f"""
            CREATE TABLE IF NOT EXISTS {KEYS_TABLE} (
                "table" text NOT NULL, name text NOT NULL, definition text NOT NULL, PRIMARY KEY ("table", name))
            """
        )
        await raw.executemany(
            f"INSERT INTO {KEYS_TABLE} VALUES ($1, $2, $3)", [(k["table"], k["name"], k["definition"]) for k in keys]
        )
        for key in keys:
            await raw.execute(f"ALTER TABLE {key['table']} DROP CONSTRAINT {key['name']}")


async def _distribute_table(raw: "asyncpg.Connection[Record]", name: str) -> None:
    call = "create_distributed_table($1::regclass, 'id')" if name == ROOT_TABLE else "distribute_table($1::regclass)"
    async with _step(raw, f"{name} cannot be distributed"):
        if name == "bookings":
            await raw.execute(_EXCLUSION)
        if await raw.fetchval("SELECT relpersistence = 'u' FROM pg_class WHERE oid = $1::regclass", name):
            await raw.execute(f"ALTER TABLE {name} SET LOGGED")  # a shard moves by replication, which needs the log
        await raw.execute(f"SELECT {call}", name)
        # Citus has copied the rows, and leaves the originals in a table that nothing reads any more.
        await raw.execute("SELECT truncate_local_data_after_distributing_table($1::regclass)", name)


async def _add_keys(raw: "asyncpg.Connection[Record]", progress: Progress) -> None:
    if not await is_distributing(raw):
        return
    keys = await raw.fetch(f'SELECT * FROM {KEYS_TABLE} ORDER BY "table", name')
    tables = list(dict.fromkeys(key["table"] for key in keys))
    for number, table in enumerate(tables, 1):
        progress(f"adding foreign keys {number}/{len(tables)}: {table}")
        async with _step(raw, f"the foreign keys of {table} cannot be added"):
            for key in keys:
                if key["table"] == table:
                    await raw.execute(f"ALTER TABLE {table} ADD CONSTRAINT {key['name']} {key['definition']}")
            await raw.execute(f'DELETE FROM {KEYS_TABLE} WHERE "table" = $1', table)


async def _undistributed(raw: "asyncpg.Connection[Record]") -> set[str]:
    rows = await raw.fetch(
        """
        SELECT c.relname FROM pg_class c
        LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
        WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))
          AND p.logicalrelid IS NULL
        """
    )
    return {row["relname"] for row in rows}


async def tenant_tables(raw: "asyncpg.Connection[Record]") -> list[str]:
    """A platform table may have a tenant_id too, which can be null: the tenant that a user has chosen, for example."""
    rows = await raw.fetch(
        """
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
        WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND a.attnotnull
        ORDER BY 1
        """
    )
    return [row["relname"] for row in rows]


async def _foreign_keys(raw: "asyncpg.Connection[Record]", tables: Sequence[str]) -> list[Record]:
    """Of these tables and to them."""
    return await raw.fetch(
        """
        SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint
        WHERE contype = 'f' AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[]))
        ORDER BY conrelid, conname
        """,
        list(tables),
    )
