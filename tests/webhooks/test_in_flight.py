"""How much a worker has out: what only waits leaves room for what is quick."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from frontdesk.webhooks.delivery_queries import ClaimedDelivery
from frontdesk.webhooks.in_flight import SLOW_AFTER, InFlightLimiter
from tests.support.clock import Clock


def delivery(webhook_id: UUID) -> ClaimedDelivery:
    now = datetime.now(UTC)
    return ClaimedDelivery(
        tenant_id=uuid4(),
        id=uuid4(),
        lease=uuid4(),
        webhook_id=webhook_id,
        client_id=uuid4(),
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


def test_the_in_flight_limit_does_not_count_slow_deliveries() -> None:
    clock = Clock()
    limiter = InFlightLimiter(recent=4, total=10, clock=clock)
    for _ in range(3):
        limiter.take(delivery(uuid4()))
    assert limiter.free() == 1
    clock.forward(SLOW_AFTER + 1)
    assert limiter.free() == 4
    for _ in range(4):
        limiter.take(delivery(uuid4()))
    assert limiter.free() == 0
    clock.forward(SLOW_AFTER + 1)
    assert limiter.free() == 3


def test_slow_webhooks_are_skipped_when_half_of_all_deliveries_wait() -> None:
    clock = Clock()
    limiter = InFlightLimiter(recent=10, total=6, clock=clock)
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
    clock.forward(SLOW_AFTER + 1)
    limiter.release(earlier)
    assert limiter.webhooks_to_skip() == {slow, known}
    limiter.release(waiting.pop())
    assert limiter.webhooks_to_skip() == set()
    again = delivery(known)
    limiter.take(again)
    limiter.release(again)
    for one in (delivery(uuid4()), delivery(uuid4())):
        limiter.take(one)
    clock.forward(SLOW_AFTER + 1)
    assert slow in limiter.webhooks_to_skip()
    assert known not in limiter.webhooks_to_skip()
