"""How much a worker has out: what only waits leaves room for what is quick."""

import time
from datetime import UTC, datetime
from uuid import UUID, uuid4

from frontdesk.webhooks.delivery_queries import Claimed
from frontdesk.webhooks.in_flight import InFlightLimiter

SLOW_AFTER = 0.05


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
    limiter = InFlightLimiter(recent=4, total=10, slow_after=SLOW_AFTER)
    for _ in range(3):
        limiter.take(delivery(uuid4()))
    assert limiter.free() == 1
    time.sleep(SLOW_AFTER * 1.5)
    assert limiter.free() == 4
    for _ in range(4):
        limiter.take(delivery(uuid4()))
    assert limiter.free() == 0
    time.sleep(SLOW_AFTER * 1.5)
    assert limiter.free() == 3


def test_when_half_of_all_waits_the_slow_ones_are_passed_over() -> None:
    limiter = InFlightLimiter(recent=10, total=6, slow_after=SLOW_AFTER)
    slow, known, quick = uuid4(), uuid4(), uuid4()
    earlier = delivery(known)
    limiter.take(earlier)
    waiting = [delivery(slow) for _ in range(3)]
    for one in waiting:
        limiter.take(one)
    fine = delivery(quick)
    limiter.take(fine)
    limiter.release(fine)
    assert limiter.webhooks_to_skip() == set()
    time.sleep(SLOW_AFTER * 1.5)
    limiter.release(earlier)
    assert limiter.webhooks_to_skip() == {slow, known}
    limiter.release(waiting.pop())
    assert limiter.webhooks_to_skip() == set()
    again = delivery(known)
    limiter.take(again)
    limiter.release(again)
    for one in (delivery(uuid4()), delivery(uuid4())):
        limiter.take(one)
    time.sleep(SLOW_AFTER * 1.5)
    assert slow in limiter.webhooks_to_skip()
    assert known not in limiter.webhooks_to_skip()
