"""What operators see of the queue, and what is thrown away in time."""

import asyncio
import re

from frontdesk.postgres.pool import Pool
from frontdesk.server.cleanup import run_cleanup
from frontdesk.server.metrics import MetricsSource
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.shop import Shop
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_attempts, wait_for_state


async def gauge(service: Service, name: str) -> float:
    text = (await asyncio.to_thread(MetricsSource(service.dsn).read)).decode()
    (value,) = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.M)
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
    await hook.shop.sql("UPDATE webhook_deliveries SET due_at = now() - interval '9 years' WHERE tenant_id = $1")
    assert await gauge(service, "frontdesk_deliveries_oldest_seconds") > 8 * 365 * 86_400
    await hook.shop.sql("UPDATE webhook_deliveries SET due_at = now() + interval '1 day' WHERE tenant_id = $1")
    assert await gauge(service, "frontdesk_deliveries_oldest_seconds") < 8 * 365 * 86_400


async def test_the_queue_that_is_to_be_sent_is_without_disabled_webhooks(service: Service) -> None:
    hook = await make_webhook(await service.new_shop(), "http://127.0.0.1:9/")
    await emit_events(hook, 1)
    await hook.shop.sql("UPDATE webhook_deliveries SET due_at = now() - interval '9 years' WHERE tenant_id = $1")
    oldest = 'frontdesk_queue_oldest_seconds{queue="webhooks"}'
    assert await gauge(service, oldest) > 8 * 365 * 86_400
    await hook.shop.sql("UPDATE webhook_deliveries SET parked = true WHERE tenant_id = $1")
    assert await gauge(service, oldest) < 8 * 365 * 86_400
    await hook.shop.sql("UPDATE webhook_deliveries SET due_at = now() + interval '1 day' WHERE tenant_id = $1")


async def test_attempts_are_kept_for_thirty_days(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook, 2)
        await wait_for_state(hook, count=2)
    old, young = await wait_for_attempts(hook, 2)
    for attempt, age in ((old, "31 days"), (young, "29 days")):
        await hook.shop.sql(
            f"UPDATE webhook_attempts SET attempted_at = now() - interval '{age}' WHERE tenant_id = $1 AND id = $2",
            attempt["id"],
        )
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    assert [one["id"] for one in await hook.attempts()] == [young["id"]]
    assert len(await hook.deliveries()) == 2
