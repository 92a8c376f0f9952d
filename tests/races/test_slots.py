"""A provider's time is sold once, whoever asks, however many ask at once."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from frontdesk.errors import Code, WireError
from frontdesk.orders.change_status import SettableStatus, change_status
from frontdesk.orders.create import create_order
from frontdesk.orders.types import CreatedOrder
from frontdesk.postgres.pool import Connection
from tests.races.conftest import OpenYard
from tests.races.fixture import SYSTEM, Sent, Yard, codes, open_yard, statuses
from tests.races.unlocked import Bench, open_bench

CROWD = 50
NO_EXCLUSION = "ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap"


async def live_bookings(yard: Yard) -> list[Any]:
    return await yard.shop.sql(
        "SELECT staff_id, during FROM bookings WHERE tenant_id = $1 AND live AND staff_id = ANY($2)", yard.staff
    )


async def test_one_slot_of_a_named_provider_is_sold_once(new_yard: OpenYard) -> None:
    yard = await new_yard()
    answers = await yard.rush([yard.order(yard.service_line(yard.staff[0]))] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await live_bookings(yard)) == 1
    assert await yard.broken() == []


async def test_one_slot_is_sold_once_by_those_who_need_no_look(new_yard: OpenYard) -> None:
    """Both processes have made such an order before, and write the next one in a single statement."""
    yard = await new_yard()
    line = yard.service_line(yard.staff[0])
    for slots in (range(1, 5), range(5, 9)):
        assert statuses(await yard.rush([yard.order(line, slot=slot) for slot in slots])) == {201: 4}
    answers = await yard.rush([yard.order(line)] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await live_bookings(yard)) == 9
    assert await yard.broken() == []


async def test_as_many_orders_are_taken_as_there_are_free_providers(new_yard: OpenYard) -> None:
    yard = await new_yard(providers=14)
    answers = await yard.rush([yard.order(yard.service_line())] * CROWD)
    assert statuses(answers) == {201: 14, 422: CROWD - 14}
    assert codes(answers) == {"timeslot_unavailable"}
    assert sorted(row["staff_id"] for row in await live_bookings(yard)) == yard.staff
    assert await yard.broken() == []


async def test_of_orders_canceled_for_one_slot_one_comes_back(new_yard: OpenYard) -> None:
    yard = await new_yard()
    placed = []
    for _ in range(10):
        [answer] = await yard.rush([yard.order(yard.service_line(yard.staff[0]))])
        placed.append(answer.json()["data"]["id"])
        await yard.rush([Sent(f"/orders/{placed[-1]}/status", {"status": "canceled"})])
    back = [Sent(f"/orders/{order_id}/status", {"status": "confirmed"}) for order_id in placed]
    fresh = [yard.order(yard.service_line(yard.staff[0]))] * (CROWD - len(back))
    answers = await yard.rush([*back, *fresh])
    assert sum(answer.status_code in (200, 201) for answer in answers) == 1, statuses(answers)
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await live_bookings(yard)) == 1
    assert await yard.broken() == []


async def test_as_many_drafts_are_confirmed_as_there_are_free_providers(new_yard: OpenYard, conn: Connection) -> None:
    yard = await new_yard(providers=5)
    asked = yard.asked(yard.service_line())._replace(draft=True)
    drafts = [(await create_order(conn, yard.tenant, asked)).id for _ in range(20)]
    answers = await yard.rush([Sent(f"/orders/{order_id}/status", {"status": "confirmed"}) for order_id in drafts])
    assert statuses(answers) == {200: 5, 422: 15}
    assert codes(answers) == {"timeslot_unavailable"}
    assert sorted(row["staff_id"] for row in await live_bookings(yard)) == yard.staff
    assert await yard.broken() == []


async def two_at_once(bench: Bench, yard: Yard, *, known: bool) -> list[CreatedOrder | BaseException]:
    """Both have seen the slot free before either writes: the provider is held until both stand before the lock.

    Where such an order was made before they have not even looked, and only their one statement has seen it.
    """
    business = msgspec.structs.replace(yard.tenant, edition=uuid4().int >> 65) if known else yard.tenant
    if known:
        await create_order(bench.command, business, yard.asked(yard.service_line(), slot=1))
    asked = yard.asked(yard.service_line())
    async with bench.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", yard.staff):
        both = [asyncio.create_task(create_order(writer, business, asked)) for writer in bench.writers]
    return await asyncio.gather(*both, return_exceptions=True)


@pytest.mark.parametrize("known", [False, True])
async def test_the_exclusion_refuses_the_second_of_two_who_saw_the_slot_free(empty_dsn: str, known: bool) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        outcomes = await two_at_once(bench, yard, known=known)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, WireError)
    assert refusal.code is Code.TIMESLOT_UNAVAILABLE
    assert await yard.broken() == []


@pytest.mark.parametrize("known", [False, True])
async def test_without_the_exclusion_the_slot_is_sold_twice(empty_dsn: str, known: bool) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        await bench.command.execute(NO_EXCLUSION)
        outcomes = await two_at_once(bench, yard, known=known)
    assert all(isinstance(outcome, CreatedOrder) for outcome in outcomes)
    assert len(await live_bookings(yard)) == 2 + known
    assert any("booked twice" in name for name in await yard.broken())


@pytest.mark.parametrize("guarded", [True, False])
async def test_two_that_come_back_for_one_slot(empty_dsn: str, guarded: bool) -> None:
    """Guarded, the second is refused; without the exclusion both come back."""
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        orders = [await canceled_order(bench.command, yard) for _ in range(2)]
        if not guarded:
            await bench.command.execute(NO_EXCLUSION)
        async with bench.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", yard.staff):
            both = [
                asyncio.create_task(change_status(w, yard.tenant, o, SettableStatus.CONFIRMED, None, SYSTEM))
                for w, o in zip(bench.writers, orders, strict=True)
            ]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, WireError)]
    assert refused == ([Code.TIMESLOT_UNAVAILABLE] if guarded else [])
    assert len(await live_bookings(yard)) == (1 if guarded else 2)
    assert (await yard.broken() == []) is guarded


async def canceled_order(conn: Connection, yard: Yard) -> UUID:
    placed = await create_order(conn, yard.tenant, yard.asked(yard.service_line()))
    await change_status(conn, yard.tenant, placed.id, SettableStatus.CANCELED, None, SYSTEM)
    return placed.id
