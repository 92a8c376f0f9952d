"""Changing a webhook: its URL, its events, whether it is enabled, its signing secret; and deleting it."""

from uuid import UUID

from frontdesk.postgres.act import FunctionCall, ResponseDocument, Secret
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import write
from frontdesk.problems import not_found
from frontdesk.security.encryption import SecretBox
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.webhooks.signing import new_secret
from frontdesk.webhooks.state_queries import look_at_webhook
from frontdesk.webhooks.types import WebhookChange, WebhookState

SWITCHED_OFF = "Switched off by hand."


async def update_webhook(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, change: WebhookChange, actor: Actor = SYSTEM
) -> None:
    await write(
        conn, tenant_id, look_at_webhook(webhook_id, client_id), lambda seen: plan_update(seen, change), actor=actor
    )


async def delete_webhook(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, actor: Actor = SYSTEM
) -> None:
    await write(conn, tenant_id, look_at_webhook(webhook_id, client_id), plan_deletion, actor=actor)


async def rotate_secret(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, secret_box: SecretBox, actor: Actor = SYSTEM
) -> str:
    """Returns the new secret."""
    secret = new_secret(secret_box)
    await write(
        conn, tenant_id, look_at_webhook(webhook_id, client_id), lambda seen: plan_rotation(seen, secret), actor=actor
    )
    return secret.text


def plan_update(seen: WebhookState | None, change: WebhookChange) -> FunctionCall:
    webhook = require_webhook(seen)
    argument = {
        "id": webhook.id,
        "client_id": webhook.client_id,
        "url": change.url,
        "events": change.events,
        "active": change.active,
        "disabled_reason": SWITCHED_OFF,
    }
    return FunctionCall("update_webhook", argument, ResponseDocument("webhook_document", webhook.id))


def plan_deletion(seen: WebhookState | None) -> FunctionCall:
    webhook = require_webhook(seen)
    return FunctionCall("delete_webhook", {"id": webhook.id, "client_id": webhook.client_id})


def plan_rotation(seen: WebhookState | None, secret: Secret) -> FunctionCall:
    webhook = require_webhook(seen)
    argument = {"id": webhook.id, "client_id": webhook.client_id, "secret": secret.encrypted}
    return FunctionCall(
        "rotate_webhook_secret", argument, ResponseDocument("webhook_document", webhook.id), secret=secret
    )


def require_webhook(seen: WebhookState | None) -> WebhookState:
    if seen is None:
        raise not_found("webhook")
    return seen
