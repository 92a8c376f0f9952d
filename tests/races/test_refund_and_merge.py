"""A refund locks the customer before the counter of orders, which a merge of the customer waits for last."""

import asyncio
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.refund import refund_order
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.support.connections import pooled_connection
from tests.support.dashboard import eventually
from tests.support.salon import line, method_of, open_salon
from tests.support.shop import Shop

pytestmark = pytest.mark.one_server
_COUNTER = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE NOWAIT"


async def test_a_refund_that_waits_for_its_customer_does_not_hold_the_counter(
    shop: Shop, conn: Connection, dsn: str
) -> None:
    salon = await open_salon(shop)
    payment = {"amount": 10, "payment_method_id": await method_of(shop)}
    order = await salon.place(line(await salon.add_product(price="10"), "product"), payment=payment)
    tenant, system = await shop.tenant(), Actor("system", None)

    async with pooled_connection(dsn) as raw:

        async def waits() -> bool:
            pid = raw.get_server_pid()
            return bool(await conn.fetchval("SELECT cardinality(pg_blocking_pids($1)) > 0", pid))

        async with conn.transaction():
            locked = "SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
            await conn.execute(locked, tenant.tenant_id, salon.customer_id)
            request = RefundRequest(amount=Decimal(10))
            refund = asyncio.create_task(refund_order(Connection(raw), tenant, UUID(order["id"]), request, system))
            await eventually(waits, seconds=20)
            await conn.execute(_COUNTER, tenant.tenant_id)
        assert await refund
