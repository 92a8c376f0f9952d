"""Events under fire: numbered without a gap, none of a change that was taken back, and nobody waits in a circle."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg

from frontdesk.customers.queries import emit_customers_updated
from frontdesk.errors import WireError
from frontdesk.orders.create import create_order
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection, Write, connect
from frontdesk.webhooks.queries import delete_webhook
from tests.races.conftest import OpenYard
from tests.races.fixture import Yard, open_yard, statuses
from tests.races.unlocked import Bench, open_bench
from tests.support.subscriber import subscriber


async def last_sequence(yard: Yard) -> int:
    (row,) = await yard.shop.sql("SELECT coalesce(max(sequence), 0) AS last FROM events WHERE tenant_id = $1")
    last: int = row["last"]
    return last


async def test_fifty_writers_and_their_failures_leave_no_gap(new_yard: OpenYard) -> None:
    """Refused before the number, after it, in a retry's transaction: only what was made is told, each once."""
    yard = await new_yard(providers=3)
    product = OrderLineRequest(await yard.add_product(stock=12), LineType.PRODUCT, 1)
    requests = [
        *[yard.order(yard.service_line(), paid=100) for _ in range(12)],
        *[yard.order(yard.service_line(), product, slot=1, key=f"key-{n}") for n in range(12)],
        *[yard.order(product, paid=5, key=f"key-{n}") for n in range(6, 18)],
        *[yard.order(product, product) for _ in range(8)],
        *[yard.order(product, paid=11) for _ in range(6)],
    ]
    answers = await yard.rush(requests)
    assert set(statuses(answers)) == {201, 422}
    assert await yard.broken() == []
    (row,) = await yard.shop.sql("SELECT count(*) FROM events WHERE tenant_id = $1 AND type = 'order.created'")
    made = {a.json()["data"]["id"] for a in answers if a.status_code == 201}
    assert row["count"] == len(made) > 6
    assert await last_sequence(yard) > len(made)


async def test_what_is_rolled_back_is_not_told(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        writer, other = bench.writers
        taken_back = writer.transaction()
        await taken_back.start()
        await create_order(writer, yard.tenant, yard.asked(yard.service_line()))
        waiting = asyncio.create_task(create_order(other, yard.tenant, yard.asked(yard.service_line(), slot=1)))
        await bench.until_waiting(1)
        await taken_back.rollback()
        placed = await waiting
    told = await yard.shop.sql("SELECT sequence, data -> 'order' ->> 'id' AS id FROM events WHERE tenant_id = $1")
    assert [(row["sequence"], row["id"]) for row in told] == [(1, str(placed.id))]


async def test_numbers_of_a_sequence_would_have_gaps(empty_dsn: str) -> None:
    """The counter's row is what is rolled back with the change; a sequence would not be."""
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        await bench.command.execute(
            """
            CREATE SEQUENCE numbers;
            CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN NEW.sequence := nextval('numbers'); RETURN NEW; END $$;
            CREATE TRIGGER number_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION number_event()
            """
        )
        taken_back = bench.command.transaction()
        await taken_back.start()
        await create_order(bench.command, yard.tenant, yard.asked(yard.service_line()))
        await taken_back.rollback()
        await create_order(bench.command, yard.tenant, yard.asked(yard.service_line()))
    assert any(told.startswith("events are numbered from 1 without a gap") for told in await yard.broken())


class Careless(Connection):
    """Places orders without holding the customer beforehand."""

    async def write(self, write: Write, *args: object) -> Any:
        held = "FOR KEY SHARE\n        ), "
        assert held in write.parts
        return await super().write(write._replace(parts=write.parts.replace(held, "\n        ), ")), *args)


async def phone_changes_while_ordering(bench: Bench, yard: Yard) -> list[object]:
    """The phone is part of a unique key, so that the customer's row is locked against foreign keys too.

    Who changes it numbers the event last, as everybody does, at a moment when the order waits for the customer.
    """
    async with bench.command.transaction():
        await bench.command.execute(
            "UPDATE customers SET phone = '+966500000001' WHERE tenant_id = $1 AND id = $2",
            yard.tenant_id,
            yard.customer_id,
        )
        placing = asyncio.create_task(create_order(bench.writers[0], yard.tenant, yard.asked(yard.service_line())))
        await bench.until_waiting(1)
        telling = emit_customers_updated(bench.command, yard.tenant_id, [yard.customer_id])
        told = await asyncio.gather(telling, return_exceptions=True)
    return [*told, *await asyncio.gather(placing, return_exceptions=True)]


async def test_a_buyer_is_held_before_events_are_numbered(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn) as bench:
        outcomes = await phone_changes_while_ordering(bench, yard)
    assert not [one for one in outcomes if isinstance(one, BaseException)]
    told = await yard.shop.sql(
        """
        SELECT type, data -> 'order' -> 'customer' ->> 'phone' AS phone FROM events
        WHERE tenant_id = $1 ORDER BY sequence
        """
    )
    assert [row["type"] for row in told] == ["customer.updated", "order.created"]
    assert told[1]["phone"] == "+966500000001"


async def test_a_buyer_held_too_late_is_a_deadlock(empty_dsn: str) -> None:
    yard = await open_yard(empty_dsn)
    async with open_bench(empty_dsn, Careless) as bench:
        outcomes = await phone_changes_while_ordering(bench, yard)
    assert [one for one in outcomes if isinstance(one, WireError | asyncpg.DeadlockDetectedError)], outcomes


async def test_a_webhook_deleted_meanwhile_is_not_told(new_yard: OpenYard) -> None:
    """The one who tells waits for the deletion and then leaves it out, rather than fail at the foreign key."""
    yard = await new_yard()
    app = await subscriber(yard.shop)
    gone, stays = await app.subscribe(), await app.subscribe()
    raw = [await connect(yard.shop.dsn) for _ in range(2)]
    deleter, placer = (Connection(one) for one in raw)
    try:
        async with deleter.transaction():
            await delete_webhook(deleter, yard.tenant_id, app.client.id, UUID(gone["id"]))
            placing = asyncio.create_task(create_order(placer, yard.tenant, yard.asked(yard.service_line())))
            await asyncio.sleep(0.2)
            assert not placing.done()
        await placing
    finally:
        for one in raw:
            await one.close()
    sent = await yard.shop.sql("SELECT webhook_id FROM webhook_deliveries WHERE tenant_id = $1")
    assert [str(row["webhook_id"]) for row in sent] == [stays["id"]]
