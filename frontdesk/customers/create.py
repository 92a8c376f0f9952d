"""The act of taking a new customer into the books."""

from uuid import UUID

from frontdesk.customers.queries import insert_customer
from frontdesk.customers.types import NewCustomer
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id


async def create_customer(conn: Connection, tenant_id: UUID, new: NewCustomer) -> str:
    async with conn.transaction():
        return await insert_customer(conn, tenant_id, new_id(), new)
