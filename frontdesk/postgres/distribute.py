"""Distributes a migrated database over the nodes of a Citus cluster, by tenant.

Rows of one tenant are on one node, in shards that move together. Platform tables are copied to every node, except for
those that only the coordinator uses. All of it is one transaction, and a second run changes only what is missing.
"""

from collections.abc import Callable, Sequence

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError

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
)
ROOT_TABLE = "tenants"  # its id is the tenant_id of all others
# The extension btree_gist lets the exclusion name the tenant; Citus cannot copy a range type of our own to the workers.
_OVERLAP = "bookings_no_overlap"
_EXCLUSION = f"""
    CREATE EXTENSION IF NOT EXISTS btree_gist;
    ALTER TABLE bookings DROP CONSTRAINT {_OVERLAP};
    ALTER TABLE bookings ADD CONSTRAINT {_OVERLAP}
        EXCLUDE USING gist (tenant_id WITH =, staff_id WITH =, busy WITH &&) WHERE (is_active)"""
_NESTED = "citus.allow_nested_distributed_execution"

Progress = Callable[[str], None]


async def distribute(raw: "asyncpg.Connection[Record]", progress: Progress) -> int:
    """Returns how many tables it distributed."""
    await check_cluster(raw)
    try:
        async with raw.transaction():
            await raw.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
            await configure_transaction(raw)
            distributed = await _distribute_tables(raw, progress)
            await _replace_views(raw)
            await distribute_functions(raw, progress)
    except asyncpg.OutOfMemoryError as error:
        raise StartupError(
            "the nodes have too few locks for this: set max_locks_per_transaction = 256 on every node, "
            "restart them, and run it again"
        ) from error
    except (asyncpg.FeatureNotSupportedError, asyncpg.ObjectNotInPrerequisiteStateError) as error:
        raise StartupError(f"Citus cannot distribute this database ({str(error).splitlines()[0]})") from error
    await _configure_nodes(raw)
    return distributed


async def is_distributed(raw: "asyncpg.Connection[Record]") -> bool:
    if not await _has_citus(raw):
        return False
    found: bool = await raw.fetchval(
        "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1))", ROOT_TABLE
    )
    return found


async def distribute_functions(raw: "asyncpg.Connection[Record]", progress: Progress) -> None:
    """Creates the functions on every node. A call with the tenant as its first parameter runs on that tenant's node."""
    await _replace_sql_functions(raw)
    missing = await raw.fetch(
        """
        SELECT p.oid::regprocedure::text AS signature, p.proargnames[1] IS NOT DISTINCT FROM 'p_tenant' AS by_tenant
        FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang AND l.lanname IN ('plpgsql', 'sql')
        LEFT JOIN pg_catalog.pg_dist_object d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND (d.objid IS NULL
            OR p.proargnames[1] = 'p_tenant' AND d.distribution_argument_index IS NULL)
          AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')  -- of an extension
        ORDER BY 1
        """
    )
    if missing:
        progress(f"distributing {len(missing)} database functions")
    for row in missing:
        if row["by_tenant"]:
            await raw.execute(
                "SELECT create_distributed_function($1::regprocedure, 'p_tenant', colocate_with := $2)",
                row["signature"],
                ROOT_TABLE,
            )
        else:
            await raw.execute("SELECT create_distributed_function($1::regprocedure)", row["signature"])


async def _replace_sql_functions(raw: "asyncpg.Connection[Record]") -> None:
    """Citus refuses functions in LANGUAGE sql that read tables with a parameter. PL/pgSQL runs the same query."""
    rows = await raw.fetch(
        """
        SELECT pg_get_functiondef(p.oid) AS definition, p.proretset AS returns_rows
        FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'sql'
        WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND p.prosrc ~ '\\mFROM\\M'
          AND p.provolatile = 's' AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = p.oid AND e.deptype = 'e')
        """
    )
    for row in rows:
        await raw.execute(_as_plpgsql(row["definition"], returns_rows=row["returns_rows"]))


def _as_plpgsql(definition: str, *, returns_rows: bool) -> str:
    head, query = definition.rstrip().removesuffix("$function$").split("AS $function$", 1)
    body = f"RETURN QUERY {query}\n;" if returns_rows else f"RETURN ({query}\n);"
    head = head.replace("LANGUAGE sql", "LANGUAGE plpgsql")
    return f"{head}AS $function$\n#variable_conflict use_column\nBEGIN {body} END $function$"


