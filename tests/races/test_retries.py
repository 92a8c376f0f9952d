"""One Idempotency-Key, one order, however often and wherever it is sent at once."""

import asyncio

from frontdesk.orders.types import LineType, OrderLineRequest
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture, open_race_fixture, statuses
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.service import running_service

CROWD = 50
_CLAIM_NOTHING = """
    CREATE OR REPLACE FUNCTION claim_idempotency_key(p_tenant uuid, p_caller uuid, p_key text) RETURNS boolean
    LANGUAGE sql AS 'SELECT true'"""


async def test_one_key_makes_one_order(new_race: OpenRaceFixture) -> None:
    race = await new_race(providers=CROWD)
    answers = await race.send_all([race.order(race.service_line(), key="again", paid=40)] * CROWD)
    assert statuses(answers) == {201: CROWD}
    assert len({answer.content for answer in answers}) == 1
    assert sum("idempotent-replayed" not in answer.headers for answer in answers) == 1
    rows = await race.shop.sql("SELECT order_id FROM bookings WHERE tenant_id = $1 AND staff_id = ANY($2)", race.staff)
    assert [str(row["order_id"]) for row in rows] == [answers[0].json()["data"]["id"]]
    assert await race.broken_invariants() == []


async def test_a_refused_request_keeps_no_key_however_many_wait_for_it(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    await race.send_all([race.order(race.service_line())])
    answers = await race.send_all([race.order(race.service_line(), key="taken")] * CROWD)
    assert statuses(answers) == {422: CROWD}
    [again] = await race.send_all([race.order(race.service_line(), slot=1, key="taken")])
    assert again.status_code == 201
    assert await race.broken_invariants() == []


async def two_with_one_key(locks: LockFixture, race: RaceFixture) -> list[str]:
    """Each gets as far as the key lets it: the next order number is held until both wait."""
    counter = "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE"
    product = OrderLineRequest(await race.add_product(stock=2), LineType.PRODUCT, 1)
    await race.shop.token()
    async with locks.holding(counter, race.tenant_id):
        both = asyncio.create_task(race.send_all([race.order(product, key="again")] * 2))
    answers = await both
    assert statuses(answers) == {201: 2}
    return [answer.json()["data"]["id"] for answer in answers]


async def test_the_second_waits_for_the_key_and_gets_the_order_of_the_first(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service, open_lock_fixture(empty_dsn) as locks:
        race = await open_race_fixture(empty_dsn, [service.origin])
        first, second = await two_with_one_key(locks, race)
    assert first == second


async def test_without_the_claim_the_second_order_is_rolled_back(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service, open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(_CLAIM_NOTHING)
        race = await open_race_fixture(empty_dsn, [service.origin])
        first, second = await two_with_one_key(locks, race)
    assert first == second


async def test_without_the_claim_and_the_check_one_key_makes_two_orders(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service, open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(_CLAIM_NOTHING)
        await change_function(locks.command, "store_response", "IF NOT FOUND", "IF false")
        race = await open_race_fixture(empty_dsn, [service.origin])
        first, second = await two_with_one_key(locks, race)
    assert first != second
