"""The act of changing a customer. What was changed to what it was already is no change, and sends no event."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.customers.queries import emit_customers_updated, get_customer, lock_customer, update_customer
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch


async def change_customer(conn: Connection, tenant_id: UUID, customer_id: UUID, changes: Mapping[str, Any]) -> bytes:
    """`changes` are fields of a new customer, checked and normalised."""
    async with conn.transaction():
        before = await lock_customer(conn, tenant_id, customer_id)
        after = msgspec.structs.replace(before, **changes)
        if after != before:
            await update_customer(conn, tenant_id, customer_id, after)
            # In a statement of its own: a changed phone locks the row against foreign keys.
            await emit_customers_updated(conn, tenant_id, [customer_id])
        return await fetch(conn, tenant_id, get_customer(customer_id))
