"""Removes the deliveries of undeliverable webhooks from the queue, and puts them back when these are deliverable."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.webhooks.queue_sql import deliverable, queued_receivers

_MAX_BATCH = 5000  # deliveries in one statement


async def park_deliveries(conn: Connection, tenant_id: UUID | None = None) -> int:
    """Those of undeliverable webhooks, of all tenants or of one."""
    return await _move(conn, tenant_id, parked=False)


async def put_back_deliveries(conn: Connection, tenant_id: UUID | None = None) -> int:
    """Those of webhooks that are deliverable again."""
    return await _move(conn, tenant_id, parked=True)


async def _move(conn: Connection, tenant_id: UUID | None, *, parked: bool) -> int:
    scope = QueueScope(tenant_id, "$1")
    here = "parked" if parked else "NOT parked"
    done = await conn.execute(
        f"""
        WITH RECURSIVE {queued_receivers(scope, parked=parked)}, wrong AS MATERIALIZED (
            SELECT r.tenant_id, r.webhook_id FROM receivers r
            WHERE {"" if parked else "NOT"} EXISTS (SELECT {deliverable(scope.tenant_of("r"))})
        ), chosen AS MATERIALIZED (
            SELECT q.tenant_id, q.id FROM wrong w CROSS JOIN LATERAL (
                SELECT d.tenant_id, d.id FROM webhook_deliveries d
                WHERE d.tenant_id = {scope.tenant_of("w")} AND d.queue_webhook_id = w.webhook_id AND {here}
                  AND coalesce(d.leased_until < now(), true)
                LIMIT {_MAX_BATCH}) q
            LIMIT {_MAX_BATCH}
        ), locked AS MATERIALIZED (
            SELECT d.tenant_id, d.id FROM chosen c
            JOIN webhook_deliveries d ON d.tenant_id = {scope.tenant_of("c")} AND d.id = c.id
            WHERE d.state = 'due' AND d.{"parked" if parked else "parked IS FALSE"}
            FOR NO KEY UPDATE OF d SKIP LOCKED
        )
        UPDATE webhook_deliveries d SET parked = {"false" if parked else "true"}
        FROM locked k WHERE d.tenant_id = {scope.tenant_of("k")} AND d.id = k.id
        """,
        *scope.args,
    )
    return int(done.removeprefix("UPDATE "))
