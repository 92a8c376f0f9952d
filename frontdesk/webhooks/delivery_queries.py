"""The queue of deliveries: claiming with a lease, releasing, and recording attempts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

# Longer than an attempt and the write of its result. The deliveries of a killed worker are delayed by this time.
LEASE_SECONDS = 25


class Claimed(msgspec.Struct, frozen=True, eq=False):
    """A claimed delivery, with everything that is needed to send it."""

    tenant_id: UUID
    id: UUID
    lease: UUID
    webhook_id: UUID
    attempts: int
    url: str
    secret: bytes  # encrypted
    previous_secret: bytes | None
    failing_since: datetime | None
    scopes: frozenset[str]
    event_id: UUID
    type: str
    sequence: int
    data: str
    created_at: datetime

    @property
    def receiver(self) -> tuple[UUID, UUID]:
        return self.tenant_id, self.webhook_id


class Attempt(msgspec.Struct, frozen=True):
    """The stored result of an attempt."""

    delivery: Claimed
    id: UUID
    began_at: datetime
    milliseconds: int
    status: int | None
    response_body: str | None
    error: str | None
    state: str
    delay: float  # seconds until the next attempt, if there is one


# A webhook is deliverable while it is enabled, its client is active, its application is connected, and the tenant is
# neither suspended nor on a plan without the Open API. Otherwise its deliveries wait.
DELIVERABLE = """
    FROM webhooks w
    JOIN api_clients c ON c.tenant_id = w.tenant_id AND c.id = w.client_id
    JOIN tenants n ON n.id = w.tenant_id
    JOIN plans p ON p.code = n.plan
    LEFT JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
    LEFT JOIN applications a ON a.id = i.application_id
    WHERE w.tenant_id = r.tenant_id AND w.id = r.webhook_id
      AND w.disabled_at IS NULL AND c.disabled_at IS NULL AND i.disconnected_at IS NULL
      AND a.status IS DISTINCT FROM 'suspended' AND n.suspended_at IS NULL AND p.open_api
"""


# Two conditions, one for each index.
WAITING = """
    SELECT tenant_id, due_at, leased_until FROM webhook_deliveries WHERE queue_webhook_id IS NOT NULL AND NOT parked
    UNION ALL
    SELECT tenant_id, due_at, leased_until FROM webhook_deliveries WHERE queue_webhook_id IS NOT NULL AND parked
"""


async def claim_deliveries(
    conn: Connection, lease: UUID, *, limit: int, max_in_flight: int, skipped: Collection[UUID]
) -> list[Claimed]:
    """At most `max_in_flight` deliveries of a webhook are leased by all workers together; one, while the webhook fails.

    Webhooks with due deliveries are found by a loose index scan, so a long queue costs no more than a short one. Only
    the head of each queue is read: leased deliveries there count towards the limit, the others may be claimed. Tenants
    take turns, regardless of the number of their webhooks.
    """
    rows = await conn.fetch(
        f"""
        WITH RECURSIVE receivers AS (
            (SELECT tenant_id, queue_webhook_id AS webhook_id FROM webhook_deliveries
             WHERE queue_webhook_id IS NOT NULL AND NOT parked ORDER BY tenant_id, queue_webhook_id LIMIT 1)
            UNION ALL
            SELECT next.tenant_id, next.queue_webhook_id FROM receivers r CROSS JOIN LATERAL (
                SELECT d.tenant_id, d.queue_webhook_id FROM webhook_deliveries d
                WHERE d.queue_webhook_id IS NOT NULL AND NOT d.parked
                  AND (d.tenant_id, d.queue_webhook_id) > (r.tenant_id, r.webhook_id)
                ORDER BY d.tenant_id, d.queue_webhook_id LIMIT 1) next
        ), deliverable AS MATERIALIZED (
            SELECT l.* FROM receivers r CROSS JOIN LATERAL (
                SELECT w.tenant_id, w.id, w.url, w.secret, w.failing_since, c.scopes,
                       CASE WHEN w.previous_secret_until > now() THEN w.previous_secret END AS previous_secret
                {DELIVERABLE} AND w.id <> ALL ($4::uuid[]) AND coalesce(w.paused_until < now(), true) LIMIT 1) l
        ), heads AS MATERIALIZED (
            SELECT l.tenant_id, d.id, d.due_at,
                   row_number() OVER (PARTITION BY l.tenant_id ORDER BY d.place, d.due_at) AS turn
            FROM deliverable l CROSS JOIN LATERAL (
                SELECT q.*, row_number() OVER (ORDER BY q.due_at, q.id) AS place FROM (
                    SELECT h.id, h.due_at, h.leased_until FROM webhook_deliveries h
                    WHERE h.tenant_id = l.tenant_id AND h.queue_webhook_id = l.id AND NOT h.parked AND h.due_at <= now()
                    ORDER BY h.tenant_id, h.queue_webhook_id, h.due_at, h.id
                    LIMIT CASE WHEN l.failing_since IS NULL THEN $3::int ELSE 1 END) q) d
            WHERE coalesce(d.leased_until < now(), true)
        ), chosen AS MATERIALIZED (
            SELECT h.tenant_id, h.id, h.turn FROM heads h ORDER BY h.turn, h.due_at LIMIT $2
        ), locked AS MATERIALIZED (
            SELECT d.tenant_id, d.id, h.turn FROM chosen h
            JOIN webhook_deliveries d ON d.tenant_id = h.tenant_id AND d.id = h.id
            WHERE d.state = 'due' AND coalesce(d.leased_until < now(), true)
            FOR NO KEY UPDATE OF d SKIP LOCKED
        ), claimed AS (
            UPDATE webhook_deliveries d SET lease = $1, leased_until = now() + make_interval(secs => {LEASE_SECONDS})
            FROM locked k WHERE d.tenant_id = k.tenant_id AND d.id = k.id
            RETURNING d.tenant_id, d.id, d.lease, d.webhook_id, d.attempts, d.event_id, k.turn
        )
        SELECT d.*, l.url, l.secret, l.previous_secret, l.failing_since, l.scopes, e.type, e.sequence, e.data,
               e.created_at
        FROM claimed d
        JOIN deliverable l ON l.tenant_id = d.tenant_id AND l.id = d.webhook_id
        JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
        ORDER BY d.turn, e.created_at
        """,
        lease,
        limit,
        max_in_flight,
        list(skipped),
    )
    return [
        Claimed(
            row["tenant_id"],
            row["id"],
            row["lease"],
            row["webhook_id"],
            row["attempts"],
            row["url"],
            row["secret"],
            row["previous_secret"],
            row["failing_since"],
            frozenset(row["scopes"]),
            row["event_id"],
            row["type"],
            row["sequence"],
            row["data"],
            row["created_at"],
        )
        for row in rows
    ]


async def list_deliverable(conn: Connection, receivers: Collection[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Those of the webhooks that are deliverable now."""
    rows = await conn.fetch(
        f"""
        SELECT l.* FROM unnest($1::uuid[], $2::uuid[]) AS r (tenant_id, webhook_id)
        CROSS JOIN LATERAL (SELECT w.tenant_id, w.id {DELIVERABLE} LIMIT 1) l
        """,
        [tenant_id for tenant_id, _ in receivers],
        [webhook_id for _, webhook_id in receivers],
    )
    return {(row["tenant_id"], row["id"]) for row in rows}


