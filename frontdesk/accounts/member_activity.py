"""Acts on the account of a user, recorded in every business where the user is a member."""

from uuid import UUID

from frontdesk.accounts.session_queries import list_tenants
from frontdesk.activity.record import record_activity
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor


async def record_for_member(conn: Connection, user_id: UUID, name: str, actor: Actor, action: str) -> None:
    """In the transaction of the act."""
    for tenant_id, _, _ in await list_tenants(conn, user_id):
        await record_activity(conn, tenant_id, actor, action, user_id, name)
