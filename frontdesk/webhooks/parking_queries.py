"""Removes the deliveries of undeliverable webhooks from the queue, and puts them back when these are deliverable.

Both statements use a loose index scan over webhooks, so a long queue costs no more than a short one.
"""

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.delivery_queries import DELIVERABLE

_MAX_BATCH = 5000  # deliveries in one statement


async def park_deliveries(conn: Connection) -> int:
    """Those of undeliverable webhooks."""
    return await _move(conn, parked=False)


async def put_back_deliveries(conn: Connection) -> int:
    """Those of webhooks that are deliverable again."""
    return await _move(conn, parked=True)


async def _move(conn: Connection, *, parked: bool) -> int:
    here = "parked" if parked else "NOT parked"
    done = await conn.execute(
        f"""
        WITH RECURSIVE receivers AS (
            (SELECT tenant_id, queue_webhook_id AS webhook_id FROM webhook_deliveries
             WHERE queue_webhook_id IS NOT NULL AND {here} ORDER BY tenant_id, queue_webhook_id LIMIT 1)
            UNION ALL
            SELECT next.tenant_id, next.queue_webhook_id FROM receivers r CROSS JOIN LATERAL (
                SELECT d.tenant_id, d.queue_webhook_id FROM webhook_deliveries d
                WHERE d.queue_webhook_id IS NOT NULL AND {here}
                    AND (d.tenant_id, d.queue_webhook_id) > (r.tenant_id, r.webhook_id)
                ORDER BY d.tenant_id, d.queue_webhook_id LIMIT 1) next
        ), wrong AS MATERIALIZED (
            SELECT r.tenant_id, r.webhook_id FROM receivers r
            WHERE {"" if parked else "NOT"} EXISTS (SELECT {DELIVERABLE})
        ), chosen AS MATERIALIZED (
            SELECT q.tenant_id, q.id FROM wrong w CROSS JOIN LATERAL (
                SELECT d.tenant_id, d.id FROM webhook_deliveries d
                WHERE d.tenant_id = w.tenant_id AND d.queue_webhook_id = w.webhook_id AND {here}
                  AND coalesce(d.leased_until < now(), true)
                LIMIT {_MAX_BATCH}) q
            LIMIT {_MAX_BATCH}
        ), locked AS MATERIALIZED (
            SELECT d.tenant_id, d.id FROM chosen c
            JOIN webhook_deliveries d ON d.tenant_id = c.tenant_id AND d.id = c.id
            WHERE d.state = 'due' AND d.{"parked" if parked else "parked IS FALSE"}
            FOR NO KEY UPDATE OF d SKIP LOCKED
        )
        UPDATE webhook_deliveries d SET parked = {"false" if parked else "true"}
        FROM locked k WHERE d.tenant_id = k.tenant_id AND d.id = k.id
        """
    )
    return int(done.removeprefix("UPDATE "))
