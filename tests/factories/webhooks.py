"""Webhooks, events, deliveries and attempts, written as rows: nothing is sent."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

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


async def insert_attempt(rows: TenantRows, delivery_id: UUID, *, status: int = 503, **more: Any) -> None:
    """`answer` is the response body, `error` why there was none."""
    await rows.sql(
        "INSERT INTO webhook_attempts (tenant_id, id, delivery_id, milliseconds, status, response_body, error) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7)",
        uuid7(),
        delivery_id,
        more.get("milliseconds", 1500),
        status,
        more.get("answer"),
        more.get("error"),
    )
