"""Statements of the event `message.due`, and of what applications answered to it."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from frontdesk.messages.queue_queries import ClaimedMessage
from frontdesk.postgres.pool import Connection


class OfferAnswer(msgspec.Struct, frozen=True):
    """Of one webhook."""

    application: str
    state: str
    attempts: int
    is_sending: bool
    body: str | None  # of the response that delivered it


async def offer_message(conn: Connection, tenant_id: UUID, details: Mapping[str, object]) -> bool:
    """False if no application subscribes to it."""
    offered: bool = await conn.fetchval(
        "SELECT offer_message($1, $2)", tenant_id, msgspec.json.encode(details).decode()
    )
    return offered


async def list_answers(conn: Connection, tenant_id: UUID, message_id: UUID) -> list[OfferAnswer]:
    rows = await conn.fetch(
        """
        SELECT d.state, d.attempts, coalesce(d.leased_until > now(), false) AS is_sending, a.response_body,
               coalesce(p.name, c.name) AS name
        FROM messages m
        JOIN webhook_deliveries d ON d.tenant_id = m.tenant_id AND d.event_id = m.event_id
        JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.id = d.webhook_id
        JOIN api_clients c ON c.tenant_id = w.tenant_id AND c.id = w.client_id
        LEFT JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        LEFT JOIN applications p ON p.id = i.application_id
        LEFT JOIN webhook_attempts a ON a.tenant_id = d.tenant_id AND a.delivery_id = d.id AND d.state = 'delivered'
            AND a.status BETWEEN 200 AND 299
        WHERE m.tenant_id = $1 AND m.id = $2
        """,
        tenant_id,
        message_id,
    )
    return [
        OfferAnswer(row["name"], row["state"], row["attempts"], row["is_sending"], row["response_body"]) for row in rows
    ]


async def finish_handled(conn: Connection, tenant_id: UUID, message: ClaimedMessage, application: str) -> None:
    await conn.execute(
        """
        UPDATE messages SET state = 'handled', handled_by = $4, finished_at = now(), lease = NULL, leased_until = NULL
        WHERE tenant_id = $1 AND id = $2 AND lease = $3
        """,
        tenant_id,
        message.id,
        message.lease,
        application,
    )


async def wait_for_answer(conn: Connection, tenant_id: UUID, message: ClaimedMessage, seconds: float) -> None:
    await conn.execute(
        """
        UPDATE messages SET due_at = now() + make_interval(secs => $4), lease = NULL, leased_until = NULL
        WHERE tenant_id = $1 AND id = $2 AND lease = $3
        """,
        tenant_id,
        message.id,
        message.lease,
        seconds,
    )


async def withdraw_offer(conn: Connection, tenant_id: UUID, message_id: UUID) -> None:
    await conn.execute("SELECT withdraw_offer($1, $2)", tenant_id, message_id)
