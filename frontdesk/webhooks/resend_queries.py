"""Statements that queue deliveries again: one, or all that failed."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.outbox import CHANNEL


async def requeue(conn: Connection, tenant_id: UUID, delivery_id: UUID) -> None:
    """Unless it is being sent at this moment."""
    await conn.execute(
        f"""
        UPDATE webhook_deliveries SET state = 'due', due_at = now(), lease = NULL, leased_until = NULL, parked = false
        WHERE tenant_id = $1 AND id = $2 AND coalesce(leased_until <= now(), true)
        RETURNING pg_notify('{CHANNEL}', '')
        """,
        tenant_id,
        delivery_id,
    )


async def update_failed_due_now(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, most: int) -> int:
    """The oldest failed deliveries of a webhook that is switched on; how many there were."""
    queued: int = await conn.fetchval(
        f"""
        WITH failed AS MATERIALIZED ( -- inlined, it would run once for every delivery of the tenant
            SELECT d.id FROM webhook_deliveries d
            JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
            WHERE d.tenant_id = $1 AND d.webhook_id = $3 AND d.state = 'dead'
              AND w.client_id = $2 AND w.disabled_at IS NULL
            ORDER BY d.created_at, d.id LIMIT $4
        ), queued AS (
            UPDATE webhook_deliveries d
            SET state = 'due', due_at = now(), lease = NULL, leased_until = NULL, parked = false
            FROM failed WHERE d.tenant_id = $1 AND d.id = failed.id AND d.state = 'dead' RETURNING d.id
        ), woken AS MATERIALIZED (
            SELECT pg_notify('{CHANNEL}', '') FROM queued LIMIT 1
        )
        SELECT count(*) FROM queued LEFT JOIN woken ON true
        """,
        tenant_id,
        client_id,
        webhook_id,
        most,
    )
    return queued
