"""Statements about webhooks, their deliveries as people look at them, and events as they are read back."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from asyncpg import Record

from frontdesk.errors import not_found
from frontdesk.postgres.pool import Connection
from frontdesk.values.pagination import Page, PageRequest, choose_scan_direction
from frontdesk.webhooks.documents import DELIVERY, WEBHOOK, event_document
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.outbox import APP_OUTBOX, CHANNEL, PING_OUTBOX
from frontdesk.webhooks.payloads import redact_contact_fields, webhook_ping
from frontdesk.webhooks.types import EventFilter, NewWebhook, WebhookChange

SWITCHED_OFF = "Switched off by hand."


async def list_webhooks(conn: Connection, tenant_id: UUID, client_id: UUID, wanted: PageRequest) -> Page:
    """Of this client, newest first; there are few."""
    row = await conn.fetchrow(
        f"""
        SELECT coalesce((
            SELECT json_agg({WEBHOOK} ORDER BY w.created_at DESC, w.id DESC)
            FROM (SELECT * FROM webhooks WHERE tenant_id = $1 AND client_id = $2
                  ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) w), '[]')::text AS documents,
            (SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND client_id = $2) AS total
        """,
        tenant_id,
        client_id,
        wanted.offset,
        wanted.per_page,
    )
    return Page(row["documents"], row["total"]) if row else Page("[]", 0)


async def get_webhook(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"SELECT {WEBHOOK}::text FROM webhooks w WHERE w.tenant_id = $1 AND w.client_id = $2 AND w.id = $3",
        tenant_id,
        client_id,
        webhook_id,
    )
    if document is None:
        raise not_found("webhook")
    return document


async def is_disabled(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> bool:
    disabled: bool | None = await conn.fetchval(
        "SELECT disabled_at IS NOT NULL FROM webhooks WHERE tenant_id = $1 AND client_id = $2 AND id = $3",
        tenant_id,
        client_id,
        webhook_id,
    )
    if disabled is None:
        raise not_found("webhook")
    return disabled


async def insert_webhook_below_limit(conn: Connection, tenant_id: UUID, new: NewWebhook, most: int) -> str | None:
    """None when the client has that many already."""
    document: str | None = await conn.fetchval(
        f"""
        WITH w AS (
            INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret, disabled_at, disabled_reason)
            SELECT $1, $2, $3, $4, $5, $6, CASE WHEN NOT $7 THEN now() END, CASE WHEN NOT $7 THEN $8::text END
            WHERE (SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND client_id = $3) < $9::integer RETURNING *
        )
        SELECT {WEBHOOK}::text FROM w
        """,
        tenant_id,
        new.id,
        new.client_id,
        new.url,
        new.events,
        new.sealed_secret,
        new.active,
        SWITCHED_OFF,
        most,
    )
    return document


async def update_webhook(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, change: WebhookChange
) -> str:
    """Only what was given changes. Switched on, or moved, it begins anew: what was held against it is forgotten."""
    document: str | None = await conn.fetchval(
        f"""
        WITH w AS (
            UPDATE webhooks SET
                url = coalesce($4, url), events = coalesce($5::text[], events),
                disabled_at = CASE WHEN $6 THEN NULL WHEN NOT $6 THEN coalesce(disabled_at, now()) ELSE disabled_at END,
                disabled_reason = CASE WHEN $6 THEN NULL WHEN NOT $6 THEN coalesce(disabled_reason, $7)
                                  ELSE disabled_reason END,
                failing_since = CASE WHEN $6 OR $4 <> url THEN NULL ELSE failing_since END,
                resting_until = CASE WHEN $6 OR $4 <> url THEN NULL ELSE resting_until END,
                updated_at = now()
            WHERE tenant_id = $1 AND client_id = $2 AND id = $3 RETURNING *
        ), woken AS MATERIALIZED (
            SELECT pg_notify('{CHANNEL}', '') FROM w WHERE w.disabled_at IS NULL
        )
        SELECT {WEBHOOK}::text FROM w LEFT JOIN woken ON true
        """,
        tenant_id,
        client_id,
        webhook_id,
        change.url,
        change.events,
        change.active,
        SWITCHED_OFF,
    )
    if document is None:
        raise not_found("webhook")
    return document


async def update_secret(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, sealed_secret: bytes
) -> str:
    """The earlier one signs beside it for a day."""
    document: str | None = await conn.fetchval(
        f"""
        WITH w AS (
            UPDATE webhooks SET previous_secret = secret, previous_secret_until = now() + interval '24 hours',
                secret = $4, updated_at = now()
            WHERE tenant_id = $1 AND client_id = $2 AND id = $3 RETURNING *
        )
        SELECT {WEBHOOK}::text FROM w
        """,
        tenant_id,
        client_id,
        webhook_id,
        sealed_secret,
    )
    if document is None:
        raise not_found("webhook")
    return document


async def delete_webhook(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> None:
    """Its deliveries go with it; the events stay."""
    gone = await conn.fetchval(
        "DELETE FROM webhooks WHERE tenant_id = $1 AND client_id = $2 AND id = $3 RETURNING id",
        tenant_id,
        client_id,
        webhook_id,
    )
    if gone is None:
        raise not_found("webhook")


async def insert_ping(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> UUID | None:
    """The id of its delivery; None when the webhook is not there, or is switched off."""
    delivery_id: UUID | None = await conn.fetchval(
        f"""
        WITH news AS (
            SELECT 0 AS place, {webhook_ping("w.id")}
            FROM webhooks w WHERE w.tenant_id = $1 AND w.client_id = $2 AND w.id = $3 AND w.disabled_at IS NULL
        ), {PING_OUTBOX}
        SELECT id FROM queued
        """,
        tenant_id,
        client_id,
        webhook_id,
    )
    return delivery_id


async def insert_app_event(conn: Connection, tenant_id: UUID, client_id: UUID, kind: EventType, data: bytes) -> None:
    await conn.execute(
        f"""
        WITH news AS (SELECT 0 AS place, $3::text AS type, $4::json AS data), {APP_OUTBOX}
        SELECT
        """,
        tenant_id,
        client_id,
        kind,
        data.decode(),
    )


async def list_deliveries(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, wanted: PageRequest
) -> Page:
    """Newest first, each with every attempt; a page that finds nothing does not tell whether the webhook is there."""
    total = await conn.fetchval(
        """
        SELECT count(*) FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
        WHERE d.tenant_id = $1 AND d.webhook_id = $3 AND w.client_id = $2
        """,
        tenant_id,
        client_id,
        webhook_id,
    )
    span = choose_scan_direction(wanted, total)
    order = "created_at, id" if span.backward else "created_at DESC, id DESC"
    documents = await conn.fetchval(
        f"""
        WITH page AS (
            SELECT * FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2
            ORDER BY {order} OFFSET $3 LIMIT $4
        )
        SELECT coalesce(json_agg({DELIVERY} ORDER BY d.created_at DESC, d.id DESC), '[]')::text
        FROM page d JOIN events e ON e.tenant_id = $1 AND e.id = d.event_id
        """,
        tenant_id,
        webhook_id,
        span.skip,
        span.take,
    )
    return Page(documents, total)


async def get_delivery(conn: Connection, tenant_id: UUID, client_id: UUID, delivery_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"""
        SELECT {DELIVERY}::text FROM webhook_deliveries d
        JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
        JOIN events e ON e.tenant_id = $1 AND e.id = d.event_id
        WHERE d.tenant_id = $1 AND w.client_id = $2 AND d.id = $3
        """,
        tenant_id,
        client_id,
        delivery_id,
    )
    if document is None:
        raise not_found("delivery")
    return document


async def get_webhook_of_delivery(conn: Connection, tenant_id: UUID, client_id: UUID, delivery_id: UUID) -> UUID:
    webhook_id: UUID | None = await conn.fetchval(
        """
        SELECT w.id FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
        WHERE d.tenant_id = $1 AND w.client_id = $2 AND d.id = $3
        """,
        tenant_id,
        client_id,
        delivery_id,
    )
    if webhook_id is None:
        raise not_found("delivery")
    return webhook_id


# What concerns one client alone is told to no other; of applications the business's own clients hear too.
_EVENT_COLUMNS = """
    tenant_id = $1 AND sequence > $3 AND type = ANY ($4)
    AND (client_id IS NULL OR client_id = $2
         OR type LIKE 'app.%' AND (SELECT install_id IS NULL FROM api_clients WHERE tenant_id = $1 AND id = $2))"""


async def list_events(
    conn: Connection, tenant_id: UUID, client_id: UUID, filter_: EventFilter, wanted: PageRequest
) -> Page:
    """In the order of their sequence."""
    asked: tuple[object, ...] = (tenant_id, client_id, filter_.after, filter_.kinds)
    total = await conn.fetchval(f"SELECT count(*) FROM events WHERE {_EVENT_COLUMNS}", *asked)
    span = choose_scan_direction(wanted, total)
    order = "sequence DESC" if span.backward else "sequence"
    rows = await conn.fetch(
        f"""
        WITH page AS (SELECT sequence FROM events WHERE {_EVENT_COLUMNS} ORDER BY {order} OFFSET $5 LIMIT $6)
        SELECT e.id, e.type, e.created_at, e.sequence, e.data
        FROM page JOIN events e ON e.tenant_id = $1 AND e.sequence = page.sequence ORDER BY e.sequence
        """,
        *asked,
        span.skip,
        span.take,
    )
    return Page(f"[{','.join(_documents(tenant_id, rows, filter_))}]", total)


def _documents(tenant_id: UUID, rows: Sequence[Record], filter_: EventFilter) -> Iterator[str]:
    for row in rows:
        data = row["data"] if filter_.contacts else redact_contact_fields(row["type"], row["data"])
        yield event_document(row["id"], row["type"], row["created_at"], tenant_id, row["sequence"], data)


async def delete_old_events(conn: Connection, most: int) -> int:
    """Of everybody, after thirty days, a part at a time. One that was sent since then stays with its attempts."""
    done = await conn.execute(
        """
        DELETE FROM events WHERE ctid = ANY (ARRAY(
            SELECT e.ctid FROM events e WHERE e.created_at < now() - interval '30 days' AND NOT EXISTS (
                SELECT FROM webhook_deliveries d
                JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id
                WHERE d.tenant_id = e.tenant_id AND d.event_id = e.id
                  AND a.attempted_at >= now() - interval '30 days')
            LIMIT $1::integer))
        """,
        most,
    )
    return int(done.removeprefix("DELETE "))
