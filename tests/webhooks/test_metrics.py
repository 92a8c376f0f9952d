"""What operators see of the queue, and what is thrown away in time."""

import asyncio
import re

from frontdesk.postgres.pool import Pool
from frontdesk.server.cleanup import run_cleanup
from frontdesk.server.metrics import MetricsSource
from tests.factories.changes import ago, ahead, change_row, change_rows
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_attempts, wait_for_state


async def gauge(service: Service, name: str) -> float:
    """The database has a second for its answer, in which a busy machine may not run it."""

    async def look() -> list[str]:
        text = (await asyncio.to_thread(MetricsSource(service.dsn).read)).decode()
        return re.findall(rf"^{re.escape(name)} (\S+)$", text, re.M)

    (value,) = await eventually(look)
    return float(value)


async def due(shop: Shop) -> int:
    """Of every business: what other tests have left comes due meanwhile."""
    (row,) = await shop.sql(
        """
        SELECT count(*) AS count FROM webhook_deliveries
        WHERE queue_webhook_id IS NOT NULL AND due_at <= now() AND $1::uuid IS NOT NULL
        """
    )
    count: int = row["count"]
    return count


async def test_the_depth_of_the_queue_and_its_age_are_measured(service: Service) -> None:
    hook = await make_webhook(await service.new_shop(), "http://127.0.0.1:9/")
    await emit_events(hook, 7)
    least, reported = await due(hook.shop), await gauge(service, "frontdesk_deliveries_due")
    assert 7 <= least <= reported <= await due(hook.shop)
    await change_rows(hook.shop, "webhook_deliveries", due_at=ago(days=3285))
    assert await gauge(service, "frontdesk_deliveries_oldest_seconds") > 8 * 365 * 86_400
    await change_rows(hook.shop, "webhook_deliveries", due_at=ahead(days=1))
    assert await gauge(service, "frontdesk_deliveries_oldest_seconds") < 8 * 365 * 86_400


async def test_the_queue_that_is_to_be_sent_is_without_disabled_webhooks(service: Service) -> None:
    hook = await make_webhook(await service.new_shop(), "http://127.0.0.1:9/")
    await emit_events(hook, 1)
    await change_rows(hook.shop, "webhook_deliveries", due_at=ago(days=3285))
    oldest = 'frontdesk_queue_oldest_seconds{queue="webhooks"}'
    assert await gauge(service, oldest) > 8 * 365 * 86_400
    await change_rows(hook.shop, "webhook_deliveries", parked=True)
    assert await gauge(service, oldest) < 8 * 365 * 86_400
    await change_rows(hook.shop, "webhook_deliveries", due_at=ahead(days=1))


async def test_attempts_are_kept_for_thirty_days(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook, 2)
        await wait_for_state(hook, count=2)
    old, young = await wait_for_attempts(hook, 2)
    for attempt, days in ((old, 31), (young, 29)):
        await change_row(hook.shop, "webhook_attempts", attempt["id"], attempted_at=ago(days=days))
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    assert [one["id"] for one in await hook.attempts()] == [young["id"]]
    assert len(await hook.deliveries()) == 2
