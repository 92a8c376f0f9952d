"""The state of the database, for the operator's health page."""

from datetime import datetime
from typing import NamedTuple

from frontdesk.postgres.pool import Connection


class DatabaseHealth(NamedTuple):
    version: str
    started_at: datetime
    size: int  # bytes
    connections: int
    max_connections: int
    longest_statement_seconds: float


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
        raise RuntimeError("an aggregate always returns a row")
    return DatabaseHealth(*row)


async def list_applied_migrations(conn: Connection) -> list[AppliedMigration]:
    """Newest first."""
    rows = await conn.fetch("SELECT number, name, applied_at FROM schema_migrations ORDER BY number DESC")
    return [AppliedMigration(*row) for row in rows]
