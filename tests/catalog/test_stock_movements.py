"""Every change of stock leaves a movement that says why, by whom, and what is left."""

from typing import Any
from uuid import UUID

import pytest

from tests.factories.catalog import make_option
from tests.support.branch import BranchFixture, line, open_branch
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till

pytestmark = pytest.mark.both_servers


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop())


async def movements(shop: Shop, item_id: UUID) -> list[tuple[Any, ...]]:
    rows = await shop.sql(
        "SELECT reason, change, quantity, option_id::text FROM stock_movements WHERE tenant_id = $1 AND item_id = $2 "
        "ORDER BY created_at, quantity DESC",
        item_id,
    )
    return [tuple(row) for row in rows]


async def test_a_sale_and_its_cancellation_are_stock_movements(branch: BranchFixture) -> None:
    product = await branch.add_product(stock=10)
    order = await branch.place(line(product, "product", 3))
    await branch.move(order["id"], "canceled")
    assert await movements(branch.shop, product) == [("sale", -3, 7, None), ("return", 3, 10, None)]
    rows = await branch.shop.sql(
        "SELECT order_id::text, actor_type, actor_id FROM stock_movements WHERE tenant_id = $1 AND item_id = $2",
        product,
    )
    assert {(row["order_id"], row["actor_type"]) for row in rows} == {(order["id"], "app")}
    assert None not in {row["actor_id"] for row in rows}


async def test_an_option_has_movements_of_its_own(branch: BranchFixture) -> None:
    product = await branch.add_product(stock=10)
    large, small = [await make_option(branch.shop, product, "30", quantity=5) for _ in range(2)]
    sold = [line(product, "product", 2, option_id=[large]), line(product, "product", 1, option_id=[small])]
    await Till(branch).ring_up("90.00", *sold)
    assert sorted(await movements(branch.shop, product)) == sorted([("sale", -2, 3, large), ("sale", -1, 4, small)])


async def test_a_refund_returns_what_goes_back_on_the_shelf(branch: BranchFixture) -> None:
    product = await branch.add_product(stock=10)
    till = Till(branch)
    sale = await till.ring_up("60.00", line(product, "product", 3), payment_methods=[await till.paid("60")])
    await till.refund(sale["id"], restock=True)
    assert (await movements(branch.shop, product))[-1] == ("return", 3, 10, None)
