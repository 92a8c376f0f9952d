"""Acts on an order lock its customer before the counter of orders, which a merge of the customer waits for last."""

import asyncio
from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.types import LineType
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext
from tests.factories.changes import change_row, change_rows
from tests.support.acts import change_status, edit_order, refund_order
from tests.support.branch import day, line, local, method_of, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.one_server
_COUNTER = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE NOWAIT"
_SYSTEM = Actor("system", None)


class _Booked(NamedTuple):
    tenant: TenantContext
    order_id: UUID
    line: LineChange


_Act = Callable[[Connection, _Booked], Coroutine[Any, Any, object]]


async def _refund(conn: Connection, booked: _Booked) -> object:
    return await refund_order(conn, booked.tenant, booked.order_id, RefundRequest(amount=Decimal(10)), _SYSTEM)


async def _cancel(conn: Connection, booked: _Booked) -> None:
    await change_status(conn, booked.tenant, booked.order_id, SettableStatus.CANCELED, None, _SYSTEM)


async def _edit(conn: Connection, booked: _Booked) -> None:
    """An hour later, so that the customer gets a message."""
    later = local(day(3), "11:00")
    await edit_order(conn, booked.tenant, booked.order_id, OrderEdit(1, [booked.line], None, later), _SYSTEM)


@pytest.mark.parametrize("act", [_refund, _cancel, _edit])
async def test_an_act_that_waits_for_the_customer_does_not_hold_the_counter(
    act: _Act, service: Service, conn: Connection, dsn: str
) -> None:
    shop = await service.new_shop()
    branch = await open_branch(shop)
    await change_rows(shop, "message_settings", for_applications=True)
    await change_row(shop, "customers", branch.customer_id, email="sara@example.com")
    cut = await branch.add_service(price="10")
    staff = await branch.add_provider(cut)
    payment = {"amount": 10, "payment_method_id": await method_of(shop)}
    order = await branch.place(line(cut, staff_id=staff), start=start(day(3), "10:00"), payment=payment)
    (row,) = await shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", UUID(order["id"]))
    booked = _Booked(await shop.tenant(), UUID(order["id"]), LineChange(row["id"], LineType.SERVICE, cut, 1, staff))

    async with pooled_connection(dsn) as raw:

        async def waits() -> bool:
            pid = raw.get_server_pid()
            return bool(await conn.fetchval("SELECT cardinality(pg_blocking_pids($1)) > 0", pid))

        async with conn.transaction():
            locked = "SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
            await conn.execute(locked, booked.tenant.tenant_id, branch.customer_id)
            under_way = asyncio.create_task(act(Connection(raw), booked))
            await eventually(waits)
            await conn.execute(_COUNTER, booked.tenant.tenant_id)
        await under_way
