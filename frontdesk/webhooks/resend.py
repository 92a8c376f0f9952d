"""Pinging a webhook, and sending deliveries again."""

from uuid import UUID

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query, fetch
from frontdesk.problems import Problem, not_found, or_not_found
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.change import WebhookAct, require_webhook
from frontdesk.webhooks.problems import WebhookProblem
from frontdesk.webhooks.queries import retry_failed
from frontdesk.webhooks.state_queries import delivery_state, webhook_state
from frontdesk.webhooks.types import DeliveryState, WebhookState

MAX_RETRIED = 1000  # deliveries in one statement


class PingWebhook(WebhookAct, frozen=True):
    def decide(self, context: Context[WebhookState | None]) -> FunctionCall:
        webhook = require_webhook(context.loaded)
        if not webhook.is_enabled:
            raise _is_disabled()
        if not webhook.has_active_client:
            raise not_found("webhook")
        delivery_id = uuid7()
        argument = {"id": webhook.id, "client_id": webhook.client_id, "delivery_id": delivery_id}
        return FunctionCall("ping_webhook", argument, ResponseDocument("delivery_document", delivery_id))


class RetryDelivery(Act[DeliveryState | None], frozen=True):
    delivery_id: UUID
    client_id: UUID | None = None  # whose webhook it is for; None: the caller's

    def load(self) -> Query[DeliveryState | None]:
        webhook = """
            SELECT FROM webhooks WHERE tenant_id = $1 AND id = (
                SELECT webhook_id FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2) FOR UPDATE"""
        return delivery_state(self.delivery_id, self.client_id).locking(Lock(webhook, (self.delivery_id,)))

    def decide(self, context: Context[DeliveryState | None]) -> FunctionCall:
        delivery = or_not_found(context.loaded, "delivery")
        if not delivery.has_enabled_webhook:
            raise _is_disabled()
        argument = {"id": delivery.id, "client_id": delivery.client_id}
        return FunctionCall("retry_delivery", argument, ResponseDocument("delivery_document", delivery.id))


async def retry_failed_deliveries(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, actor: Actor
) -> int:
    """Queues the oldest failed deliveries of a webhook, MAX_RETRIED at most; returns their number."""
    webhook = await fetch(conn, tenant_id, webhook_state(webhook_id, client_id))
    if not require_webhook(webhook).is_enabled:
        raise _is_disabled()
    return await retry_failed(conn, tenant_id, client_id, webhook_id, MAX_RETRIED, actor)


def _is_disabled() -> Problem:
    return Problem(WebhookProblem.DISABLED, "active")
