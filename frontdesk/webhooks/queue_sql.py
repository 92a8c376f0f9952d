"""The parts of statements that claiming and parking deliveries share."""

from frontdesk.postgres.queue_scope import QueueScope


def queued_receivers(scope: QueueScope, *, parked: bool) -> str:
    """A loose index scan over the webhooks that have deliveries, so a long queue costs no more than a short one."""
    queued = f"{scope.condition('d')} d.queue_webhook_id IS NOT NULL AND {'' if parked else 'NOT '}d.parked"
    return f"""
        receivers AS (
            (SELECT d.tenant_id, d.queue_webhook_id AS webhook_id FROM webhook_deliveries d
             WHERE {queued} ORDER BY d.tenant_id, d.queue_webhook_id LIMIT 1)
            UNION ALL
            SELECT next.tenant_id, next.queue_webhook_id FROM receivers r CROSS JOIN LATERAL (
                SELECT d.tenant_id, d.queue_webhook_id FROM webhook_deliveries d
                WHERE {queued} AND (d.tenant_id, d.queue_webhook_id) > (r.tenant_id, r.webhook_id)
                ORDER BY d.tenant_id, d.queue_webhook_id LIMIT 1) next
        )"""


def deliverable(tenant: str) -> str:
    """The webhook of `r` as long as its deliveries do not have to wait.

    It is enabled, its client is active, its application is connected, and the tenant is neither suspended nor on a plan
    without the Open API.
    """
    return f"""
        FROM webhooks w
        JOIN api_clients c ON c.tenant_id = {tenant} AND c.id = w.client_id
        JOIN tenants n ON n.id = {tenant}
        JOIN plans p ON p.code = n.plan
        LEFT JOIN installs i ON i.tenant_id = {tenant} AND i.id = c.install_id
        LEFT JOIN applications a ON a.id = i.application_id
        WHERE w.tenant_id = {tenant} AND w.id = r.webhook_id
          AND w.disabled_at IS NULL AND c.disabled_at IS NULL AND i.disconnected_at IS NULL
          AND a.status IS DISTINCT FROM 'suspended' AND n.suspended_at IS NULL AND p.open_api"""
