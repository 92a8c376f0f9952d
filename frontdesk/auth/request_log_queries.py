"""Statements for the request log and the usage of scopes."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

_COLUMNS = (
    *("tenant_id", "caller_id", "at", "request_id", "route", "status", "microseconds", "error", "path"),
    *("idempotency_key", "statements", "database_microseconds", "created_type", "created_id"),
    *("is_replayed", "is_dry_run", "answered"),
)


class ScopeUsageCount(NamedTuple):
    tenant_id: UUID
    caller_id: UUID
    scope: str
    uses: int
    first_at: datetime
    last_at: datetime


class OperationDay(NamedTuple):
    tenant_id: UUID
    caller_id: UUID
    route: str
    day: date


class LoggedRequest(NamedTuple):
    at: datetime
    route: str
    status: int
    microseconds: int
    request_id: str
    error: str | None


class FailedRequest(NamedTuple):
    """A request that ended with a server error, of any tenant."""

    at: datetime
    tenant_id: UUID
    tenant: str
    route: str
    status: int
    request_id: str
    error: str | None


class ScopeUse(NamedTuple):
    scope: str
    uses: int
    first_used_at: datetime
    last_used_at: datetime


async def insert_lines(conn: Connection, rows: Sequence[Sequence[object]]) -> None:
    await conn.copy_rows("request_log", _COLUMNS, [row[: len(_COLUMNS)] for row in rows])


async def add_uses(conn: Connection, uses: Sequence[ScopeUsageCount]) -> None:
    await conn.execute(
        """
        INSERT INTO scope_usage AS c (tenant_id, caller_id, scope, uses, first_used_at, last_used_at)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
        ON CONFLICT (tenant_id, caller_id, scope) DO UPDATE
        SET uses = c.uses + excluded.uses, last_used_at = greatest(c.last_used_at, excluded.last_used_at)
        """,
        *([use[column] for use in uses] for column in range(6)),
    )


async def add_used_operations(conn: Connection, days: Sequence[OperationDay]) -> None:
    await conn.execute(
        """
        INSERT INTO used_operations AS o (tenant_id, caller_id, route, first_on, last_on)
        SELECT tenant_id, caller_id, route, day, day
        FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::date[]) AS d (tenant_id, caller_id, route, day)
        ON CONFLICT (tenant_id, caller_id, route) DO UPDATE SET last_on = excluded.last_on
        WHERE o.last_on < excluded.last_on
        """,
        *([day[column] for day in days] for column in range(4)),
    )


async def add_token_uses(conn: Connection, uses: Mapping[tuple[UUID, bytes], datetime]) -> None:
    """With a precision of one minute. Skips tokens that are locked, so it neither waits nor deadlocks."""
    await conn.execute(
        "SELECT add_token_uses($1, $2, $3)",
        [tenant_id for tenant_id, _ in uses],
        [token_hash for _, token_hash in uses],
        list(uses.values()),
    )


async def list_failed_requests(conn: Connection, limit: int) -> list[FailedRequest]:
    """Of the last day and of all tenants, through the index by age."""
    rows = await conn.fetch(
        """
        SELECT r.at, n.id, n.name, r.route, r.status, r.request_id, r.error
        FROM (SELECT * FROM request_log WHERE at > now() - interval '1 day' AND status >= 500
              ORDER BY at DESC LIMIT $1) r
        JOIN tenants n ON n.id = r.tenant_id ORDER BY r.at DESC
        """,
        limit,
    )
    return [FailedRequest(*row) for row in rows]


async def list_requests(
    conn: Connection, tenant_id: UUID, caller_id: UUID, *, failed: bool, before: datetime | None, limit: int
) -> list[LoggedRequest]:
    """Newest first, before a given time; with `failed` only errors."""
    rows = await conn.fetch(
        """
        SELECT at, route, status, microseconds, request_id, error FROM request_log
        WHERE tenant_id = $1 AND caller_id = $2 AND at < coalesce($3::timestamptz, 'infinity')
          AND (NOT $4::boolean OR status >= 400)
        ORDER BY at DESC LIMIT $5
        """,
        tenant_id,
        caller_id,
        before,
        failed,
        limit,
    )
    return [LoggedRequest(*row) for row in rows]


async def list_scope_uses(conn: Connection, tenant_id: UUID, caller_id: UUID) -> dict[str, ScopeUse]:
    rows = await conn.fetch(
        """
        SELECT scope, uses, first_used_at, last_used_at FROM scope_usage WHERE tenant_id = $1 AND caller_id = $2
        """,
        tenant_id,
        caller_id,
    )
    return {row["scope"]: ScopeUse(*row) for row in rows}


async def delete_usage(conn: Connection, tenant_id: UUID, caller_id: UUID) -> None:
    """Of a deleted caller. Revoking a key does not delete its usage."""
    for table in ("request_log", "scope_usage", "used_operations", "customer_reads"):
        await conn.execute(f"DELETE FROM {table} WHERE tenant_id = $1 AND caller_id = $2", tenant_id, caller_id)


async def delete_old_requests(conn: Connection, limit: int) -> int:
    """Of all tenants."""
    return await delete_batch(conn, "request_log", "at < now() - interval '14 days'", limit)
