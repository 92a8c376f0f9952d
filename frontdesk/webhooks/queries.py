"""Statements for webhooks, deliveries and events."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, json_bytes, page, page_keys, page_of, unknown_filters
from frontdesk.problems import Problem, decode_problem, not_found
from frontdesk.values.actor import Actor
from frontdesk.values.pagination import Page, PageRequest
from frontdesk.webhooks.documents import event_document
from frontdesk.webhooks.event_types import READ_SCOPES, EventType
from frontdesk.webhooks.payloads import complete_data
from frontdesk.webhooks.problems import OffReason
from frontdesk.webhooks.types import EventFilter, EventPage, StoredEvent

# The client whose webhooks are read: the caller, or the one that is passed by the dashboard.
CLIENT = "coalesce($2::uuid, context.caller_id)"


def list_webhooks(page_request: PageRequest, client_id: UUID | None = None) -> Query[Page]:
    """Of one client, newest first."""
    source = f"FROM webhooks WHERE tenant_id = $1 AND client_id = {CLIENT}"
    return Query(
        f"""
        SELECT {page_of("webhook_json(w)", "w.created_at DESC, w.id DESC")} AS documents,
               (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) w
        """,
        (client_id, page_request.offset, page_request.per_page),
        page,
    )


def get_webhook(webhook_id: UUID, client_id: UUID | None = None) -> Query[bytes]:
    return Query(
        f"""
        SELECT {json_bytes("webhook_json(w)")} AS document
        FROM (SELECT * FROM webhooks WHERE tenant_id = $1 AND client_id = {CLIENT} AND id = $3) w
        """,
        (client_id, webhook_id),
        document("webhook"),
    )


def events_of_webhook(webhook_id: UUID) -> Query[list[EventType]]:
    """Of the caller."""

    def read(row: Record | None) -> list[EventType]:
        if row is None:
            raise not_found("webhook")
        return [EventType(name) for name in row["events"]]

    return Query(
        f"SELECT events FROM webhooks WHERE tenant_id = $1 AND client_id = {CLIENT} AND id = $3",
        (None, webhook_id),
        read,
    )


def why_disabled(webhook_id: UUID) -> Query[Problem | None]:
    def read(row: Record | None) -> Problem | None:
        return decode_problem(OffReason, row[0]) if row and row[0] else None

    return Query("SELECT disabled_reason FROM webhooks WHERE tenant_id = $1 AND id = $2", (webhook_id,), read)


class ClientUses(NamedTuple):
    routes: list[str]  # that it has called
    events: list[str]  # that its active webhooks get


def list_client_uses(client_id: UUID | None = None) -> Query[ClientUses]:
    return Query(
        f"""
        SELECT ARRAY(SELECT route FROM used_operations WHERE tenant_id = $1 AND caller_id = {CLIENT}
                     ORDER BY route) AS routes,
               ARRAY(SELECT DISTINCT e.kind FROM webhooks w, unnest(w.events) AS e (kind)
                     WHERE w.tenant_id = $1 AND w.client_id = {CLIENT} AND w.disabled_at IS NULL
                     ORDER BY e.kind) AS events
        """,
        (client_id,),
        lambda row: ClientUses([], []) if row is None else ClientUses(row["routes"], row["events"]),
    )


async def insert_app_event(conn: Connection, tenant_id: UUID, client_id: UUID, kind: EventType, data: bytes) -> None:
    await conn.execute(
        "SELECT emit_events($1, ARRAY[$3::text], ARRAY[$4::json], $2)", tenant_id, client_id, kind, data.decode()
    )


def list_deliveries(webhook_id: UUID, page_request: PageRequest, client_id: UUID | None = None) -> Query[Page]:
    """Newest first, with all attempts."""
    webhook = f"SELECT FROM webhooks w WHERE w.tenant_id = $1 AND w.id = $3 AND w.client_id = {CLIENT}"
    source = f"FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $3 AND EXISTS ({webhook})"
    order = ("created_at DESC, id DESC", "created_at, id")
    return Query(
        f"""
        WITH {page_keys(source, "id", order, f"SELECT count(*) {source}", 4)}
        SELECT {page_of("delivery_json(d)", "d.created_at DESC, d.id DESC")} AS documents,
               (SELECT total FROM counted) AS total,
               {unknown_filters("(SELECT total FROM counted)", {"webhook": webhook})} AS unknown
        FROM keys, LATERAL (SELECT * FROM webhook_deliveries WHERE tenant_id = $1 AND id = keys.id OFFSET 0) d
        """,
        (client_id, webhook_id, page_request.offset, page_request.per_page),
        _deliveries,
    )


async def retry_failed(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, limit: int, actor: Actor
) -> int:
    argument = {"id": webhook_id, "client_id": client_id, "limit": limit, "actor": actor._asdict()}
    queued: int = await conn.fetchval(
        "SELECT retry_failed_deliveries($1, $2::jsonb)", tenant_id, msgspec.json.encode(argument).decode()
    )
    return queued


def _deliveries(row: Record | None) -> Page:
    found = page(row)
    if found.unknown:
        raise not_found("webhook")
    return found


# An event about one client is visible to that client; one about an application also to the tenant's own clients.
_VISIBLE = """
    tenant_id = $1 AND sequence > $2 AND type = ANY (ARRAY(
        SELECT k.type FROM unnest($3::text[], $4::text[]) AS k (type, scopes)
        WHERE ('*' = ANY (context.approved_scopes) OR context.approved_scopes @> string_to_array(k.scopes, ','))
            AND (context.requested_scopes IS NULL OR context.requested_scopes @> string_to_array(k.scopes, ','))))
    AND (visible_to_client_id IS NULL OR visible_to_client_id = context.caller_id
         OR type LIKE 'app.%' AND (
             SELECT install_id IS NULL FROM api_clients WHERE tenant_id = $1 AND id = context.caller_id))"""


def list_events(filter_: EventFilter, page_request: PageRequest) -> Query[EventPage]:
    """Those that the caller may read, by sequence."""
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
            [",".join(READ_SCOPES[EventType(name)]) for name in filter_.types],
            page_request.offset,
            page_request.per_page,
        ),
        _events,
    )


def _events(row: Record | None) -> EventPage:
    if row is None or row["ids"] is None:
        return EventPage([], 0 if row is None else row["total"])
    columns = (row["ids"], row["types"], row["moments"], row["sequences"], row["data"])
    return EventPage([StoredEvent(*values) for values in zip(*columns, strict=True)], row["total"])


def event_documents(tenant_id: UUID, events: Sequence[StoredEvent], origin: str, *, contacts: bool) -> str:
    """As one JSON array; without the contact fields if the caller may not read customers."""
    return f"[{','.join(_document(tenant_id, event, origin, contacts=contacts) for event in events)}]"


def _document(tenant_id: UUID, event: StoredEvent, origin: str, *, contacts: bool) -> str:
    data = complete_data(event.type, event.data, origin, contacts=contacts)
    return event_document(event.id, event.type, event.created_at, tenant_id, event.sequence, data)


async def delete_old_events(conn: Connection, limit: int) -> int:
    """Of all tenants, after thirty days, in batches. An event with a more recent attempt is not deleted."""
    return await delete_batch(
        conn,
        "events",
        """
        created_at < now() - interval '30 days' AND NOT EXISTS (
            SELECT FROM webhook_deliveries d
            JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id
            WHERE d.tenant_id = events.tenant_id AND d.event_id = events.id
              AND a.attempted_at >= now() - interval '30 days')
        """,
        limit,
    )
