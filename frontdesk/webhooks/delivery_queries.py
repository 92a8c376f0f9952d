"""The queue of deliveries: claiming with a lease, releasing, and recording attempts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.queue_scope import QueueScope
from frontdesk.postgres.queued_tenants import list_queued_tenants
from frontdesk.webhooks.queue_sql import deliverable, queued_receivers

# Longer than an attempt and the write of its result. The deliveries of a killed worker are delayed by this time.
LEASE_SECONDS = 25


class ClaimedDelivery(msgspec.Struct, frozen=True, eq=False):
    """A claimed delivery, with everything that is needed to send it."""

    tenant_id: UUID
    id: UUID
    lease: UUID
    webhook_id: UUID
    client_id: UUID
    attempts: int
    url: str
    secret: bytes  # encrypted
    previous_secret: bytes | None
    failing_since: datetime | None
    scopes: Collection[str]
    event_id: UUID
    type: str
    sequence: int
    data: str
    created_at: datetime
    is_thin: bool = False
    has_faults: bool = False  # of a sandbox, on purpose

    @property
    def receiver(self) -> tuple[UUID, UUID]:
        return self.tenant_id, self.webhook_id


class Attempt(msgspec.Struct, frozen=True):
    """The stored result of an attempt."""

    delivery: ClaimedDelivery
    id: UUID
    began_at: datetime
    milliseconds: int
    status: int | None
    response_body: str | None
    error: str | None
    state: str
    delay: float  # seconds until the next attempt, if there is one


# Two conditions, one for each index.
WAITING = """
    SELECT tenant_id, due_at, leased_until FROM webhook_deliveries WHERE queue_webhook_id IS NOT NULL AND NOT parked
    UNION ALL
    SELECT tenant_id, due_at, leased_until FROM webhook_deliveries WHERE queue_webhook_id IS NOT NULL AND parked
