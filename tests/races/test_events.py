"""Events under fire: numbered without a gap, none of a change that was taken back, and nobody waits in a circle."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.webhooks.change import DeleteWebhook
from tests.races.conftest import OpenRaceFixture
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture, statuses
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import create_order
from tests.support.subscriber import subscriber
from tests.support.waiting import eventually

CHANGE_PHONE = "UPDATE customers SET phone = '+966500000001' WHERE tenant_id = $1 AND id = $2"


async def last_sequence(race: RaceFixture) -> int:
    (row,) = await race.shop.sql("SELECT coalesce(max(sequence), 0) AS last FROM events WHERE tenant_id = $1")
    last: int = row["last"]
    return last


async def test_fifty_writers_and_their_failures_leave_no_gap(new_race: OpenRaceFixture) -> None:
    """Refused before the number, after it, in a retry's transaction: only what was created has an event, each once."""
    race = await new_race(providers=3)
    product = OrderLineRequest(await race.add_product(stock=12), LineType.PRODUCT, 1)
    requests = [
        *[race.order(race.service_line(), paid=100) for _ in range(12)],
        *[race.order(race.service_line(), product, slot=1, key=f"key-{n}") for n in range(12)],
        *[race.order(product, paid=5, key=f"key-{n}") for n in range(6, 18)],
        *[race.order(product, product) for _ in range(8)],
        *[race.order(product, paid=11) for _ in range(6)],
    ]
    answers = await race.send_all(requests)
    assert set(statuses(answers)) == {201, 422}
    assert await race.broken_invariants() == []
    (row,) = await race.shop.sql("SELECT count(*) FROM events WHERE tenant_id = $1 AND type = 'order.created'")
    made = {a.json()["data"]["id"] for a in answers if a.status_code == 201}
    assert row["count"] == len(made) > 6
    assert await last_sequence(race) > len(made)


async def test_a_rolled_back_change_emits_no_event(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        writer, other = locks.writers
        taken_back = writer.transaction()
        await taken_back.start()
        await create_order(writer, race.tenant, race.order_request(race.service_line()))
        waiting = asyncio.create_task(create_order(other, race.tenant, race.order_request(race.service_line(), slot=1)))
        await locks.until_waiting(1)
        await taken_back.rollback()
        placed = await waiting
    rows = await race.shop.sql("SELECT sequence, data -> 'order' ->> 'id' AS id FROM events WHERE tenant_id = $1")
    assert [(row["sequence"], row["id"]) for row in rows] == [(1, str(placed.id))]


async def test_numbers_of_a_sequence_would_have_gaps(empty_dsn: str) -> None:
    """The counter's row is what is rolled back with the change; a sequence would not be."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await locks.command.execute(
            """
            CREATE SEQUENCE numbers;
            CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.sequence := nextval('numbers'); RETURN NEW; END $$;
            CREATE TRIGGER number_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION number_event()
            """
        )
        taken_back = locks.command.transaction()
        await taken_back.start()
        await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
        await taken_back.rollback()
        await create_order(locks.command, race.tenant, race.order_request(race.service_line()))
    assert any(
        broken.startswith("events are numbered from 1 without a gap") for broken in await race.broken_invariants()
    )


async def phone_changes_while_ordering(locks: LockFixture, race: RaceFixture) -> list[object]:
    """The phone is part of a unique key, so the customer's row is locked against foreign keys too.

    The one who changes it emits the event last, as every writer does, while the order waits for the customer.
    """
    async with locks.command.transaction():
        await locks.command.execute(CHANGE_PHONE, race.tenant_id, race.customer_id)
        creating = asyncio.create_task(
            create_order(locks.writers[0], race.tenant, race.order_request(race.service_line()))
        )
        await locks.until_waiting(1)
        emitting = locks.command.execute(
            "SELECT emit_events($1, ARRAY['customer.updated'], ARRAY['{}'::json])", race.tenant_id
        )
        emitted = await asyncio.gather(emitting, return_exceptions=True)
    return [*emitted, *await asyncio.gather(creating, return_exceptions=True)]


async def test_events_are_numbered_after_the_customer_is_locked(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        outcomes = await phone_changes_while_ordering(locks, race)
    assert not [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    events = await race.shop.sql(
        """
        SELECT type, data -> 'order' -> 'customer' ->> 'phone' AS phone FROM events
        WHERE tenant_id = $1 ORDER BY sequence
        """
    )
    assert [row["type"] for row in events] == ["customer.updated", "order.created"]
    assert events[1]["phone"] == "+966500000001"


async def test_events_numbered_before_the_customer_is_locked_are_a_deadlock(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        numbered_first = "BEGIN\n    PERFORM next_number(p_tenant, 'events', 0);\n"
        await change_function(locks.command, "create_order", "BEGIN\n", numbered_first)
        outcomes = await phone_changes_while_ordering(locks, race)
    assert [one for one in outcomes if isinstance(one, Problem | asyncpg.DeadlockDetectedError)], outcomes


@pytest.mark.parametrize("locked", [True, False])
async def test_an_order_that_waits_for_its_customer_has_no_number_yet(empty_dsn: str, locked: bool) -> None:
    """Without the lock the foreign key waits, and with it everybody who needs the next number."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        if not locked:
            await change_function(locks.command, "create_order", "FOR KEY SHARE", "")
        async with locks.command.transaction():
            await locks.command.execute(CHANGE_PHONE, race.tenant_id, race.customer_id)
            order = race.order_request(race.service_line())
            creating = asyncio.create_task(create_order(locks.writers[0], race.tenant, order))
            await locks.until_waiting(1)
            number = locks.writers[1].execute("SELECT FROM tenant_counters FOR NO KEY UPDATE NOWAIT")
            [outcome] = await asyncio.gather(number, return_exceptions=True)
        await creating
    assert isinstance(outcome, asyncpg.LockNotAvailableError) is not locked


async def test_a_webhook_deleted_meanwhile_gets_no_delivery(new_race: OpenRaceFixture) -> None:
    """The one who tells waits for the deletion and then leaves it out, rather than fail at the foreign key."""
    race = await new_race()
    app = await subscriber(race.shop)
    gone, stays = await app.subscribe(), await app.subscribe()
    raw = [await connect(race.shop.dsn) for _ in range(2)]
    deleter, placer = (Connection(one) for one in raw)
    waiting_pid = raw[1].get_server_pid()
    try:
        async with deleter.transaction():
            await run(deleter, race.tenant, DeleteWebhook(UUID(gone["id"]), app.client.id), actor=SYSTEM)
            placing = asyncio.create_task(create_order(placer, race.tenant, race.order_request(race.service_line())))
            await eventually(lambda: deleter.fetchval("SELECT cardinality(pg_blocking_pids($1)) > 0", waiting_pid))
            assert not placing.done()
        await placing
    finally:
        for one in raw:
            await one.close()
    sent = await race.shop.sql("SELECT webhook_id FROM webhook_deliveries WHERE tenant_id = $1")
    assert [str(row["webhook_id"]) for row in sent] == [stays["id"]]
