"""What an application uses of the Open API, at all businesses that have it."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.queries import ClientUses


async def find_application_uses(conn: Connection, application_id: UUID) -> ClientUses:
    """The names of operations and events only: which business uses them is not told."""
    routes = await conn.fetch(
        """
        SELECT DISTINCT o.route FROM installs i
        JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
        JOIN used_operations o ON o.tenant_id = i.tenant_id AND o.caller_id = c.id
        WHERE i.application_id = $1 AND i.disconnected_at IS NULL ORDER BY o.route
        """,
        application_id,
    )
    events = await conn.fetch(
        """
        SELECT DISTINCT e.kind FROM installs i
        JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
        JOIN webhooks w ON w.tenant_id = i.tenant_id AND w.client_id = c.id AND w.disabled_at IS NULL
        CROSS JOIN LATERAL unnest(w.events) AS e (kind)
        WHERE i.application_id = $1 AND i.disconnected_at IS NULL ORDER BY e.kind
        """,
        application_id,
    )
    return ClientUses([row["route"] for row in routes], [row["kind"] for row in events])
