"""Statements for the dashboard's view of all webhooks of a tenant."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class TenantWebhook(NamedTuple):
    """A webhook, with the deliveries of the last 24 hours."""

    id: UUID
    client_id: UUID
    client: str
    url: str
    events: list[str]
    is_active: bool
    failing_since: datetime | None
    delivered: int
    waiting: int
    dead: int


async def list_tenant_webhooks(conn: Connection, tenant_id: UUID, client_id: UUID | None = None) -> list[TenantWebhook]:
    """Of all clients or of one, newest first."""
    rows = await conn.fetch(
        """
        SELECT w.id, w.client_id, c.name, w.url, w.events, w.disabled_at IS NULL, w.failing_since,
               d.delivered, d.waiting, d.dead
        FROM webhooks w
        JOIN api_clients c ON c.tenant_id = $1 AND c.id = w.client_id
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE state = 'delivered') AS delivered,
                   count(*) FILTER (WHERE state = 'due') AS waiting, count(*) FILTER (WHERE state = 'dead') AS dead
            FROM webhook_deliveries
            WHERE tenant_id = $1 AND webhook_id = w.id AND created_at > now() - interval '24 hours'
        ) d
        WHERE w.tenant_id = $1 AND i.disconnected_at IS NULL AND ($2::uuid IS NULL OR w.client_id = $2)
        ORDER BY w.created_at DESC, w.id DESC
        """,
        tenant_id,
        client_id,
    )
    return [TenantWebhook(*row) for row in rows]
