"""Reads orders that one act changes together."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.orders.queries.order_state import STATE, read_state
from frontdesk.orders.types import OrderState
from frontdesk.postgres.pool import Connection

MAX_ORDERS = 200


class BulkOrder(NamedTuple):
    state: OrderState
    number: int
    customer: str | None


async def list_states(conn: Connection, tenant_id: UUID, ids: Sequence[UUID]) -> list[BulkOrder]:
    """Newest first; ids of other tenants are left out."""
    rows = await conn.fetch(
        f"""
        SELECT {STATE}, o.order_number, nullif(concat_ws(' ', c.first_name, c.last_name), '') AS customer
        FROM orders o LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE o.tenant_id = $1 AND o.id = ANY ($2) ORDER BY o.order_number DESC LIMIT {MAX_ORDERS}
        """,
        tenant_id,
        list(ids),
    )
    return [_order(row) for row in rows]


def _order(row: Record) -> BulkOrder:
    return BulkOrder(read_state(row), row["order_number"], row["customer"])
