"""A provider's time is sold once, with any number of concurrent requests."""

import asyncio
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from frontdesk.http.errors import Code
from frontdesk.orders.change_status import SettableStatus
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.scheduling.book import BookingRequest, BookOrders
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import SYSTEM, RaceFixture, RequestSpec, codes, open_race_fixture, statuses
from tests.races.unlocked import LockFixture, open_lock_fixture
from tests.support.acts import CreatedOrder, change_status, create_order
from tests.support.problems import code_of

CROWD = 50
NO_EXCLUSION = "ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap"


async def active_bookings(race: RaceFixture) -> list[Any]:
    return await race.shop.sql(
        "SELECT staff_id, during FROM bookings WHERE tenant_id = $1 AND is_active AND staff_id = ANY($2)", race.staff
    )


async def test_one_slot_of_a_named_provider_is_sold_once(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    answers = await race.send_all([race.order(race.service_line(race.staff[0]))] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await active_bookings(race)) == 1
    assert await race.broken_invariants() == []


async def test_of_neighbouring_slots_only_those_with_their_buffers_between_them_are_sold(
    new_race: OpenRaceFixture,
) -> None:
    """A service of 30 minutes with 20 before it and 10 after it: of any two neighbours one must give way."""
    race = await new_race()
    await change_row(race.shop, "items", race.service_id, buffer_before=20, buffer_after=10)
    line = race.service_line(race.staff[0])
    answers = await race.send_all([race.order(line, slot=number % 8) for number in range(CROWD)])
    assert codes(answers) == {"timeslot_unavailable"}
    taken = sorted(row["during"].lower for row in await active_bookings(race))
    assert all(later - earlier >= timedelta(minutes=60) for earlier, later in pairwise(taken))
    assert len(taken) == statuses(answers)[201]
    assert len(taken) in (3, 4)
    assert await race.broken_invariants() == []


async def test_one_slot_is_sold_once_without_a_check_before(new_race: OpenRaceFixture) -> None:
    """Both processes have made such an order before, and write the next one in a single statement."""
    race = await new_race()
    line = race.service_line(race.staff[0])
    for slots in (range(1, 5), range(5, 9)):
        assert statuses(await race.send_all([race.order(line, slot=slot) for slot in slots])) == {201: 4}
    answers = await race.send_all([race.order(line)] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await active_bookings(race)) == 9
    assert await race.broken_invariants() == []


async def test_one_slot_is_held_once_and_sold_once_to_its_hold(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    hold = {"service_id": str(race.service_id), "staff_id": str(race.staff[0]), "start": race.start().isoformat()}
    answers = await race.send_all([RequestSpec("/holds", hold)] * CROWD)
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    (hold_id,) = (answer.json()["data"]["id"] for answer in answers if answer.status_code == 201)
    order = race.order(race.service_line(race.staff[0]))
    held = order._replace(body={**order.body, "hold_id": hold_id})
    answers = await race.send_all([held, order] * (CROWD // 2))
    assert statuses(answers) == {201: 1, 422: CROWD - 1}
    assert codes(answers) == {"timeslot_unavailable"}
    assert answers.index(next(answer for answer in answers if answer.status_code == 201)) % 2 == 0, "without the hold"
    assert len(await active_bookings(race)) == 1
    assert await race.broken_invariants() == []


async def test_as_many_orders_are_taken_as_there_are_free_providers(new_race: OpenRaceFixture) -> None:
    race = await new_race(providers=14)
    answers = await race.send_all([race.order(race.service_line())] * CROWD)
    assert statuses(answers) == {201: 14, 422: CROWD - 14}
    assert codes(answers) == {"timeslot_unavailable"}
    assert sorted(row["staff_id"] for row in await active_bookings(race)) == race.staff
    assert await race.broken_invariants() == []


async def test_of_orders_canceled_for_one_slot_one_comes_back(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    placed = []
    for _ in range(10):
        [answer] = await race.send_all([race.order(race.service_line(race.staff[0]))])
        placed.append(answer.json()["data"]["id"])
        await race.send_all([RequestSpec(f"/orders/{placed[-1]}/status", {"status": "canceled"})])
    back = [RequestSpec(f"/orders/{order_id}/status", {"status": "confirmed"}) for order_id in placed]
    fresh = [race.order(race.service_line(race.staff[0]))] * (CROWD - len(back))
    answers = await race.send_all([*back, *fresh])
    assert sum(answer.status_code in (200, 201) for answer in answers) == 1, statuses(answers)
    assert codes(answers) == {"timeslot_unavailable"}
    assert len(await active_bookings(race)) == 1
    assert await race.broken_invariants() == []


async def test_as_many_drafts_are_confirmed_as_there_are_free_providers(
    new_race: OpenRaceFixture, conn: Connection
) -> None:
    race = await new_race(providers=5)
    asked = race.order_request(race.service_line())._replace(draft=True)
    drafts = [(await create_order(conn, race.tenant, asked)).id for _ in range(20)]
    answers = await race.send_all(
        [RequestSpec(f"/orders/{order_id}/status", {"status": "confirmed"}) for order_id in drafts]
    )
    assert statuses(answers) == {200: 5, 422: 15}
    assert codes(answers) == {"timeslot_unavailable"}
    assert sorted(row["staff_id"] for row in await active_bookings(race)) == race.staff
    assert await race.broken_invariants() == []


async def two_at_once(locks: LockFixture, race: RaceFixture) -> list[CreatedOrder | BaseException]:
    """Both have seen the slot free before either writes: the provider is held until both stand before the lock."""
    asked = race.order_request(race.service_line())
    async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff):
        both = [asyncio.create_task(create_order(writer, race.tenant, asked)) for writer in locks.writers]
    return await asyncio.gather(*both, return_exceptions=True)


async def test_the_exclusion_refuses_the_second_of_two_who_saw_the_slot_free(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        outcomes = await two_at_once(locks, race)
    [refusal] = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert isinstance(refusal, Problem)
    assert code_of(refusal) == "timeslot_unavailable"
    assert await race.broken_invariants() == []


async def test_without_the_exclusion_the_slot_is_sold_twice(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(NO_EXCLUSION)
        outcomes = await two_at_once(locks, race)
    assert all(isinstance(outcome, CreatedOrder) for outcome in outcomes)
    assert len(await active_bookings(race)) == 2
    assert any("booked twice" in name for name in await race.broken_invariants())


async def test_a_booking_on_purpose_lets_no_other_two_overlap(empty_dsn: str) -> None:
    """One of the two writers books on purpose. The one that comes second finds the time taken: it is refused, or marked
    as made on purpose. So at most one holds the time alone.
    """
    race = await open_race_fixture(empty_dsn)
    asked = race.order_request(race.service_line(race.staff[0]))
    on_purpose = BookOrders(BookingRequest(asked), uuid7(), anyway=True)
    async with open_lock_fixture(empty_dsn) as locks:
        one, other = locks.writers
        async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff):
            both = [
                asyncio.create_task(run(one, race.tenant, on_purpose, actor=SYSTEM)),
                asyncio.create_task(create_order(other, race.tenant, asked)),
            ]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
        assert not isinstance(outcomes[0], BaseException)
        for change in ("is_extra = NOT is_extra", "busy = 'empty', is_extra = false", "busy = during, is_extra = true"):
            with pytest.raises(asyncpg.CheckViolationError):
                await locks.command.execute(f"UPDATE bookings SET {change} WHERE staff_id = ANY($1)", race.staff)
    found = await race.shop.sql(
        "SELECT is_extra FROM bookings WHERE tenant_id = $1 AND is_active AND staff_id = ANY($2)", race.staff
    )
    refused = isinstance(outcomes[1], Problem)
    assert sorted(row["is_extra"] for row in found) == ([False] if refused else [False, True])
    assert await race.broken_invariants() == []


@pytest.mark.parametrize("guarded", [True, False])
async def test_two_restored_orders_compete_for_one_slot(empty_dsn: str, guarded: bool) -> None:
    """Guarded, the second is refused; without the exclusion both come back."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        orders = [await canceled_order(locks.command, race) for _ in range(2)]
        if not guarded:
            await locks.command.execute(NO_EXCLUSION)
        async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff):
            both = [
                asyncio.create_task(change_status(w, race.tenant, o, SettableStatus.CONFIRMED, None, SYSTEM))
                for w, o in zip(locks.writers, orders, strict=True)
            ]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    refused = [code_of(outcome) for outcome in outcomes if isinstance(outcome, Problem)]
    assert refused == ([Code.TIMESLOT_UNAVAILABLE] if guarded else [])
    assert len(await active_bookings(race)) == (1 if guarded else 2)
    assert (await race.broken_invariants() == []) is guarded


async def canceled_order(conn: Connection, race: RaceFixture) -> UUID:
    placed = await create_order(conn, race.tenant, race.order_request(race.service_line()))
    await change_status(conn, race.tenant, placed.id, SettableStatus.CANCELED, None, SYSTEM)
    return placed.id
