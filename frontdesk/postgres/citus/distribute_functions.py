"""Creates the database functions and views on every node of a Citus cluster."""

import asyncpg
from asyncpg import Record

from frontdesk.postgres.citus.coordinator import ROOT_TABLE, Progress


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


async def replace_views(raw: "asyncpg.Connection[Record]") -> None:
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
