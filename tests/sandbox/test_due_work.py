"""What is due when the clock of a sandbox is moved happens: reminders and retries, of this business only."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from frontdesk.config import Settings
from frontdesk.security.encryption import SecretBox
from frontdesk.server.worker import sending_messages
from tests.factories.changes import change_row
from tests.sandbox.conftest import Advance, from_now
from tests.support.branch import day, line, local, open_branch, start
from tests.support.pagination import json_exact
from tests.support.servers.receiver import receiving, respond_with
from tests.support.service import SECRET_KEYS, Service
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_attempts, wait_for_state


async def test_a_reminder_goes_out_when_its_time_has_come(own_shop: Shop, advance: Advance) -> None:
    """Booked for in five days, reminded a day before; kept, because there is no mail server."""
    hair = await open_branch(own_shop)
    await change_row(own_shop, "customers", hair.customer_id, email="sara.o@example.com", first_name="Sara")
    cut = await hair.add_service(duration=30)
    await hair.add_provider(cut)
    await hair.place(line(cut), start=start(day(5), "12:00"))

    async def reminders() -> list[Any]:
        return await own_shop.sql(
            "SELECT finished_at FROM messages WHERE tenant_id = $1 AND kind = 'reminder' AND state = 'kept'"
        )

    settings = Settings(Path("unused"), origin=own_shop.origin)
    async with sending_messages(settings, own_shop.dsn, SecretBox(SECRET_KEYS)):
        await advance("P2D")
        assert await reminders() == []
        now = local(day(4), "18:00")
        json_exact(await own_shop.post("/sandbox/clock", {"now": now.isoformat()}))
        (sent,) = await eventually(reminders)
    assert timedelta(0) <= sent["finished_at"] - now < timedelta(hours=1)


async def test_a_failed_webhook_is_tried_again_when_its_time_has_come(
    service: Service, own_shop: Shop, advance: Advance
) -> None:
    async with receiving(respond_with(500)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(own_shop, receiver.url)
        await advance("PT1H")
        await emit_events(hook)
        for tries in (1, 2, 3, 4):
            await wait_for_attempts(hook, tries)
            await advance("P1D")
        receiver.behave = respond_with(200)
        await advance("P1D")
        await wait_for_state(hook)
        attempts = await hook.attempts()
        assert abs(from_now(attempts[-1]["attempted_at"]) - timedelta(days=len(attempts) - 1)) < timedelta(days=2)
        stamps = [int(received.headers["webhook-timestamp"]) for received in receiver.received]
        assert max(stamps) - min(stamps) < 600  # signatures are checked against the receiver's own clock


async def test_others_are_delivered_at_the_real_time(service: Service, own_shop: Shop, advance: Advance) -> None:
    async with receiving(respond_with(500)) as receiver, running_worker(service.dsn):
        other = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(other)
        await wait_for_attempts(other)
        await advance("P9D")
        hook = await make_webhook(own_shop, receiver.url)
        await emit_events(hook)
        await wait_for_attempts(hook)
        (waiting,) = await other.deliveries()
        assert from_now(waiting["due_at"]) < timedelta(hours=1)
        assert waiting["attempts"] <= 2
