"""Ends the checklist of a new business: all steps are done, or somebody does not want to see it."""

from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.setup_queries import hide_checklist
from frontdesk.values.actor import Actor


async def hide_setup(conn: Connection, tenant_id: UUID, actor: Actor, *, is_done: bool) -> None:
    async with conn.transaction():
        name = await hide_checklist(conn, tenant_id)
        if name is not None:
            action = "business.set_up" if is_done else "business.setup_hidden"
            await record_activity(conn, tenant_id, actor, action, tenant_id, name)
