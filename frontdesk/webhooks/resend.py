"""Pinging a webhook, and sending deliveries again."""

from uuid import UUID

from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import write
from frontdesk.problems import Problem, not_found
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.change import require_webhook
from frontdesk.webhooks.problems import WebhookProblem
from frontdesk.webhooks.queries import retry_failed
from frontdesk.webhooks.state_queries import look_at_delivery, look_at_webhook
from frontdesk.webhooks.types import DeliveryState, WebhookState

MAX_RETRIED = 1000  # deliveries in one statement


async def ping_webhook(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, actor: Actor) -> None:
    await write(conn, tenant_id, look_at_webhook(webhook_id, client_id), plan_ping, actor=actor)


async def retry_delivery(conn: Connection, tenant_id: UUID, client_id: UUID, delivery_id: UUID, actor: Actor) -> None:
    await write(conn, tenant_id, look_at_delivery(delivery_id, client_id), plan_retry, actor=actor)


async def retry_failed_deliveries(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, actor: Actor
) -> int:
    """Queues the oldest failed deliveries of a webhook, MAX_RETRIED at most; returns their number."""
    seen = await fetch(conn, tenant_id, look_at_webhook(webhook_id, client_id).query)
    if not require_webhook(seen).is_enabled:
        raise _is_disabled()
    return await retry_failed(conn, tenant_id, client_id, webhook_id, MAX_RETRIED, actor)


def plan_ping(seen: WebhookState | None) -> FunctionCall:
    webhook = require_webhook(seen)
    if not webhook.is_enabled:
        raise _is_disabled()
    if not webhook.has_active_client:
        raise not_found("webhook")
    delivery_id = uuid7()
    argument = {"id": webhook.id, "client_id": webhook.client_id, "delivery_id": delivery_id}
    return FunctionCall("ping_webhook", argument, ResponseDocument("delivery_document", delivery_id))


def plan_retry(seen: DeliveryState | None) -> FunctionCall:
    if seen is None:
        raise not_found("delivery")
    if not seen.has_enabled_webhook:
        raise _is_disabled()
    argument = {"id": seen.id, "client_id": seen.client_id}
    return FunctionCall("retry_delivery", argument, ResponseDocument("delivery_document", seen.id))


def _is_disabled() -> Problem:
    return Problem(WebhookProblem.DISABLED, "active")
