"""The act of taking a new customer into the books."""

from uuid import UUID

from frontdesk.customers.queries import emit_customer_created, insert_customer
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7


async def create_customer(conn: Connection, tenant_id: UUID, new: NewCustomer) -> str:
    customer_id = uuid7()
    async with conn.transaction():
        document = await insert_customer(conn, tenant_id, customer_id, new)
        await emit_customer_created(conn, tenant_id, customer_id)
        return document
