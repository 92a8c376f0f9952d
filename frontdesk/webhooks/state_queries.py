"""The reads and locks of writes that change a webhook or a delivery.

They belong to the given client, or to the caller.
"""

from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.act import Lock
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import Look
from frontdesk.tenants.types import Plan
from frontdesk.webhooks.queries import CLIENT
from frontdesk.webhooks.types import DeliveryState, WebhookCounts, WebhookState


def look_at_counts(client_id: UUID | None = None, webhook_id: UUID | None = None) -> Look[WebhookCounts]:
    """Also reads whether `webhook_id`, if given, exists."""
    query = Query(
        f"""
        SELECT n.plan, count_webhooks($1) AS of_tenant,
               (SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND client_id = {CLIENT}) AS of_client,
               EXISTS (SELECT FROM webhooks WHERE tenant_id = $1 AND id = $3) AS id_exists
        FROM tenants n WHERE n.id = $1
        """,
        (client_id, webhook_id),
        _counts,
    )
    return Look(query, Lock("SELECT lock_quotas($1)", ()))


def look_at_webhook(webhook_id: UUID, client_id: UUID | None = None) -> Look[WebhookState | None]:
    query = Query(
        f"""
        SELECT w.id AS webhook_id, w.client_id, w.disabled_at IS NULL AS is_enabled,
               c.disabled_at IS NULL AND i.disconnected_at IS NULL AS has_active_client
        FROM webhooks w
        JOIN api_clients c ON c.tenant_id = $1 AND c.id = w.client_id
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
        WHERE w.tenant_id = $1 AND w.client_id = {CLIENT} AND w.id = $3
        """,
        (client_id, webhook_id),
        _webhook,
    )
    return Look(query, Lock("SELECT FROM webhooks WHERE tenant_id = $1 AND id = $2 FOR UPDATE", (webhook_id,)))


def look_at_delivery(delivery_id: UUID, client_id: UUID | None = None) -> Look[DeliveryState | None]:
    query = Query(
        f"""
        SELECT d.id AS delivery_id, w.client_id, w.disabled_at IS NULL AS has_enabled_webhook
        FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
        WHERE d.tenant_id = $1 AND w.client_id = {CLIENT} AND d.id = $3
        """,
        (client_id, delivery_id),
        _delivery,
    )
    lock = """
        SELECT FROM webhooks WHERE tenant_id = $1 AND id = (
            SELECT webhook_id FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2) FOR UPDATE"""
    return Look(query, Lock(lock, (delivery_id,)))


def _counts(row: Record | None) -> WebhookCounts:
    if row is None:
        raise RuntimeError("the tenant was deleted")
    return WebhookCounts(Plan(row["plan"]), row["of_tenant"], row["of_client"], row["id_exists"])


def _webhook(row: Record | None) -> WebhookState | None:
    if row is None:
        return None
    return WebhookState(row["webhook_id"], row["client_id"], row["is_enabled"], row["has_active_client"])


def _delivery(row: Record | None) -> DeliveryState | None:
    return None if row is None else DeliveryState(row["delivery_id"], row["client_id"], row["has_enabled_webhook"])
