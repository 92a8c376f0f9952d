"""How much a worker has out: what only waits leaves room for what is quick."""

import time
from datetime import UTC, datetime
from uuid import UUID, uuid4

from frontdesk.webhooks.delivery_queries import Claimed
from frontdesk.webhooks.in_flight import InFlightLimiter

QUICK = 0.05


def delivery(webhook_id: UUID) -> Claimed:
    now = datetime.now(UTC)
    return Claimed(
        tenant_id=uuid4(),
        id=uuid4(),
        lease=uuid4(),
        webhook_id=webhook_id,
        attempts=0,
        url="",
        secret=b"",
        previous_secret=None,
        failing_since=None,
        scopes=frozenset(),
        event_id=uuid4(),
        type="webhook.ping",
        sequence=1,
        data="{}",
        created_at=now,
    )


def test_what_is_out_for_long_no_longer_counts_against_what_goes_out() -> None:
    slots = InFlightLimiter(young=4, total=10, quick=QUICK)
    for _ in range(3):
        slots.take(delivery(uuid4()))
    assert slots.free() == 1
    time.sleep(QUICK * 1.5)
    assert slots.free() == 4
    for _ in range(4):
        slots.take(delivery(uuid4()))
    assert slots.free() == 0
    time.sleep(QUICK * 1.5)
    assert slots.free() == 3


def test_when_half_of_all_waits_the_slow_ones_are_passed_over() -> None:
    slots = InFlightLimiter(young=10, total=6, quick=QUICK)
    slow, known, quick = uuid4(), uuid4(), uuid4()
    earlier = delivery(known)
    slots.take(earlier)
    waiting = [delivery(slow) for _ in range(3)]
    for one in waiting:
        slots.take(one)
    fine = delivery(quick)
    slots.take(fine)
    slots.release(fine)
    assert slots.webhooks_to_skip() == set()
    time.sleep(QUICK * 1.5)
    slots.release(earlier)
    assert slots.webhooks_to_skip() == {slow, known}
    slots.release(waiting.pop())
    assert slots.webhooks_to_skip() == set()
    again = delivery(known)
    slots.take(again)
    slots.release(again)
    for one in (delivery(uuid4()), delivery(uuid4())):
        slots.take(one)
    time.sleep(QUICK * 1.5)
    assert slow in slots.webhooks_to_skip()
    assert known not in slots.webhooks_to_skip()