async def insert_attempts(conn: Connection, attempts: Sequence[Attempt]) -> None:
    """Records attempts. A worker that has lost the lease does not change the delivery. Idempotent."""
    await conn.execute(
        """
        WITH given AS (
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::int[],
                                 $7::smallint[], $8::text[], $9::text[], $10::text[], $11::float8[])
                AS g (tenant_id, delivery_id, lease, id, attempted_at, milliseconds, status, response_body, error,
                      state, delay)
        ), written AS (
            UPDATE webhook_deliveries d SET
                attempts = d.attempts + 1,
                state = CASE WHEN d.lease = g.lease THEN g.state ELSE d.state END,
                due_at = CASE WHEN d.lease = g.lease AND g.state = 'due' THEN now() + make_interval(secs => g.delay)
                              ELSE d.due_at END,
                leased_until = CASE WHEN d.lease = g.lease THEN NULL ELSE d.leased_until END,
                lease = CASE WHEN d.lease = g.lease THEN NULL ELSE d.lease END
            FROM given g WHERE d.tenant_id = g.tenant_id AND d.id = g.delivery_id
            RETURNING d.tenant_id, d.id
        )
        INSERT INTO webhook_attempts (tenant_id, id, delivery_id, attempted_at, milliseconds, status, response_body,
            error)
        SELECT g.tenant_id, g.id, g.delivery_id, g.attempted_at, g.milliseconds, g.status, g.response_body, g.error
        FROM given g JOIN written w ON w.tenant_id = g.tenant_id AND w.id = g.delivery_id
        ON CONFLICT (tenant_id, id) DO NOTHING
        """,
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


async def release_deliveries(conn: Connection, deliveries: Collection[Claimed]) -> None:
    """Releases deliveries that were not sent completely, so that they can be claimed again at once."""
    await conn.execute(
        """
        UPDATE webhook_deliveries d SET lease = NULL, leased_until = NULL
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS g (tenant_id, id, lease)
        WHERE d.tenant_id = g.tenant_id AND d.id = g.id AND d.lease = g.lease
        """,
        [delivery.tenant_id for delivery in deliveries],
        [delivery.id for delivery in deliveries],
        [delivery.lease for delivery in deliveries],
    )


async def count_due(conn: Connection) -> tuple[int, float]:
    """The number of due deliveries of all tenants, and the age of the oldest in seconds."""
    row = await conn.fetchrow(
        f"""
        SELECT count(*) AS many, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM ({WAITING}) d WHERE due_at <= now() AND tenant_id IS NOT NULL
        """
    )
    return (row["many"], row["oldest"]) if row else (0, 0.0)


async def delete_old_attempts(conn: Connection, limit: int) -> int:
    """Of all tenants, after thirty days."""
    return await delete_batch(conn, "webhook_attempts", "attempted_at < now() - interval '30 days'", limit)
