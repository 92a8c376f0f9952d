"""Orders and transactions are numbered 1, 2, 3 … in the order of their times, whatever fails in between."""

import asyncio
from datetime import datetime

import pytest

from frontdesk.orders.types import LineType, OrderLineRequest
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import RaceFixture, open_race_fixture, statuses
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import create_order

GAPS = "numbers start at 1 and have no gaps"


async def test_order_numbers_have_no_gaps_and_no_repeats(new_race: OpenRaceFixture) -> None:
    """Refused before a number is given, after it (slot, stock), in a retry's transaction, and by the payment."""
    race = await new_race(providers=3)
    product_id = await race.add_product(stock=10)
    before = await race.shop.sql("SELECT count(*), max(order_number) FROM orders WHERE tenant_id = $1")
    product = OrderLineRequest(product_id, LineType.PRODUCT, 1)
    requests = [
        *[race.order(race.service_line(), paid=100) for _ in range(12)],
        *[race.order(race.service_line(), product, slot=1, key=f"key-{n}") for n in range(12)],
        *[race.order(product, paid=5, key=f"key-{n}") for n in range(6, 18)],
        *[race.order(product, product) for _ in range(12)],
        *[race.order(product, paid=11) for _ in range(6)],
    ]
    answers = await race.send_all(requests)
    assert set(statuses(answers)) == {201, 422}
    numbers = sorted(int(a.json()["data"]["order_number"]) for a in answers if a.status_code == 201)
    made = len(set(numbers))
    assert made >= 6
    assert numbers == list(range(before[0]["max"] + 1, before[0]["max"] + 1 + made))
    assert await race.broken_invariants() == []


async def one_fails_after_its_number(locks: LockFixture, race: RaceFixture) -> None:
    """Of two for one slot the second is numbered before the exclusion refuses it; a third follows."""
    asked = race.order_request(race.service_line())
    async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff):
        both = [asyncio.create_task(create_order(writer, race.tenant, asked)) for writer in locks.writers]
    await asyncio.gather(*both, return_exceptions=True)
    await create_order(locks.command, race.tenant, race.order_request(race.service_line(), slot=1))


async def test_the_order_number_of_a_failed_order_is_used_again(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await one_fails_after_its_number(locks, race)
    assert await race.broken_invariants() == []


async def test_numbers_of_a_sequence_have_gaps(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(
            """
            CREATE SEQUENCE numbers;
            SELECT setval('numbers', max(order_number)) FROM orders;
            CREATE FUNCTION number_order() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.order_number := nextval('numbers'); RETURN NEW; END $$;
            CREATE TRIGGER number_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION number_order()
            """
        )
        await one_fails_after_its_number(locks, race)
    assert any(broken.startswith(GAPS) for broken in await race.broken_invariants())


async def the_earlier_is_overtaken(locks: LockFixture, race: RaceFixture) -> None:
    """The first begins and has to wait for its provider; the second, with another one, is numbered meanwhile."""
    slow, quick = race.staff
    async with locks.holding("SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", slow, waiting=1):
        asked = race.order_request(race.service_line(slow))
        waiting = asyncio.create_task(create_order(locks.writers[0], race.tenant, asked))
        await locks.until_waiting(1)
        await create_order(locks.writers[1], race.tenant, race.order_request(race.service_line(quick)))
    await waiting


async def test_times_of_creation_sort_like_the_numbers(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn, providers=2)
    async with open_lock_fixture(empty_dsn) as locks:
        await the_earlier_is_overtaken(locks, race)
    assert await race.broken_invariants() == []


async def test_transaction_start_times_do_not_sort_like_the_order_numbers(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn, providers=2)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(
            """
            CREATE FUNCTION date_order() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.created_at := now(); RETURN NEW; END $$;
            CREATE TRIGGER date_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION date_order()
            """
        )
        await the_earlier_is_overtaken(locks, race)
    assert any(broken.startswith(GAPS) for broken in await race.broken_invariants())


@pytest.mark.parametrize("guarded", [True, False])
async def test_an_order_that_waited_for_its_number_is_created_after_the_wait(empty_dsn: str, guarded: bool) -> None:
    """A day is closed under the same lock. An order with an earlier time would belong to the closed day, uncounted."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        if not guarded:
            before_the_wait = "greatest(excluded.assigned_at, c.assigned_at)"
            await change_function(locks.command, "next_number", "monotonic_now(c.assigned_at)", before_the_wait)
        async with locks.command.transaction():
            await locks.command.execute("SELECT FROM tenant_counters FOR NO KEY UPDATE")
            order = race.order_request(race.service_line())
            creating = asyncio.create_task(create_order(locks.writers[0], race.tenant, order))
            await locks.until_waiting(1)
            closed_at: datetime = await locks.command.fetchval("SELECT clock_timestamp()")
        created = await creating
    [row] = await race.shop.sql("SELECT created_at FROM orders WHERE tenant_id = $1 AND id = $2", created.id)
    assert (row["created_at"] > closed_at) is guarded
