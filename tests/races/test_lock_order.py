"""Locks are taken in the order of docs/concurrency.md, several of one kind by id, so transactions never deadlock."""

import asyncio
from uuid import UUID, uuid4

import pytest

from frontdesk.http.errors import Code
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.drafts import ChangeDraft
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.scheduling.book import BookingRequest, BookOrders
from frontdesk.scheduling.cancel_series import CancelSeries
from tests.factories.orders import put_in_series
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import change_status, create_order
from tests.support.problems import code_of

GATE = 77


async def canceled_pair(conn: Connection, race: RaceFixture, staff: list[UUID], slot: int) -> UUID:
    lines = [race.service_line(staff_id) for staff_id in staff]
    placed = await create_order(conn, race.tenant, race.order_request(*lines, slot=slot))
    await change_status(conn, race.tenant, placed.id, SettableStatus.CANCELED, None, SYSTEM)
    return placed.id


async def both_come_back(locks: LockFixture, race: RaceFixture) -> list[str]:
    """Two orders want both providers for one hour, in opposite orders; a gate stands before each second booking.

    The first order has them one after the other. The second is moved onto the same hour, so that each order's first
    booking stands in the way of the other's second.
    """
    one = await canceled_pair(locks.command, race, race.staff, slot=0)
    other = await canceled_pair(locks.command, race, race.staff[::-1], slot=4)
    await locks.command.execute(
        "UPDATE bookings SET during = tstzrange($2::timestamptz, $2 + interval '1 hour'),"
        " busy = tstzrange($2::timestamptz, $2 + interval '1 hour') WHERE order_id = ANY($1)",
        [one, other],
        race.start(),
    )
    await locks.command.execute("CLUSTER bookings USING bookings_reference_unique")  # an update takes them as they lie
    await locks.command.execute(
        f"""
        CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock_shared({GATE}); RETURN NEW; END $$;
        CREATE TRIGGER gate BEFORE UPDATE ON bookings FOR EACH ROW WHEN (NEW.reference LIKE '%-2')
            EXECUTE FUNCTION gate()
        """
    )
    async with locks.holding(f"SELECT pg_advisory_xact_lock({GATE})"):
        both = [
            asyncio.create_task(change_status(w, race.tenant, o, SettableStatus.CONFIRMED, None, SYSTEM))
            for w, o in zip(locks.writers, [one, other], strict=True)
        ]
    outcomes = await asyncio.gather(*both, return_exceptions=True)
    return [code_of(outcome) for outcome in outcomes if isinstance(outcome, Problem)]


@pytest.mark.parametrize(
    ("locked", "refusal", "deadlocks"),
    [(True, Code.TIMESLOT_UNAVAILABLE, 0), (False, Code.AVAILABILITY_CHECK_FAILED, 1)],
)
async def test_two_orders_with_the_same_providers_in_opposite_orders(
    empty_dsn: str, locked: bool, refusal: Code, deadlocks: int
) -> None:
    """With the providers locked by id the later one learns that the time is taken; without, they deadlock."""
    race = await open_race_fixture(empty_dsn, providers=2)
    async with open_lock_fixture(empty_dsn, unlocked=not locked) as locks:
        assert await both_come_back(locks, race) == [refusal]
    assert await count_deadlocks(empty_dsn) == deadlocks


async def count_deadlocks(dsn: str) -> int:
    async with open_lock_fixture(dsn) as after:
        await after.command.execute("SELECT pg_stat_force_next_flush()")
        query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        found: int = await after.command.fetchval(query)
        return found


async def test_a_new_order_locks_its_provider_before_it_takes_a_number(empty_dsn: str) -> None:
    """Until then other writers of the tenant do not wait for it."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff, waiting=1):
            creating = asyncio.create_task(create_order(writer, race.tenant, race.order_request(race.service_line())))
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM tenant_counters FOR NO KEY UPDATE NOWAIT")
        await creating


async def test_canceling_a_series_locks_all_products_before_a_counter(empty_dsn: str) -> None:
    """A sale locks its product and then the counter: the other way around, both would wait for each other."""
    race = await open_race_fixture(empty_dsn)
    products = [await race.add_product(stock=5) for _ in range(2)]
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        orders = []
        for slot, product_id in enumerate(products):
            lines = [race.service_line(), OrderLineRequest(product_id, LineType.PRODUCT, 1, None)]
            orders.append((await create_order(writer, race.tenant, race.order_request(*lines, slot=slot))).id)
        await put_in_series(race.shop, *orders)
        cancellation = run(writer, race.tenant, CancelSeries(orders[0], following=True), actor=SYSTEM)
        async with locks.holding("SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", products[1], waiting=1):
            canceling = asyncio.create_task(cancellation)
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM tenant_counters FOR NO KEY UPDATE NOWAIT")
        await canceling
        canceled = "SELECT count(*) FROM orders WHERE id = ANY($1) AND status = 'canceled'"
        assert await witness.fetchval(canceled, orders) == 2


@pytest.mark.parametrize(("in_order", "deadlocks"), [(True, 0), (False, 1)])
async def test_a_booking_with_a_product_and_a_sale_of_it(empty_dsn: str, in_order: bool, deadlocks: int) -> None:
    """A sale locks its product and then the counter. A booking that takes the counter first waits for it forever."""
    race = await open_race_fixture(empty_dsn)
    product = OrderLineRequest(await race.add_product(stock=5), LineType.PRODUCT, 1, None)
    booking = BookingRequest(race.order_request(race.service_line(), product))
    async with open_lock_fixture(empty_dsn) as locks:
        if not in_order:
            await change_function(locks.command, "book_orders", "AND id = ANY (v_products)", "AND false")
        book = run(locks.writers[0], race.tenant, BookOrders(booking, uuid4()), actor=SYSTEM)
        sell = create_order(locks.writers[1], race.tenant, race.order_request(product))
        async with locks.holding("SELECT FROM tenant_counters WHERE name = 'order_number' FOR NO KEY UPDATE"):
            first = asyncio.create_task(book)
            await locks.until_waiting(1)
            both = [first, asyncio.create_task(sell)]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
    assert len([outcome for outcome in outcomes if isinstance(outcome, Exception)]) == deadlocks
    assert await count_deadlocks(empty_dsn) == deadlocks


async def test_a_draft_that_is_confirmed_locks_its_provider_before_its_customer(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    order = race.order_request(race.service_line())
    async with open_lock_fixture(empty_dsn) as locks:
        writer, witness = locks.writers
        draft_id = (await create_order(writer, race.tenant, order._replace(draft=True))).id
        confirmation = run(writer, race.tenant, ChangeDraft(draft_id, order), actor=SYSTEM)
        async with locks.holding("SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE", race.staff, waiting=1):
            confirming = asyncio.create_task(confirmation)
            await locks.until_waiting(1)
            await witness.execute("SELECT FROM customers WHERE id = $1 FOR UPDATE NOWAIT", race.customer_id)
        await confirming
