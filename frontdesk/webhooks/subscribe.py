"""Creating a webhook, within the limits of its client and of the tenant's plan."""

from uuid import UUID

from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import call, write
from frontdesk.problems import Problem
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.quotas import Quota, require_room
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.change import SWITCHED_OFF
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.problems import WebhookProblem
from frontdesk.webhooks.signing import new_secret
from frontdesk.webhooks.state_queries import look_at_counts
from frontdesk.webhooks.types import NewWebhook, WebhookCounts

MAX_WEBHOOKS = 20  # of one client


class AlreadyExists(Exception):
    """A webhook has this id already."""


async def subscribe(
    conn: Connection,
    tenant_id: UUID,
    client_id: UUID,
    secret_box: SecretBox,
    url: str,
    events: list[EventType],
    *,
    active: bool,
    webhook_id: UUID | None = None,
    actor: Actor = SYSTEM,
) -> str:
    """Returns the signing secret. With a `webhook_id`, a repeated call raises AlreadyExists."""
    secret = new_secret(secret_box)
    new = NewWebhook(webhook_id or uuid7(), client_id, url, events, secret.encrypted, active)
    await write(
        conn, tenant_id, look_at_counts(client_id, webhook_id), lambda seen: plan_webhook(seen, new), actor=actor
    )
    return secret.text


async def subscribe_if_below_limit(conn: Connection, tenant_id: UUID, new: NewWebhook, actor: Actor) -> None:
    """Inside a transaction that has locked the quotas. Does nothing if the client has MAX_WEBHOOKS."""
    seen = await fetch(conn, tenant_id, look_at_counts(new.client_id).query)
    if seen.of_client < MAX_WEBHOOKS:
        await call(conn, tenant_id, plan_webhook(seen, new), actor)


def plan_webhook(seen: WebhookCounts, new: NewWebhook) -> FunctionCall:
    if seen.id_exists:
        raise AlreadyExists
    if seen.of_client >= MAX_WEBHOOKS:
        raise Problem(WebhookProblem.TOO_MANY, "url", most=MAX_WEBHOOKS)
    argument = {
        "id": new.id,
        "client_id": new.client_id,
        "url": new.url,
        "events": new.events,
        "secret": new.encrypted_secret,
        "disabled_reason": None if new.active else SWITCHED_OFF,
        "plan": seen.plan,
        "quota": require_room(seen.plan, Quota.WEBHOOKS, seen.of_tenant),
        "max_of_client": MAX_WEBHOOKS,
    }
    return FunctionCall("create_webhook", argument, ResponseDocument("webhook_document", new.id))