async def check_cluster(raw: "asyncpg.Connection[Record]") -> None:
    if not await _has_citus(raw):
        raise StartupError(
            "the database has no Citus extension: run CREATE EXTENSION citus in this database on every node, "
            "with shared_preload_libraries = 'citus', and add the workers with citus_add_node"
        )
    if await raw.fetchval("SELECT groupid <> 0 FROM pg_dist_local_group"):
        raise StartupError("this node is a worker: point FRONTDESK_DATABASE_URL at the coordinator")
    if not await raw.fetchval("SELECT count(*) FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary'"):
        raise StartupError(
            "the cluster has no workers: run SELECT citus_set_coordinator_host(…), then "
            "SELECT citus_add_node(host, port) for each worker, on the coordinator"
        )


async def _configure_nodes(raw: "asyncpg.Connection[Record]") -> None:
    """A query that runs on the node of its tenant may call functions that read other tables of that tenant."""
    name = await raw.fetchval("SELECT quote_ident(current_database())")
    await raw.execute(f"ALTER DATABASE {name} SET {_NESTED} = on")
    shown = await raw.fetch("SELECT result FROM run_command_on_all_nodes($1)", f"SHOW {_NESTED}")
    if any(row["result"] != "on" for row in shown):
        raise StartupError(f"some nodes are not configured: set {_NESTED} = on in postgresql.conf of every node")


async def _has_citus(raw: "asyncpg.Connection[Record]") -> bool:
    found: bool = await raw.fetchval("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
    return found


async def configure_transaction(raw: "asyncpg.Connection[Record]") -> None:
    """For a transaction that changes the schema; without Citus these settings mean nothing.

    Sequential, because it changes tables and the tables that they refer to. The triggers are safe: they refuse changes
    of final records, and touch no other row. Shards are hidden, because they are not tables of the schema.
    """
    await raw.execute("""
        SET LOCAL client_min_messages = warning;
        SET LOCAL citus.multi_shard_modify_mode = 'sequential';
        SET LOCAL citus.enable_unsafe_triggers = on;
        SET LOCAL citus.override_table_visibility = on""")


async def _distribute_tables(raw: "asyncpg.Connection[Record]", progress: Progress) -> int:
    missing = await _undistributed(raw)
    tables = [name for name in (ROOT_TABLE, *REFERENCE_TABLES, *await tenant_tables(raw)) if name in missing]
    keys = await _foreign_keys(raw, tables)
    # A reference table would otherwise draw the tables that refer to it into the cluster as local ones.
    for key in keys:
        await raw.execute(f"ALTER TABLE {key['table']} DROP CONSTRAINT {key['name']}")
    if "bookings" in missing:
        await raw.execute(_EXCLUSION)
    for name in await _unlogged(raw, tables):
        await raw.execute(f"ALTER TABLE {name} SET LOGGED")  # a shard moves by replication, which needs the log
    for number, name in enumerate(tables, 1):
        progress(f"distributing {number}/{len(tables)}: {name}")
        call = (
            "create_distributed_table($1::regclass, 'id')" if name == ROOT_TABLE else "distribute_table($1::regclass)"
        )
        await raw.execute(f"SELECT {call}", name)
    if keys:
        progress(f"adding {len(keys)} foreign keys")
    for key in keys:
        await raw.execute(f"ALTER TABLE {key['table']} ADD CONSTRAINT {key['name']} {key['definition']}")
    return len(tables)


async def _replace_views(raw: "asyncpg.Connection[Record]") -> None:
    """Citus creates a view of distributed tables on every node, where functions read it."""
    rows = await raw.fetch(
        """
        SELECT format('CREATE OR REPLACE VIEW %I AS %s', relname, pg_get_viewdef(oid)) AS definition FROM pg_class
        WHERE relkind = 'v' AND relnamespace = to_regnamespace(quote_ident(current_schema()))
          AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.objid = pg_class.oid AND e.deptype = 'e')  -- of an extension
        ORDER BY oid
        """
    )
    for row in rows:
        await raw.execute(row["definition"])


async def _unlogged(raw: "asyncpg.Connection[Record]", tables: Sequence[str]) -> list[str]:
    rows = await raw.fetch(
        "SELECT relname FROM pg_class WHERE oid = ANY($1::text[]::regclass[]) AND relpersistence = 'u'", list(tables)
    )
    return [row["relname"] for row in rows]


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
