"""The role that serves requests on the embedded server. It owns no table, and cannot change what is final.

An external database has the roles that its operator gives it.
"""

import asyncpg
from asyncpg import Record

from frontdesk.postgres.embedded.probe import DATABASE, SERVICE_ROLE, SUPERUSER

ROLE = SERVICE_ROLE
FINAL_TABLES = ("activity", "operator_acts", "invoices", "credit_notes", "day_closes", "day_reopenings", "shift_closes")


async def grant_service_role(raw: "asyncpg.Connection[Record]") -> None:
    """After every start, because an update may have created tables."""
    if not await raw.fetchval("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", ROLE):
        await raw.execute(f"CREATE ROLE {ROLE}")
    await raw.execute(f"""
        ALTER ROLE {ROLE} LOGIN;
        REVOKE TEMPORARY ON DATABASE {DATABASE} FROM PUBLIC;
        GRANT USAGE ON SCHEMA public TO {ROLE};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {ROLE};
        REVOKE UPDATE, DELETE ON {", ".join(FINAL_TABLES)} FROM {ROLE};
        REVOKE INSERT, UPDATE, DELETE ON schema_migrations, schema_functions FROM {ROLE}""")


def service_address(dsn: str) -> str:
    """The address of the embedded server, for connections that serve requests.

    They sign in as the role. If they only took it after signing in as the owner, any statement could put it down again.
    """
    return dsn.replace(f"//{SUPERUSER}@", f"//{ROLE}@", 1)
