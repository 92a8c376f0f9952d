"""Statements about webhooks, their deliveries as people look at them, and events as they are read back."""

from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record

from frontdesk.errors import not_found
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, page, page_keys, page_of, unknown_filters
from frontdesk.values.pagination import Page, PageRequest
from frontdesk.webhooks.documents import DELIVERY, WEBHOOK, event_document
from frontdesk.webhooks.event_types import READ_SCOPE, EventType
from frontdesk.webhooks.outbox import APP_OUTBOX, CHANNEL, PING_OUTBOX
from frontdesk.webhooks.payloads import redact_contact_fields, webhook_ping
from frontdesk.webhooks.types import EventFilter, EventPage, NewWebhook, StoredEvent, WebhookChange

SWITCHED_OFF = "Switched off by hand."


# The client whose webhooks are read: the caller, or the one that the dashboard names.
_CLIENT = "coalesce($2::uuid, context.caller_id)"


def list_webhooks(wanted: PageRequest, client_id: UUID | None = None) -> Query[Page]:
    """Of one client, newest first; there are few."""
    source = f"FROM webhooks WHERE tenant_id = $1 AND client_id = {_CLIENT}"
    return Query(
        f"""
        SELECT {page_of(WEBHOOK, "w.created_at DESC, w.id DESC")} AS documents, (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) w
        """,
        (client_id, wanted.offset, wanted.per_page),
        page,
    )


def get_webhook(webhook_id: UUID, client_id: UUID | None = None) -> Query[bytes]:
    return Query(
        f"""
        SELECT {json_bytes(WEBHOOK)} AS document FROM webhooks w
        WHERE w.tenant_id = $1 AND w.client_id = {_CLIENT} AND w.id = $3
        """,
        (client_id, webhook_id),
        document("webhook"),
    )


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
                paused_until = CASE WHEN $6 OR $4 <> url THEN NULL ELSE paused_until END,
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


def list_deliveries(webhook_id: UUID, wanted: PageRequest, client_id: UUID | None = None) -> Query[Page]:
    """Newest first, each with every attempt."""
    webhook = f"SELECT FROM webhooks w WHERE w.tenant_id = $1 AND w.id = $3 AND w.client_id = {_CLIENT}"
    source = f"FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $3 AND EXISTS ({webhook})"
    order = ("created_at DESC, id DESC", "created_at, id")
    return Query(
        f"""
        WITH {page_keys(source, "id", order, f"SELECT count(*) {source}", 4)}
        SELECT {page_of(DELIVERY, "d.created_at DESC, d.id DESC")} AS documents, (SELECT total FROM counted) AS total,
               {unknown_filters("(SELECT total FROM counted)", {"webhook": webhook})} AS unknown
        FROM keys,
            LATERAL (SELECT * FROM webhook_deliveries WHERE tenant_id = $1 AND id = keys.id OFFSET 0) d,
            LATERAL (SELECT * FROM events WHERE tenant_id = $1 AND id = d.event_id OFFSET 0) e
        """,
        (client_id, webhook_id, wanted.offset, wanted.per_page),
        _deliveries,
    )


def _deliveries(row: Record | None) -> Page:
    found = page(row)
    if found.unknown:
        raise not_found("webhook")
    return found


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


# An event about one client is visible to that client; one about an application also to the tenant's own clients.
_VISIBLE = """
    tenant_id = $1 AND sequence > $2 AND type = ANY (ARRAY(
        SELECT k.type FROM unnest($3::text[], $4::text[]) AS k (type, scope)
        WHERE k.scope IS NULL OR ARRAY[k.scope, '*'] && context.approved_scopes
            AND (context.requested_scopes IS NULL OR k.scope = ANY (context.requested_scopes))))
    AND (visible_to_client_id IS NULL OR visible_to_client_id = context.caller_id
         OR type LIKE 'app.%' AND (
             SELECT install_id IS NULL FROM api_clients WHERE tenant_id = $1 AND id = context.caller_id))"""


def list_events(filter_: EventFilter, wanted: PageRequest) -> Query[EventPage]:
    """Those that the caller may read, in the order of their sequence."""
    source = f"FROM events WHERE {_VISIBLE}"
    return Query(
        f"""
        WITH {page_keys(source, "sequence", ("sequence", "sequence DESC"), f"SELECT count(*) {source}", 5)}
        SELECT array_agg(e.id ORDER BY e.sequence) AS ids, array_agg(e.type ORDER BY e.sequence) AS types,
               array_agg(e.created_at ORDER BY e.sequence) AS moments,
               array_agg(e.sequence ORDER BY e.sequence) AS sequences,
               array_agg(e.data::text ORDER BY e.sequence) AS data,
               (SELECT total FROM counted) AS total
        FROM keys, LATERAL (SELECT * FROM events WHERE tenant_id = $1 AND sequence = keys.sequence OFFSET 0) e
        """,
        (
            filter_.after,
            filter_.types,
            [READ_SCOPE[EventType(name)] for name in filter_.types],
            wanted.offset,
            wanted.per_page,
        ),
        _events,
    )


def _events(row: Record | None) -> EventPage:
    if row is None or row["ids"] is None:
        return EventPage([], 0 if row is None else row["total"])
    columns = (row["ids"], row["types"], row["moments"], row["sequences"], row["data"])
    return EventPage([StoredEvent(*values) for values in zip(*columns, strict=True)], row["total"])


def event_documents(tenant_id: UUID, events: Sequence[StoredEvent], *, contacts: bool) -> str:
    """As one JSON array; without the contact fields where the caller may not read customers."""
    return f"[{','.join(_document(tenant_id, event, contacts=contacts) for event in events)}]"


def _document(tenant_id: UUID, event: StoredEvent, *, contacts: bool) -> str:
    data = event.data if contacts else redact_contact_fields(event.type, event.data)
    return event_document(event.id, event.type, event.created_at, tenant_id, event.sequence, data)


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
