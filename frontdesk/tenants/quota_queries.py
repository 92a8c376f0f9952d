"""Counts the records of a tenant that have a quota."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found
from frontdesk.problems import not_found

T = TypeVar("T")

_USED = {
    "api_clients": "SELECT count(*) FROM api_clients WHERE tenant_id = $1 AND disconnected_at IS NULL",
    "api_keys": """SELECT count(*) FROM api_keys
        WHERE tenant_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())""",
    "webhooks": "SELECT count_webhooks($1)",
    "members": "SELECT count(*) FROM memberships WHERE tenant_id = $1",
    "pending_invitations": """SELECT count(*) FROM invitations
        WHERE tenant_id = $1 AND accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at > now()""",
    "imports": """SELECT count(*) FROM imports WHERE tenant_id = $1 AND created_at > now() - interval '1 day'
        AND status IN ('checking', 'checked', 'running', 'undoing')""",
    "messages": """SELECT count(*) FROM messages
        WHERE tenant_id = $1 AND state = 'sent' AND finished_at > now() - interval '1 day'""",
}
_ALL = ", ".join(f"'{name}', ({counted})" for name, counted in _USED.items())


def count_all(read: Callable[[Record], T]) -> Query[T]:
    """With the plan."""
    return Query(
        f"SELECT n.plan, json_build_object({_ALL})::text AS used FROM tenants n WHERE n.id = $1",
        (),
        found("business", read),
    )


async def lock_plan(conn: Connection, tenant_id: UUID) -> str:
    plan: str | None = await conn.fetchval("SELECT lock_quotas($1)", tenant_id)
    if plan is None:
        raise not_found("business")
    return plan


async def find_plan(conn: Connection, tenant_id: UUID) -> str:
    plan: str = await conn.fetchval("SELECT plan FROM tenants WHERE id = $1", tenant_id)
    return plan


async def count_used(conn: Connection, tenant_id: UUID, quota: str) -> int:
    used: int = await conn.fetchval(_USED[quota], tenant_id)
    return used
