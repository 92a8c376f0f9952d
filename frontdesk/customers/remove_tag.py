"""The act of deleting a tag: it goes off the customers who have it, and of each of them that is told."""

from uuid import UUID

from frontdesk.customers.queries import delete_customer_tag, emit_customers_updated
from frontdesk.postgres.pool import Connection
from frontdesk.tags.queries import delete_tag, lock_tag


async def remove_tag(conn: Connection, tenant_id: UUID, tag_id: UUID) -> None:
    async with conn.transaction():
        await lock_tag(conn, tenant_id, tag_id)
        customer_ids = await delete_customer_tag(conn, tenant_id, tag_id)
        await delete_tag(conn, tenant_id, tag_id)
        if customer_ids:
            await emit_customers_updated(conn, tenant_id, customer_ids)
