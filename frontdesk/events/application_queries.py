"""Statements about the webhooks that applications bring to the businesses that install them."""

from uuid import UUID

from frontdesk.kit.db import Connection


async def update_application_secret(conn: Connection, application_id: UUID, sealed_secret: bytes) -> None:
    """At every business, for the webhooks that sign with its present one, which signs beside
    the new one for a day.

    What it subscribed to by itself, through the interface, keeps the secret that it was told then.
    """
    await conn.execute(
        """
        UPDATE webhooks w SET previous_secret = w.secret, previous_secret_until = now() + interval '24 hours',
               secret = $2, updated_at = now()
        FROM api_clients c
        JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        JOIN applications a ON a.id = i.application_id
        WHERE i.application_id = $1 AND c.tenant_id = w.tenant_id AND c.id = w.client_id
          AND w.secret = a.webhook_secret
        """,
        application_id,
        sealed_secret,
    )
