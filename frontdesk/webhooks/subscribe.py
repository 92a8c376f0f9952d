"""The acts on webhooks: who is told what, where, and signed with which secret."""

from typing import NamedTuple
from uuid import UUID

import asyncpg

from frontdesk.errors import invalid, not_found
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.queries import (
    get_delivery,
    get_webhook_of_delivery,
    insert_ping,
    insert_webhook_below_limit,
    is_disabled,
    update_secret,
)
from frontdesk.webhooks.resend_queries import requeue, update_failed_due_now
from frontdesk.webhooks.signing import new_signing_secret
from frontdesk.webhooks.types import NewWebhook

MAX_WEBHOOKS = 20  # of one client
MAX_RETRIED = 1000  # deliveries in one statement


class AlreadyExists(Exception):
    """A webhook has this id already."""


class WithSecret(NamedTuple):
    """A webhook and its secret, which is told now and never again."""

    document: str
    secret: str


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
) -> WithSecret:
    """Whoever must be able to tell a second try from a second webhook chooses its id."""
    secret = new_signing_secret()
    new = NewWebhook(webhook_id or uuid7(), client_id, url, events, secret_box.encrypt(secret.encode()), active)
    try:
        async with conn.transaction():
            limits = await lock_quotas(conn, tenant_id)
            document = await insert_webhook_below_limit(conn, tenant_id, new, MAX_WEBHOOKS)
            if document is not None:
                await require_within(conn, tenant_id, limits, Quota.WEBHOOKS)
    except asyncpg.UniqueViolationError as taken:
        raise AlreadyExists from taken
    if document is None:
        raise invalid({"url": [f"exceeds the maximum of {MAX_WEBHOOKS} webhooks; delete one first"]})
    return WithSecret(document, secret)


async def rotate_secret(
    conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID, secret_box: SecretBox
) -> WithSecret:
    secret = new_signing_secret()
    return WithSecret(
        await update_secret(conn, tenant_id, client_id, webhook_id, secret_box.encrypt(secret.encode())), secret
    )


async def ping_webhook(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> str:
    """An event like any other, for this webhook alone; answers with the delivery that it makes."""
    async with conn.transaction():
        delivery_id = await insert_ping(conn, tenant_id, client_id, webhook_id)
        if delivery_id is None:
            await _require_switched_on(conn, tenant_id, client_id, webhook_id)
            raise not_found("webhook")  # deleted at this very moment
        return await get_delivery(conn, tenant_id, client_id, delivery_id)


async def retry_delivery(conn: Connection, tenant_id: UUID, client_id: UUID, delivery_id: UUID) -> str:
    """Whatever came of it before, it is due now."""
    async with conn.transaction():
        webhook_id = await get_webhook_of_delivery(conn, tenant_id, client_id, delivery_id)
        await _require_switched_on(conn, tenant_id, client_id, webhook_id)
        await requeue(conn, tenant_id, delivery_id)
        return await get_delivery(conn, tenant_id, client_id, delivery_id)


async def retry_failed_deliveries(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> int:
    """Queue the oldest failed deliveries of a webhook, MOST_SENT_AGAIN at most; returns their number."""
    async with conn.transaction():
        await _require_switched_on(conn, tenant_id, client_id, webhook_id)
        return await update_failed_due_now(conn, tenant_id, client_id, webhook_id, MAX_RETRIED)


async def _require_switched_on(conn: Connection, tenant_id: UUID, client_id: UUID, webhook_id: UUID) -> None:
    if await is_disabled(conn, tenant_id, client_id, webhook_id):
        raise invalid({"active": ["is false; enable the webhook first"]})
