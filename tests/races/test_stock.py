"""Nothing is sold that is not on the shelf."""

import asyncio
from uuid import UUID

from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.problems import Problem
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture, codes, open_race_fixture, statuses
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import CreatedOrder, create_order
from tests.support.problems import code_of

CROWD = 50


def pieces(product_id: UUID, quantity: int = 1) -> OrderLineRequest:
    return OrderLineRequest(product_id, LineType.PRODUCT, quantity)


async def on_shelf(race: RaceFixture, product_id: UUID) -> int:
    stock: int = (await race.shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", product_id))[0][0]
    return stock


async def test_concurrent_sales_take_exactly_the_stock(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    product_id = await race.add_product(stock=20)
    answers = await race.send_all([race.order(pieces(product_id, 3))] * CROWD)
    assert statuses(answers) == {201: 6, 422: CROWD - 6}
    assert codes(answers) == {"validation_error"}
    assert {field for a in answers if a.status_code == 422 for field in a.json()["errors"]} == {"items.0.quantity"}
    assert await on_shelf(race, product_id) == 2
    assert await race.broken_invariants() == []


async def test_products_asked_for_in_opposite_orders_are_all_sold(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    products = [await race.add_product(stock=CROWD) for _ in range(4)]
    lines = [pieces(product_id) for product_id in products]
    answers = await race.send_all([race.order(*(lines if n % 2 else reversed(lines))) for n in range(CROWD)])
    assert statuses(answers) == {201: CROWD}
    assert [await on_shelf(race, product_id) for product_id in products] == [0] * 4
    assert await race.broken_invariants() == []


async def two_for_the_last_piece(
    locks: LockFixture, race: RaceFixture, product_id: UUID
) -> list[CreatedOrder | BaseException]:
    """Both have seen it on the shelf before either takes it."""
    asked = race.order_request(pieces(product_id))
    async with locks.holding("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", product_id):
        both = [asyncio.create_task(create_order(writer, race.tenant, asked)) for writer in locks.writers]
    return await asyncio.gather(*both, return_exceptions=True)


async def test_the_stock_check_refuses_the_second_sale_of_the_last_piece(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    product_id = await race.add_product(stock=1)
    async with open_lock_fixture(empty_dsn) as locks:
        outcomes = await two_for_the_last_piece(locks, race, product_id)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, Problem)
    assert code_of(refusal) == "validation_error"
    assert await on_shelf(race, product_id) == 0
    assert await race.broken_invariants() == []


async def test_without_the_stock_check_more_is_sold_than_there_is(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    product_id = await race.add_product(stock=1)
    async with open_lock_fixture(empty_dsn) as locks:
        await change_function(locks.command, "change_stock", " AND stock + v_units >= 0", "")
        await locks.command.execute("ALTER TABLE items DROP CONSTRAINT items_stock_non_negative")
        outcomes = await two_for_the_last_piece(locks, race, product_id)
    assert all(isinstance(outcome, CreatedOrder) for outcome in outcomes)
    assert await on_shelf(race, product_id) == -1
    assert any(broken.startswith("nothing is sold") for broken in await race.broken_invariants())
