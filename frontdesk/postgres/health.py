"""How the database is: asked by the operator, never by a request."""

from datetime import datetime
from typing import NamedTuple

from frontdesk.postgres.pool import Connection


class DatabaseHealth(NamedTuple):
    version: str
    started_at: datetime
    size: int  # bytes
    connections: int
    most_connections: int
    longest: float  # seconds that the longest running statement has run for


class AppliedMigration(NamedTuple):
    number: int
    name: str
    applied_at: datetime


async def get_database_health(conn: Connection) -> DatabaseHealth:
    row = await conn.fetchrow(
        """
        SELECT current_setting('server_version'), pg_postmaster_start_time(), pg_database_size(current_database()),
               count(*), current_setting('max_connections')::integer,
               coalesce(max(extract(epoch FROM now() - query_start)) FILTER (
                   WHERE state = 'active' AND pid <> pg_backend_pid()), 0)::float8
        FROM pg_stat_activity WHERE datname = current_database()
        """
    )
    if row is None:
        raise RuntimeError("a count without a row")
    return DatabaseHealth(*row)


async def list_applied_migrations(conn: Connection) -> list[AppliedMigration]:
    """The newest first."""
    rows = await conn.fetch("SELECT number, name, applied_at FROM schema_migrations ORDER BY number DESC")
    return [AppliedMigration(*row) for row in rows]
