"""What the acts on a webhook or a delivery load.

They belong to the given client, or to the caller.
"""

from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Query, optional
from frontdesk.tenants.types import Plan
from frontdesk.webhooks.queries import CLIENT
from frontdesk.webhooks.types import DeliveryState, WebhookCounts, WebhookState

_KNOWN_BRANCHES = "ARRAY(SELECT id FROM branches WHERE tenant_id = $1 AND id = ANY ($4::uuid[])) AS known_branches"


def webhook_counts(client_id: UUID | None, webhook_id: UUID, branch_ids: Sequence[UUID]) -> Query[WebhookCounts]:
    """Also reads whether `webhook_id` exists."""
    return Query(
        f"""
        SELECT n.plan, count_webhooks($1) AS of_tenant,
               (SELECT count(*) FROM webhooks WHERE tenant_id = $1 AND client_id = {CLIENT}) AS of_client,
               EXISTS (SELECT FROM webhooks WHERE tenant_id = $1 AND id = $3) AS id_exists,
               {_KNOWN_BRANCHES}
        FROM tenants n WHERE n.id = $1
        """,
        (client_id, webhook_id, list(branch_ids)),
        _counts,
    )


def webhook_state(
    webhook_id: UUID, client_id: UUID | None, branch_ids: Sequence[UUID] = ()
) -> Query[WebhookState | None]:
    return Query(
        f"""
        SELECT w.id AS webhook_id, w.client_id, w.disabled_at IS NULL AS is_enabled,
               c.disabled_at IS NULL AND i.disconnected_at IS NULL AS has_active_client,
               format_utc(w.updated_at) AS updated_at,
               {_KNOWN_BRANCHES}
        FROM webhooks w
        JOIN api_clients c ON c.tenant_id = $1 AND c.id = w.client_id
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
        WHERE w.tenant_id = $1 AND w.client_id = {CLIENT} AND w.id = $3
        """,
        (client_id, webhook_id, list(branch_ids)),
        optional(_webhook),
    )


def delivery_state(delivery_id: UUID, client_id: UUID | None) -> Query[DeliveryState | None]:
    return Query(
        f"""
        SELECT d.id AS delivery_id, w.client_id, w.disabled_at IS NULL AS has_enabled_webhook
        FROM webhook_deliveries d JOIN webhooks w ON w.tenant_id = $1 AND w.id = d.webhook_id
        WHERE d.tenant_id = $1 AND w.client_id = {CLIENT} AND d.id = $3
        """,
        (client_id, delivery_id),
        optional(_delivery),
    )


def _counts(row: Record | None) -> WebhookCounts:
    if row is None:
        raise RuntimeError("the tenant was deleted")
    return WebhookCounts(Plan(row["plan"]), row["of_tenant"], row["of_client"], row["id_exists"], row["known_branches"])


def _webhook(row: Record) -> WebhookState:
    state = WebhookState(row["webhook_id"], row["client_id"], row["is_enabled"], row["has_active_client"])
    return state._replace(known_branches=row["known_branches"], updated_at=row["updated_at"])


def _delivery(row: Record) -> DeliveryState:
    return DeliveryState(row["delivery_id"], row["client_id"], row["has_enabled_webhook"])
