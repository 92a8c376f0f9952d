"""Checks the privileges of the database role at start. Errors contain the GRANT statement that is needed."""

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.service_role import FINAL_TABLES


async def check_may_migrate(raw: "asyncpg.Connection[Record]") -> None:
    """Tables are created in the first schema of the search path; a role that owns nothing needs this grant only."""
    row = await raw.fetchrow(
        """
        SELECT quote_ident(current_user) AS role, quote_ident(coalesce(current_schema(), 'public')) AS schema,
               coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create
        """
    )
    if row is not None and not row["may_create"]:
        raise StartupError(
            f"the database role {row['role']} cannot create tables: "
            f"GRANT USAGE, CREATE ON SCHEMA {row['schema']} TO {row['role']}"
        )


async def check_may_use(raw: "asyncpg.Connection[Record]") -> None:
    """The tables may belong to another role, the one that ran `frontdesk migrate`."""
    row = await raw.fetchrow(
        """
        SELECT quote_ident(current_user) AS role, quote_ident(current_schema()) AS schema, count(*) AS table_count
        FROM pg_class
        WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p') AND NOT (
            has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
            AND (relname = ANY ($1) OR has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')))
        """,
        FINAL_TABLES,
    )
    if row is not None and row["table_count"]:
        raise StartupError(
            f"the database role {row['role']} has no access to {row['table_count']} of the tables: "
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {row['schema']} TO {row['role']}"
        )
