"""A write that others overtake again and again: it locks before it reads, and ends in every case."""

import asyncio

import pytest

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import MAX_ATTEMPTS, Outdated
from frontdesk.problems import Problem
from tests.races.fixture import SYSTEM, RaceFixture, RequestSpec, codes, open_race_fixture
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import create_order, reschedule_order
from tests.support.problems import code_of
from tests.support.service import running_service

NO_RESOURCES = """
    CREATE OR REPLACE FUNCTION lock_order_resources(p_tenant uuid, p_order uuid, p_items uuid[]) RETURNS void
    LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM orders WHERE id = p_order FOR NO KEY UPDATE; END $$"""


async def overtake(conn: Connection, times: int) -> None:
    """The next attempts to change an order find that it has changed. A sequence also counts what is rolled back."""
    await conn.execute("CREATE SEQUENCE attempts")
    await change_function(conn, "lock_order", "IF NOT FOUND", f"IF nextval('attempts') <= {times} OR NOT FOUND")


async def move_while_the_slot_is_sold(locks: LockFixture, race: RaceFixture) -> object:
    """The last attempt waits for the provider, who is booked meanwhile for the time that it wants."""
    order = await create_order(locks.command, race.tenant, race.order_request(race.service_line(), slot=1))
    await overtake(locks.command, MAX_ATTEMPTS)
    async with locks.command.transaction():
        await locks.command.execute("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff)
        move = reschedule_order(locks.writers[0], race.tenant, order.id, race.start(), [], SYSTEM)
        moving = asyncio.create_task(move)
        await locks.until_waiting(1)
        await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
    [outcome] = await asyncio.gather(moving, return_exceptions=True)
    return outcome


async def test_the_last_attempt_locks_before_it_reads(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        outcome = await move_while_the_slot_is_sold(locks, race)
    assert isinstance(outcome, Problem)
    assert code_of(outcome) == "timeslot_unavailable"
    assert outcome.values["alternatives"]
    assert await race.broken_invariants() == []


async def test_without_the_locks_the_last_attempt_is_overtaken_too(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(NO_RESOURCES)
        outcome = await move_while_the_slot_is_sold(locks, race)
    assert isinstance(outcome, Outdated)
    assert await race.broken_invariants() == []


@pytest.mark.parametrize(("times", "status"), [(MAX_ATTEMPTS, 201), (MAX_ATTEMPTS + 1, 503)])
@pytest.mark.parametrize("key", [None, "again"])
async def test_a_payment_that_is_overtaken(empty_dsn: str, times: int, status: int, key: str | None) -> None:
    async with running_service(empty_dsn) as service, open_lock_fixture(empty_dsn) as locks:
        race = await open_race_fixture(empty_dsn, [service.origin])
        [created] = await race.send_all([race.order(race.service_line())])
        await overtake(locks.command, times)
        body = {"amount": 100, "payment_method_id": str(race.method_id)}
        payment = RequestSpec(f"/orders/{created.json()['data']['id']}/payments", body, key)
        [response] = await race.send_all([payment], again=False)
        assert response.status_code == status, response.text
        if status == 503:
            assert codes([response]) == {"temporarily_unavailable"}
            assert response.headers["retry-after"] == "1"
            [response] = await race.send_all([payment])
            assert response.status_code == 201
    assert await race.broken_invariants() == []


async def test_inside_a_transaction_an_attempt_fails_alone(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        first = await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
        await overtake(locks.command, 1)
        async with locks.command.transaction():
            await reschedule_order(locks.command, race.tenant, first.id, race.start(1), [], SYSTEM)
    assert await race.broken_invariants() == []


async def test_two_requests_with_one_key_do_not_deadlock(empty_dsn: str) -> None:
    """The first is in its last attempt and waits for the provider; it has claimed the key before."""
    async with running_service(empty_dsn) as service, open_lock_fixture(empty_dsn) as locks:
        race = await open_race_fixture(empty_dsn, [service.origin])
        [created] = await race.send_all([race.order(race.service_line())])
        await overtake(locks.command, MAX_ATTEMPTS)
        path = f"/orders/{created.json()['data']['id']}/reschedule"
        move = RequestSpec(path, {"start": race.start(1).isoformat()}, "again")
        async with locks.command.transaction():
            await locks.command.execute("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff)
            first = asyncio.create_task(race.send_all([move]))
            await locks.until_waiting(1)
            second = asyncio.create_task(race.send_all([move]))
            await locks.until_waiting(2)
        responses = [*await first, *await second]
    assert [response.status_code for response in responses] == [200, 200]
    assert [response.headers.get("idempotent-replayed") for response in responses] == [None, "true"]
    assert responses[0].content == responses[1].content
