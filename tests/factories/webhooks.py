"""Webhooks, events, deliveries and attempts, written as rows: nothing is sent."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def insert_webhook(
    rows: TenantRows,
    client_id: UUID,
    url: str = "https://hooks.example/frontdesk",
    *,
    events: Sequence[str] = ("customer.created",),
    secret: bytes = b"\0",
    id_: UUID | None = None,
) -> UUID:
    id_ = id_ or uuid7()
    await rows.sql(
        "INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret) VALUES ($1, $2, $3, $4, $5, $6)",
        id_,
        client_id,
        url,
        list(events),
        secret,
    )
    return id_


async def disable_copies(rows: TenantRows, webhook_id: UUID, count: int) -> None:
    """Copies of the webhook that are switched off, with a delivery each of an event of the business."""
    await rows.sql(
        """
        WITH made AS (
            INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret, disabled_at)
            SELECT w.tenant_id, gen_random_uuid(), w.client_id, w.url, w.events, w.secret, now()
            FROM webhooks w, generate_series(1, $3) WHERE w.tenant_id = $1 AND w.id = $2 RETURNING id
        )
        INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
        SELECT $1, gen_random_uuid(), m.id, e.id FROM made m, (SELECT id FROM events WHERE tenant_id = $1 LIMIT 1) e
        """,
        webhook_id,
        count,
    )


async def emit_events(
    rows: TenantRows, webhook_ids: Sequence[UUID], data: Any, *, kind: str = "webhook.ping", count: int = 1
) -> None:
    """The next events of the business, each to be delivered to all the webhooks, written in one transaction."""
    await rows.sql(
        """
        WITH numbered AS (
            INSERT INTO tenant_counters AS c (tenant_id, name, value) VALUES ($1, 'events', $2)
            ON CONFLICT (tenant_id, name) DO UPDATE SET value = c.value + $2 RETURNING value
        ), new_events AS (
            INSERT INTO events (tenant_id, id, sequence, type, data)
            SELECT $1, uuid_v7(clock_timestamp()), value - $2 + n, $4, $5::json
            FROM numbered, generate_series(1, $2::bigint) n RETURNING id, sequence
        )
        INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
        SELECT $1, uuid_v7(clock_timestamp()), h, new_events.id FROM new_events, unnest($3::uuid[]) h
        ORDER BY sequence RETURNING pg_notify('frontdesk_deliveries', '')
        """,
        count,
        webhook_ids,
        kind,
        msgspec.json.encode(data).decode(),
    )


async def insert_event(rows: TenantRows, kind: str = "customer.created") -> UUID:
    """An event with a number far behind those that the product gives."""
    id_ = uuid7()
    await rows.sql(
        "INSERT INTO events (tenant_id, id, sequence, type, data) "
        "SELECT $1, $2, 1000000 + (SELECT count(*) FROM events WHERE tenant_id = $1), $3, '{}'",
        id_,
        kind,
    )
    return id_


async def insert_delivery(
    rows: TenantRows, webhook_id: UUID, event_id: UUID, *, state: str = "dead", attempts: int = 0
) -> UUID:
    """Due in an hour, so that no worker takes it during a test."""
    id_ = uuid7()
    await rows.sql(
        "INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, state, attempts, due_at) "
        "VALUES ($1, $2, $3, $4, $5, $6, now() + interval '1 hour')",
        id_,
        webhook_id,
        event_id,
        state,
        attempts,
    )
    return id_


async def copy_delivery(rows: TenantRows, delivery_id: UUID, state: str, count: int = 1) -> None:
    """Deliveries of the same event to the same webhook, which are due at once."""
    await rows.sql(
        "INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, state) "
        "SELECT d.tenant_id, gen_random_uuid(), d.webhook_id, d.event_id, $3 "
        "FROM webhook_deliveries d, generate_series(1, $4) WHERE d.tenant_id = $1 AND d.id = $2",
        delivery_id,
        state,
        count,
    )


async def insert_attempt(
    rows: TenantRows, delivery_id: UUID, *, status: int | None = 503, at: datetime | None = None, **more: Any
) -> None:
    """`answer` is the response body, `error` why there was none."""
    await rows.sql(
        "INSERT INTO webhook_attempts (tenant_id, id, delivery_id, attempted_at, milliseconds, status, response_body, "
        "error) VALUES ($1, $2, $3, coalesce($4, now()), $5, $6, $7, $8)",
        uuid7(),
        delivery_id,
        at,
        more.get("milliseconds", 1500),
        status,
        more.get("answer"),
        more.get("error"),
    )
