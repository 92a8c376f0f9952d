"""An appointment that is moved takes a time as a new order does: each time is sold once."""

import asyncio
from uuid import UUID

import pytest

from frontdesk.http.errors import Code
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.types import OrderRequest
from frontdesk.problems import Problem
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import SYSTEM, RaceFixture, RequestSpec, codes, open_race_fixture, statuses
from tests.races.test_slots import NO_EXCLUSION, active_bookings
from tests.races.unlocked import NO_VERSION, LockFixture, change_function, open_lock_fixture, remove_locks
from tests.support.acts import change_status, create_order, reschedule_order
from tests.support.problems import code_of

CROWD = 50


async def placed(race: RaceFixture, slots: range) -> list[UUID]:
    answers = await race.send_all([race.order(race.service_line(race.staff[0]), slot=slot) for slot in slots])
    return [UUID(answer.json()["data"]["id"]) for answer in answers]


def moving(race: RaceFixture, order_id: UUID, slot: int = 0, **more: str) -> RequestSpec:
    return RequestSpec(f"/orders/{order_id}/reschedule", {"start": race.start(slot).isoformat()}, **more)


async def test_one_slot_is_taken_once_by_moves_and_new_orders(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    orders = await placed(race, range(1, 21))
    fresh = [race.order(race.service_line(race.staff[0]))] * (CROWD - len(orders))
    answers = await race.send_all([*(moving(race, order_id) for order_id in orders), *fresh])
    assert sum(answer.status_code in (200, 201) for answer in answers) == 1, statuses(answers)
    assert codes(answers) == {"timeslot_unavailable"}
    taken = [row["during"].lower for row in await active_bookings(race)]
    assert taken.count(race.start()) == 1
    assert await race.broken_invariants() == []


async def test_one_order_moved_and_canceled_by_many_at_once(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    [order_id] = await placed(race, range(1))
    moves = [moving(race, order_id, slot) for slot in range(1, 20)]
    cancels = [RequestSpec(f"/orders/{order_id}/status", {"status": "canceled"})] * 2
    answers = await race.send_all([*moves[:10], *cancels, *moves[10:]])
    assert codes(answers) <= {"order_not_reschedulable"}
    assert await active_bookings(race) == []
    assert await race.broken_invariants() == []


async def test_a_move_sent_many_times_under_one_key_is_made_once(new_race: OpenRaceFixture) -> None:
    race = await new_race()
    [order_id] = await placed(race, range(1))
    answers = await race.send_all([moving(race, order_id, 1, key="move")] * 20)
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    [row] = await race.shop.sql(
        "SELECT count(new_start) AS moves FROM order_status_history WHERE tenant_id = $1 AND order_id = $2",
        order_id,
    )
    assert row["moves"] == 1
    assert await race.broken_invariants() == []


async def two_moves(locks: LockFixture, race: RaceFixture) -> list[str]:
    """Both want the same free slot; the provider is held until both stand before the lock, or before the booking."""
    orders = [(await create_order(locks.command, race.tenant, _asked(race, slot))).id for slot in (1, 2)]
    async with locks.holding("SELECT FROM bookings WHERE order_id = ANY($1) FOR UPDATE", orders):
        both = [
            asyncio.create_task(reschedule_order(w, race.tenant, o, race.start(), [], SYSTEM))
            for w, o in zip(locks.writers, orders, strict=True)
        ]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    return [code_of(outcome) for outcome in outcomes if isinstance(outcome, Problem)]


def _asked(race: RaceFixture, slot: int) -> OrderRequest:
    return race.order_request(race.service_line(race.staff[0]), slot=slot)


@pytest.mark.parametrize("locked", [True, False])
async def test_the_exclusion_rejects_the_second_of_two_moves(empty_dsn: str, locked: bool) -> None:
    """Both have read that the slot is free. The second one reads again and finds it taken."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn, unlocked=not locked) as locks:
        assert await two_moves(locks, race) == [Code.TIMESLOT_UNAVAILABLE]
    assert await race.broken_invariants() == []


async def test_without_the_exclusion_the_slot_is_taken_twice(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(NO_EXCLUSION)
        assert await two_moves(locks, race) == []
    assert any("booked twice" in name for name in await race.broken_invariants())


@pytest.mark.parametrize("missing", [None, "lock", "version"])
async def test_a_move_beside_a_cancelation(empty_dsn: str, missing: str | None) -> None:
    """The move waits for the order and finds another version; with one of both, a canceled order holds time."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        if missing == "lock":
            await remove_locks(locks.command)
        elif missing == "version":
            await change_function(locks.command, *NO_VERSION)
        order_id = (await create_order(locks.command, race.tenant, _asked(race, 1))).id
        canceler, mover = locks.writers
        async with locks.holding("SELECT FROM bookings WHERE order_id = $1 FOR UPDATE", order_id):
            cancel = change_status(canceler, race.tenant, order_id, SettableStatus.CANCELED, None, SYSTEM)
            both = [asyncio.create_task(cancel)]
            await locks.until_waiting(1)
            both.append(asyncio.create_task(reschedule_order(mover, race.tenant, order_id, race.start(), [], SYSTEM)))
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    refused = [code_of(outcome) for outcome in outcomes if isinstance(outcome, Problem)]
    guarded = missing is None
    assert refused == ([Code.ORDER_NOT_RESCHEDULABLE] if guarded else [])
    assert len(await active_bookings(race)) == (0 if guarded else 1)
    assert (await race.broken_invariants() == []) is guarded
