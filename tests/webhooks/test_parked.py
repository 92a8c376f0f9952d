"""What waits for a dead webhook costs those that live nothing, and is sent when the webhook lives again."""

from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from frontdesk.postgres.pool import Connection, connect
from frontdesk.server.worker import CHANNEL, QUEUE_SETTINGS
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.delivery_queries import claim_deliveries
from frontdesk.webhooks.parking_queries import park_deliveries, put_back_deliveries
from tests.factories.webhooks import disable_copies
from tests.support.servers.receiver import receiving
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.webhooks.fixture import WebhookFixture, emit_events, make_webhook, running_worker, wait_for_state

FEW, MANY = 40, 400


class Counting(Connection):
    """Explains the claim in place of running it, and counts the rows that its parts read."""

    def __init__(self, raw: "asyncpg.Connection[Any]") -> None:
        super().__init__(raw)
        self.raw = raw
        self.rows = 0.0

    async def fetch(self, sql: str, *args: object) -> Any:
        text = await self.raw.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", *args)
        self.rows = _rows(msgspec.json.decode(text)[0]["Plan"])
        return []


def _rows(plan: dict[str, Any]) -> float:
    read = (plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)) * plan["Actual Loops"]
    return float(read + sum(_rows(part) for part in plan.get("Plans", [])))


async def _rows_of_claim(raw: "asyncpg.Connection[Any]") -> float:
    conn = Counting(raw)
    undone = raw.transaction()
    await undone.start()
    await claim_deliveries(conn, uuid7(), limit=10, max_in_flight=16, skipped=[])
    await undone.rollback()
    return conn.rows


async def _add_dead(hook: WebhookFixture, count: int) -> None:
    """Webhooks that are switched off, with a delivery each."""
    await emit_events(hook)
    await disable_copies(hook.shop, hook.id, count)


async def test_a_claim_reads_no_more_for_more_disabled_webhooks(empty_dsn: str) -> None:
    """In a database of its own: what other tests leave in the queue would be counted too."""
    raw = await connect(empty_dsn, settings=QUEUE_SETTINGS)
    async with running_service(empty_dsn) as service:
        hook, _ = await make_webhook(await service.new_shop(), "http://127.0.0.1:1025/"), await service.new_shop()
    await _add_dead(hook, FEW)
    unparked = await _rows_of_claim(raw)
    await park_deliveries(Connection(raw))
    few = await _rows_of_claim(raw)
    await _add_dead(hook, MANY)
    await park_deliveries(Connection(raw))
    count = await _rows_of_claim(raw)
    assert unparked > few
    assert count < few + MANY / 2
    await raw.close()


async def test_parked_deliveries_are_sent_when_the_webhook_is_enabled_again(service: Service, other_shop: Shop) -> None:
    raw = await connect(service.dsn)
    async with receiving() as receiver:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await hook.change("disabled_at = now()")
        await emit_events(hook, 3)
        await park_deliveries(Connection(raw))
        assert {row["parked"] for row in await hook.deliveries()} == {True}
        await put_back_deliveries(Connection(raw))
        assert {row["parked"] for row in await hook.deliveries()} == {True}
        async with running_worker(service.dsn):
            await hook.change("disabled_at = NULL")
            await wait_for_state(hook, count=3)
    assert len(receiver.received) == 3
    await raw.close()


async def test_an_order_sends_no_notification_through_the_database(service: Service, other_shop: Shop) -> None:
    """With a webhook or without one: NOTIFY makes the commits of all businesses wait for each other."""
    notified: list[object] = []
    raw = await connect(service.dsn)
    await raw.add_listener(CHANNEL, lambda *heard: notified.append(heard))
    own = await service.new_shop()
    hook = await make_webhook(own, "http://127.0.0.1:1025/")
    for one in (own, await service.new_shop()):
        answer = await one.post("/customers", {"first_name": "Joud"})
        assert answer.status_code == 201
    assert len(await hook.deliveries()) == 1
    await raw.execute("SELECT 1")  # earlier notices have arrived with this answer
    assert not notified
    await own.request("PATCH", f"/webhooks/{UUID(str(hook.id))}", json={"active": False})
    await raw.close()
