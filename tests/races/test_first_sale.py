"""The currency changes while the first sale is made: the order has the currency that the business has in the end."""

import asyncio

import pytest

from tests.factories.users import owner_of
from tests.support.branch import BranchFixture, line, open_branch
from tests.support.connections import pooled_connection
from tests.support.dashboard import dashboard_of
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.ui.business.test_business_settings import forget_sales, row, save


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    shop = await service.new_shop()
    await forget_sales(shop)
    return await open_branch(shop)


async def test_an_order_priced_in_the_old_currency_is_refused(
    branch: BranchFixture,
) -> None:
    shop, oil = branch.shop, await branch.add_product(stock=5)
    async with pooled_connection(shop.dsn) as other:
        change = other.transaction()
        await change.start()
        await other.execute(
            "SELECT FROM customers WHERE tenant_id = $1 AND id = $2 FOR UPDATE", shop.tenant_id, branch.customer_id
        )
        await other.execute("UPDATE tenants SET currency = 'KWD', currency_decimals = 3 WHERE id = $1", shop.tenant_id)
        placing = asyncio.create_task(shop.post("/orders", branch.order(line(oil, "product"))))
        await eventually(lambda: _wait(shop, 1))
        await change.commit()
        assert (await placing).status_code == 503
    await branch.place(line(oil, "product"))
    await _agree(shop)


async def test_the_currency_does_not_change_while_the_first_order_is_written(branch: BranchFixture) -> None:
    shop, oil = branch.shop, await branch.add_product(stock=5)
    paid = {"amount": 1, "payment_method_id": (await shop.first("/payment-methods"))["id"]}
    async with pooled_connection(shop.dsn) as other, await dashboard_of(shop, await owner_of(shop)) as owner:
        held = other.transaction()
        await held.start()
        await other.execute(
            "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'transaction_no' FOR UPDATE", shop.tenant_id
        )
        placing = asyncio.create_task(shop.post("/orders", branch.order(line(oil, "product"), payment=paid)))
        await eventually(lambda: _wait(shop, 1))
        changing = asyncio.create_task(save(owner, currency="KWD"))

        async def is_there() -> bool:
            return changing.done() or placing.done() or await _wait(shop, 2)

        await eventually(is_there)
        await held.commit()
        await asyncio.gather(placing, changing)
    await _agree(shop)


async def _agree(shop: Shop) -> None:
    orders = await shop.sql("SELECT currency FROM orders WHERE tenant_id = $1")
    assert {order["currency"] for order in orders} <= {(await row(shop))["currency"]}


async def _wait(shop: Shop, count: int) -> bool:
    (found,) = await shop.sql(
        "SELECT count(DISTINCT pid) AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid) "
        "WHERE NOT l.granted AND a.datname = current_database() AND $1::uuid IS NOT NULL"
    )
    return bool(found["waiting"] >= count)
