"""The act of deleting a tag: it goes off the customers who have it, and of each of them that is told."""

from uuid import UUID

from frontdesk.customers.queries import take_tag_off, tell_customers_updated
from frontdesk.postgres.pool import Connection
from frontdesk.tags.queries import delete_tag, lock_tag


async def remove_tag(conn: Connection, tenant_id: UUID, tag_id: UUID) -> None:
    async with conn.transaction():
        await lock_tag(conn, tenant_id, tag_id)
        customer_ids = await take_tag_off(conn, tenant_id, tag_id)
        await delete_tag(conn, tenant_id, tag_id)
        if customer_ids:
            await tell_customers_updated(conn, tenant_id, customer_ids)
