"""Many events, many receivers, many workers: nobody waits for another, and nothing is sent twice or lost."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from frontdesk.postgres.pool import Connection
from tests.support.connections import pooled_connection
from tests.support.servers.receiver import Receiver, hang, receiving, respond_with
from tests.support.service import Service, running_service
from tests.support.waiting import eventually
from tests.webhooks.fixture import (
    emit_events,
    let_worker_take_a_turn,
    make_webhook,
    running_worker,
    wait_for_attempts,
    wait_for_state,
)

pytestmark = pytest.mark.both_servers


async def test_workers_share_a_queue_and_send_nothing_twice(service: Service) -> None:
    shop, other = await service.new_shop(), await service.new_shop()
    async with (
        receiving() as receiver,
        running_worker(service.dsn),
        running_worker(service.dsn),
        running_worker(service.dsn),
    ):
        hooks = [await make_webhook(one, receiver.url) for one in (shop, shop, other)]
        for _ in range(10):
            await emit_events(hooks[:2], 20)
            await emit_events(hooks[2], 20)
        for hook in hooks:
            await wait_for_state(hook, count=200)
    assert len(receiver.received) == 600
    assert Counter(Counter(receiver.ids()).values()) == {2: 200, 1: 200}
    for hook in hooks:
        assert {one["attempts"] for one in await hook.deliveries()} == {1}


async def test_at_most_sixteen_deliveries_of_a_webhook_are_in_flight(service: Service) -> None:
    go_on = asyncio.Event()

    async def wait(_receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        await go_on.wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiving(wait) as receiver, running_worker(service.dsn), running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook, 100)
        await receiver.wait_for(16)
        await let_worker_take_a_turn(service)
        go_on.set()
        await wait_for_state(hook, count=100)
    assert receiver.max_in_flight == 16


async def test_webhooks_that_hang_or_fail_do_not_delay_others(service: Service) -> None:
    """The bad ones have their events first, more of them than a worker sends at once."""
    shop, other = await service.new_shop(), await service.new_shop()
    async with receiving(hang) as silent, receiving(respond_with(500)) as broken, receiving() as healthy:
        bad = [await make_webhook(shop, one.url) for one in (silent, silent, silent, broken, broken)]
        good = [await make_webhook(shop, healthy.url), await make_webhook(other, healthy.url)]
        await emit_events(bad, 400)
        async with running_worker(service.dsn):
            await silent.wait_for(3 * 16)
            for number in range(1, 6):
                for hook in good:
                    await emit_events(hook, 10)
                await healthy.wait_for(20 * number)
            for hook in bad[:3]:
                assert sum(one["lease"] is not None for one in await hook.deliveries()) <= 16
            await broken.wait_for(32)
            for hook in good:
                await wait_for_state(hook, count=50)


async def test_a_failing_webhook_gets_one_delivery_at_a_time(service: Service) -> None:
    go_on = asyncio.Event()
    go_on.set()

    async def fail(_receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        await go_on.wait()
        writer.write(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n")

    async with receiving(fail) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await wait_for_attempts(hook)
        await eventually(
            lambda: hook.shop.sql("SELECT FROM webhooks WHERE tenant_id = $1 AND failing_since IS NOT NULL")
        )
        go_on.clear()
        await emit_events(hook, 30)
        await receiver.wait_for(2)
        await let_worker_take_a_turn(service)
        go_on.set()
        await receiver.wait_for(20)
        assert receiver.max_in_flight == 1
        receiver.behave = respond_with(200)
        await wait_for_state(hook, count=5)


async def test_a_business_with_many_webhooks_takes_turns_with_one_that_has_few(
    service: Service, conn: Connection
) -> None:
    big, small = await service.new_shop(), await service.new_shop()
    order: list[str] = []

    async def note(_receiver: Receiver, received: Any, writer: asyncio.StreamWriter) -> None:
        order.append(str(received.event["tenant_id"]))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiving(note) as receiver:
        many = [await make_webhook(big, receiver.url) for _ in range(20)]
        few = await make_webhook(small, receiver.url)
        await emit_events(many, 16)
        await emit_events(few, 16)
        async with running_worker(service.dsn):
            await wait_for_state(few, count=16)
            for hook in many:
                await wait_for_state(hook, count=16)
    assert len(order) == 21 * 16
    # In the order of the events the small business would be last. How much earlier it is depends on the machine.
    assert max(place for place, tenant in enumerate(order) if tenant == str(small.tenant_id)) < len(order) * 3 // 4


async def test_the_queue_is_never_read_whole_however_long_it_gets(empty_dsn: str) -> None:
    """The first look is at an empty queue, when reading all of it would be cheapest, and plans are kept.

    In a database of its own, where nobody else has counts of what they read still to tell.
    """

    async def rows_read() -> int:
        await asyncio.sleep(1.2)  # a server process tells its counts once a second
        return int(
            await raw.fetchval("SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'webhook_deliveries'")
        )

    async with running_service(empty_dsn) as service, pooled_connection(empty_dsn) as raw, receiving(hang) as silent:
        shop = await service.new_shop()
        await raw.execute("VACUUM ANALYZE")
        async with receiving() as healthy, running_worker(empty_dsn):
            stuck, hook = await make_webhook(shop, silent.url), await make_webhook(shop, healthy.url)
            await emit_events(stuck, 5000)
            await silent.wait_for(16)
            before = await rows_read()
            for number in range(1, 11):
                await emit_events(hook, 10)
                await healthy.wait_for(number * 10)
            assert await rows_read() - before < 1000
