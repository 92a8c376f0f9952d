"""Whether the members of a business need a second factor."""

from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import update_factor_rule
from frontdesk.values.actor import Actor


async def change_factor_rule(conn: Connection, tenant_id: UUID, actor: Actor, *, required: bool) -> None:
    """Members without one are led to set it up with their next request."""
    async with conn.transaction():
        name = await update_factor_rule(conn, tenant_id, required=required)
        if name is not None:
            before, after = {"requires_second_factor": not required}, {"requires_second_factor": required}
            await record_activity(conn, tenant_id, actor, "business.updated", tenant_id, name, before, after)
