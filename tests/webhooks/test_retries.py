"""What is done when a receiver does not take an event: again, later, and at last not any more."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from frontdesk.webhooks.retries import DELAYS, next_delay, read_retry_after
from tests.factories.changes import change_rows
from tests.support.servers.receiver import receiving, respond_with
from tests.support.service import Service
from tests.support.waiting import eventually
from tests.webhooks.fixture import (
    WebhookFixture,
    emit_events,
    let_worker_take_a_turn,
    make_webhook,
    running_worker,
    wait_for_attempts,
    wait_for_state,
)

pytestmark = pytest.mark.both_servers


def test_the_plan_of_retries_lasts_three_days_and_spreads_by_a_tenth() -> None:
    assert DELAYS == (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
    for attempts, planned in enumerate(DELAYS, 1):
        delays = [next_delay(attempts, None) or 0 for _ in range(300)]
        assert planned * 0.9 <= min(delays) < planned * 0.95 < planned * 1.05 < max(delays) <= planned * 1.1
    assert next_delay(len(DELAYS) + 1, None) is None


def test_retry_after_makes_the_wait_longer_never_shorter_and_a_day_at_most() -> None:
    assert 4.5 <= (next_delay(1, 2.0) or 0) <= 5.5
    assert next_delay(1, 60.0) == 60.0
    assert next_delay(1, float("inf")) == 86_400
    assert next_delay(len(DELAYS) + 1, 60.0) is None


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0), ("120", 120), (" 7 ", 7), ("-5", None), ("1.5", None), ("soon", None), ("", None), (None, None)],
)
def test_retry_after_is_a_number_or_a_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value) == seconds


def test_retry_after_as_a_date_is_counted_from_now() -> None:
    later = datetime.now(UTC) + timedelta(seconds=100)
    assert 40 < (read_retry_after(format_datetime(later, usegmt=True)) or 0) <= 100
    assert read_retry_after(format_datetime(later - timedelta(hours=1), usegmt=True)) == 0
    assert read_retry_after("9" * 30) == float("inf")


async def waits_for(hook: WebhookFixture, least: float, most: float) -> bool:
    """Whether so many seconds lie between the last attempt and the next one; the result is recorded between them."""
    (delivery,), attempts = await hook.deliveries(), await hook.attempts()
    due_at: datetime = delivery["due_at"]
    since_attempt = (due_at - attempts[-1]["attempted_at"]).total_seconds()
    return bool(since_attempt >= least) and (due_at - datetime.now(UTC)).total_seconds() <= most


async def test_a_failed_delivery_is_sent_again_by_the_plan_until_it_is_given_up(service: Service) -> None:
    async with receiving(respond_with(500, b"broken")) as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        for number, planned in enumerate(DELAYS, 1):
            await wait_for_attempts(hook, number)
            assert await waits_for(hook, planned * 0.9, planned * 1.1)
            await hook.make_due()
            worker.wake()
        (delivery,) = await wait_for_state(hook, "dead")
    assert delivery["attempts"] == len(DELAYS) + 1 == len(receiver.received)
    assert len({received.id for received in receiver.received}) == 1
    assert {one["response_body"] for one in await hook.attempts()} == {"broken"}


async def test_the_first_retry_comes_by_itself_after_five_seconds(service: Service) -> None:
    async with receiving(respond_with(503)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await receiver.wait_for(1)
        receiver.behave = respond_with(200)
        first, second = await receiver.wait_for(2)
        await wait_for_state(hook)
    assert second.at - first.at > 4.3
    assert first.id == second.id
    assert (await hook.row())["failing_since"] is None


async def test_a_receiver_that_asks_for_a_rest_is_left_alone_by_all_its_deliveries(service: Service) -> None:
    async with receiving(respond_with(429, retry_after="600")) as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await wait_for_attempts(hook)
        assert await waits_for(hook, 600, 600)
        await eventually(lambda: hook.shop.sql("SELECT FROM webhooks WHERE tenant_id = $1 AND paused_until > now()"))
        await emit_events(hook, 5)
        await let_worker_take_a_turn(service)
        assert len(receiver.received) == 1
        receiver.behave = respond_with(200)
        await hook.change("paused_until = now()")
        worker.wake()
        await wait_for_state(hook, count=5)
    row = await hook.row()
    assert (row["failing_since"], row["paused_until"]) == (None, None)


async def test_410_disables_the_webhook_and_loses_no_events(service: Service) -> None:
    async with receiving(respond_with(410, b"bye")) as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await eventually(lambda: hook.shop.sql("SELECT FROM webhooks WHERE tenant_id = $1 AND disabled_at IS NOT NULL"))
        await emit_events(hook)
        await hook.make_due()
        worker.wake()
        await let_worker_take_a_turn(service)
        assert len(receiver.received) == 1
        row = await hook.row()
        assert json.loads(row["disabled_reason"]) == {"kind": "GONE"}
        assert [one["state"] for one in await hook.deliveries()] == ["due", "due"]
        receiver.behave = respond_with(200)
        await hook.change("disabled_at = NULL, disabled_reason = NULL, failing_since = NULL")
        worker.wake()
        await wait_for_state(hook, count=2)


@pytest.mark.parametrize(("days", "off"), [(5.1, True), (4.9, False)])
async def test_a_webhook_is_disabled_after_five_days_of_failures(service: Service, days: float, off: bool) -> None:
    async with receiving(respond_with(500)) as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await wait_for_attempts(hook)
        await eventually(lambda: _failing(hook))
        await hook.change("failing_since = now() - make_interval(secs => $3)", days * 86_400)
        await hook.make_due()
        worker.wake()
        await wait_for_attempts(hook, 2)
    row = await hook.row()
    assert (row["disabled_at"] is not None) == off
    assert json.loads(row["disabled_reason"] or "null") == ({"kind": "NOTHING_ARRIVED", "days": 5} if off else None)


async def _failing(hook: WebhookFixture) -> list[Any]:
    return await hook.shop.sql("SELECT FROM webhooks WHERE tenant_id = $1 AND failing_since IS NOT NULL")


async def test_a_delivery_can_be_sent_again_by_hand_whatever_came_of_it(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await wait_for_state(hook)
        for state in ("delivered", "dead"):
            seen = len(receiver.received)
            await change_rows(hook.shop, "webhook_deliveries", state=state, attempts=10)
            await change_rows(hook.shop, "webhook_deliveries", state="due", due_at=datetime.now(UTC))
            worker.wake()
            await receiver.wait_for(seen + 1)
            await wait_for_state(hook)
        receiver.behave = respond_with(500)
        await change_rows(hook.shop, "webhook_deliveries", state="due", due_at=datetime.now(UTC))
        worker.wake()
        await wait_for_state(hook, "dead")
    assert len(set(receiver.ids())) == 1