"""


async def list_receiving_tenants(conn: Connection, *, parked: bool = False) -> list[UUID]:
    """Those with deliveries that can be claimed, or that are parked."""
    condition = "parked" if parked else "NOT parked AND due_at <= now()"
    return await list_queued_tenants(conn, "webhook_deliveries", f"queue_webhook_id IS NOT NULL AND {condition}")


async def claim_deliveries(
    conn: Connection,
    lease: UUID,
    *,
    limit: int,
    max_in_flight: int,
    skipped: Collection[UUID],
    tenant_id: UUID | None = None,
) -> list[ClaimedDelivery]:
    """At most `max_in_flight` deliveries of a webhook are leased by all workers together; one, while the webhook fails.

    Webhooks with due deliveries are found by a loose index scan, so a long queue costs no more than a short one. Only
    the head of each queue is read: leased deliveries there count towards the limit, the others may be claimed. Tenants
    take turns, regardless of the number of their webhooks. With `tenant_id`, those of one tenant: tenants can be on
    different nodes. Only tenants at the time of the session.
    """
    scope = QueueScope(tenant_id, "$5")
    rows = await conn.fetch(
        f"""
        WITH RECURSIVE {queued_receivers(scope, parked=False)}, deliverable AS MATERIALIZED (
            SELECT l.* FROM receivers r CROSS JOIN LATERAL (
                SELECT w.tenant_id, w.id, w.client_id, w.url, w.secret, w.failing_since, w.is_thin, c.scopes,
                       n.has_faults,
                       CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret
                {deliverable(scope.tenant_of("r"))}
                    AND w.id <> ALL ($4::uuid[]) AND coalesce(w.paused_until < now(), true)
                    AND n.clock_ahead IS NOT DISTINCT FROM session_clock() LIMIT 1) l
        ), heads AS MATERIALIZED (
            SELECT l.tenant_id, d.id, d.due_at,
                   row_number() OVER (PARTITION BY l.tenant_id ORDER BY d.position, d.due_at) AS turn
            FROM deliverable l CROSS JOIN LATERAL (
                SELECT q.*, row_number() OVER (ORDER BY q.due_at, q.id) AS position FROM (
                    SELECT h.id, h.due_at, h.leased_until FROM webhook_deliveries h
                    WHERE h.tenant_id = {scope.tenant_of("l")} AND h.queue_webhook_id = l.id AND NOT h.parked
                      AND h.due_at <= now()
                    ORDER BY h.tenant_id, h.queue_webhook_id, h.due_at, h.id
                    LIMIT CASE WHEN l.failing_since IS NULL THEN $3::int ELSE 1 END) q) d
            WHERE coalesce(d.leased_until < now(), true)
        ), chosen AS MATERIALIZED (
            SELECT h.tenant_id, h.id, h.turn FROM heads h ORDER BY h.turn, h.due_at LIMIT $2
        ), locked AS MATERIALIZED (
            SELECT d.tenant_id, d.id, h.turn FROM chosen h
            JOIN webhook_deliveries d ON d.tenant_id = {scope.tenant_of("h")} AND d.id = h.id
            WHERE d.state = 'due' AND coalesce(d.leased_until < now(), true)
            FOR NO KEY UPDATE OF d SKIP LOCKED
        ), claimed AS (
            UPDATE webhook_deliveries d SET lease = $1, leased_until = now() + make_interval(secs => {LEASE_SECONDS})
            FROM locked k WHERE d.tenant_id = {scope.tenant_of("k")} AND d.id = k.id
            RETURNING d.tenant_id, d.id, d.lease, d.webhook_id, d.attempts, d.event_id, k.turn
        )
        SELECT d.*, l.client_id, l.url, l.secret, l.previous_secret, l.failing_since, l.scopes, l.is_thin,
               l.has_faults, e.type, e.sequence, e.data, e.created_at
        FROM claimed d
        JOIN deliverable l ON l.tenant_id = {scope.tenant_of("d")} AND l.id = d.webhook_id
        JOIN events e ON e.tenant_id = {scope.tenant_of("d")} AND e.id = d.event_id
        ORDER BY d.turn, e.created_at
        """,
        lease,
        limit,
        max_in_flight,
        list(skipped),
        *scope.args,
    )
    return [ClaimedDelivery(*(row[field] for field in ClaimedDelivery.__struct_fields__)) for row in rows]


async def is_deliverable(conn: Connection, tenant_id: UUID, webhook_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        f"""
        SELECT EXISTS (SELECT FROM (SELECT $2::uuid AS webhook_id) r CROSS JOIN LATERAL (SELECT {deliverable("$1")}) l)
        """,
        tenant_id,
        webhook_id,
    )
    return found


async def insert_attempts(conn: Connection, attempts: Sequence[Attempt]) -> None:
    """Records attempts. A worker that has lost the lease does not change the delivery."""
    await conn.execute(
        "SELECT insert_attempts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        [attempt.delivery.tenant_id for attempt in attempts],
        [attempt.delivery.id for attempt in attempts],
        [attempt.delivery.lease for attempt in attempts],
        [attempt.id for attempt in attempts],
        [attempt.began_at for attempt in attempts],
        [attempt.milliseconds for attempt in attempts],
        [attempt.status for attempt in attempts],
        [attempt.response_body for attempt in attempts],
        [attempt.error for attempt in attempts],
        [attempt.state for attempt in attempts],
        [attempt.delay for attempt in attempts],
    )


async def release_deliveries(conn: Connection, deliveries: Collection[ClaimedDelivery]) -> None:
    """Releases deliveries that were not sent, so that they can be claimed again at once."""
    await conn.execute(
        "SELECT release_deliveries($1, $2, $3)",
        [delivery.tenant_id for delivery in deliveries],
        [delivery.id for delivery in deliveries],
        [delivery.lease for delivery in deliveries],
    )


async def count_due(conn: Connection) -> tuple[int, float]:
    """The number of due deliveries of all tenants, and the age of the oldest in seconds."""
    row = await conn.fetchrow(
        f"""
        SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM ({WAITING}) d WHERE due_at <= now() AND tenant_id IS NOT NULL
        """
    )
    return (row["count"], row["oldest"]) if row else (0, 0.0)


async def count_late(conn: Connection) -> tuple[int, float]:
    """As `count_due`, without those of disabled webhooks, which nobody sends."""
    row = await conn.fetchrow(
        """
        SELECT count(*) AS many, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM webhook_deliveries
        WHERE queue_webhook_id IS NOT NULL AND NOT parked AND due_at <= now() AND tenant_id IS NOT NULL
        """
    )
    return (row["many"], row["oldest"]) if row else (0, 0.0)


async def delete_old_attempts(conn: Connection, limit: int) -> int:
    """Of all tenants, after thirty days."""
    return await delete_batch(conn, "webhook_attempts", "attempted_at < now() - interval '30 days'", limit)
