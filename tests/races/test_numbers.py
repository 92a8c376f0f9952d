"""Orders and transactions are numbered 1, 2, 3 … in the order of their times, whatever fails in between."""

import asyncio

from frontdesk.orders.create import create_order
from frontdesk.orders.types import LineType, OrderLineRequest
from tests.races.conftest import OpenYard
from tests.races.fixture import Yard, open_yard, statuses
from tests.races.unlocked import Bench, open_bench

GAPS = "whatever is numbered is numbered from 1 without a gap"


async def test_successes_and_failures_leave_no_gap_and_no_repeat(new_yard: OpenYard) -> None:
    """Refused before a number is given, after it (slot, stock), in a retry's transaction, and by the payment."""
    yard = await new_yard(providers=3)
    product_id = await yard.add_product(stock=10)
    before = await yard.shop.sql("SELECT count(*), max(order_number) FROM orders WHERE tenant_id = $1")
    product = OrderLineRequest(product_id, LineType.PRODUCT, 1)
    requests = [
        *[yard.order(yard.service_line(), paid=100) for _ in range(12)],
        *[yard.order(yard.service_line(), product, slot=1, key=f"key-{n}") for n in range(12)],
        *[yard.order(product, paid=5, key=f"key-{n}") for n in range(6, 18)],
        *[yard.order(product, product) for _ in range(12)],
        *[yard.order(product, paid=11) for _ in range(6)],
    ]
    answers = await yard.rush(requests)
    assert set(statuses(answers)) == {201, 422}
    numbers = sorted(int(a.json()["data"]["order_number"]) for a in answers if a.status_code == 201)
    made = len(set(numbers))
    assert made >= 6
    assert numbers == list(range(before[0]["max"] + 1, before[0]["max"] + 1 + made))
    assert await yard.broken() == []


async def one_fails_after_its_number(bench: Bench, yard: Yard) -> None:
    """Of two for one slot the second is numbered before the exclusion refuses it; a third follows."""
    asked = yard.asked(yard.service_line())
    async with bench.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", yard.staff):
        both = [asyncio.create_task(create_order(writer, yard.tenant, asked)) for writer in bench.writers]
    await asyncio.gather(*both, return_exceptions=True)
    await create_order(bench.command, yard.tenant, yard.asked(yard.service_line(), slot=1))


async def test_a_number_given_in_vain_is_given_again(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        await one_fails_after_its_number(bench, yard)
    assert await yard.broken() == []


async def test_numbers_of_a_sequence_have_gaps(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        await bench.command.execute(
            """
            CREATE SEQUENCE numbers;
            SELECT setval('numbers', max(order_number)) FROM orders;
            CREATE FUNCTION number_order() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.order_number := nextval('numbers'); RETURN NEW; END $$;
            CREATE TRIGGER number_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION number_order()
            """
        )
        await one_fails_after_its_number(bench, yard)
    assert any(told.startswith(GAPS) for told in await yard.broken())


async def the_earlier_is_overtaken(bench: Bench, yard: Yard) -> None:
    """The first begins and has to wait for its provider; the second, with another one, is numbered meanwhile."""
    slow, quick = yard.staff
    async with bench.holding("SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", slow, waiting=1):
        asked = yard.asked(yard.service_line(slow))
        waiting = asyncio.create_task(create_order(bench.writers[0], yard.tenant, asked))
        await bench.until_waiting(1)
        await create_order(bench.writers[1], yard.tenant, yard.asked(yard.service_line(quick)))
    await waiting


async def test_times_of_creation_sort_like_the_numbers(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn, providers=2)
    async with open_bench(empty_dsn) as bench:
        await the_earlier_is_overtaken(bench, yard)
    assert await yard.broken() == []


async def test_times_of_the_transactions_beginning_do_not(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn, providers=2)
    async with open_bench(empty_dsn) as bench:
        await bench.command.execute(
            """
            CREATE FUNCTION date_order() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.created_at := now(); RETURN NEW; END $$;
            CREATE TRIGGER date_order BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION date_order()
            """
        )
        await the_earlier_is_overtaken(bench, yard)
    assert any(told.startswith(GAPS) for told in await yard.broken())
