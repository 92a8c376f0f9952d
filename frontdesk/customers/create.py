"""The act of taking a new customer into the books."""

from uuid import UUID

from frontdesk.customers.queries import insert_customer, tell_customer_created
from frontdesk.customers.types import NewCustomer
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import new_id


async def create_customer(conn: Connection, tenant_id: UUID, new: NewCustomer) -> str:
    customer_id = new_id()
    async with conn.transaction():
        document = await insert_customer(conn, tenant_id, customer_id, new)
        await tell_customer_created(conn, tenant_id, customer_id)
        return document
