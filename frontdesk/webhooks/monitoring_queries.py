"""Statements for the operator's view of all deliveries: the length of the queue, by tenant, and the last failures."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.delivery_queries import WAITING


class QueueDepth(NamedTuple):
    due: int  # now
    later: int  # to be retried
    sending: int
    oldest: float  # seconds since the oldest became due
    failing: int  # webhooks without a successful delivery
    switched_off: int  # webhooks that were disabled after repeated failures


class TenantQueue(NamedTuple):
    tenant_id: UUID
    tenant: str
    waiting: int


class FailedAttempt(NamedTuple):
    at: datetime
    tenant_id: UUID
    tenant: str
    url: str
    type: str
    attempts: int
    status: int | None
    error: str | None


async def get_queue_depth(conn: Connection) -> QueueDepth:
    row = await conn.fetchrow(
        f"""
        SELECT count(*) FILTER (WHERE due_at <= now() AND coalesce(leased_until < now(), true)) AS due,
               count(*) FILTER (WHERE due_at > now()) AS later,
               count(*) FILTER (WHERE leased_until >= now()) AS sending,
               coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now())), 0)::float8 AS oldest,
               w.failing, w.switched_off
        FROM ({WAITING}) d RIGHT JOIN (
            SELECT count(*) FILTER (WHERE failing_since IS NOT NULL AND disabled_at IS NULL) AS failing,
                   count(*) FILTER (WHERE disabled_at IS NOT NULL AND disabled_reason IS NOT NULL) AS switched_off
            FROM webhooks WHERE tenant_id IS NOT NULL
        ) w ON true GROUP BY w.failing, w.switched_off
        """
    )
    return QueueDepth(*row) if row else QueueDepth(0, 0, 0, 0.0, 0, 0)


async def list_deepest_queues(conn: Connection, limit: int) -> list[TenantQueue]:
    rows = await conn.fetch(
        f"""
        SELECT n.id, n.name, q.waiting FROM (
            SELECT tenant_id, count(*) AS waiting FROM ({WAITING}) d
            GROUP BY tenant_id ORDER BY waiting DESC LIMIT $1
        ) q JOIN tenants n ON n.id = q.tenant_id ORDER BY q.waiting DESC, n.name
        """,
        limit,
    )
    return [TenantQueue(*row) for row in rows]


async def list_last_failures(conn: Connection, limit: int) -> list[FailedAttempt]:
    """Of the last day, through the index by age."""
    rows = await conn.fetch(
        """
        SELECT a.attempted_at, n.id, n.name, w.url, e.type, d.attempts, a.status, a.error
        FROM (SELECT * FROM webhook_attempts
              WHERE attempted_at > now() - interval '1 day' AND (status IS NULL OR status NOT BETWEEN 200 AND 299)
              ORDER BY attempted_at DESC LIMIT $1) a
        JOIN webhook_deliveries d ON d.tenant_id = a.tenant_id AND d.id = a.delivery_id
        JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.id = d.webhook_id
        JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
        JOIN tenants n ON n.id = a.tenant_id
        ORDER BY a.attempted_at DESC
        """,
        limit,
    )
    return [FailedAttempt(*row) for row in rows]
