"""Limits the deliveries in flight, so that slow receivers do not block fast ones."""

import time
from collections.abc import Callable
from uuid import UUID

from frontdesk.webhooks.delivery_queries import ClaimedDelivery

SLOW_AFTER = 2.0  # seconds within which a healthy receiver responds
_REMEMBERED = 120.0


class InFlightLimiter:
    """Two limits: on recent deliveries, which bounds the CPU use of this process, and on all deliveries in flight.

    Older deliveries only wait for a response, so they do not count towards the first limit. They may use half of the
    second one; then webhooks that were slow before are skipped until some of them have ended.
    """

    def __init__(self, recent: int = 128, total: int = 768, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._max_recent = recent
        self._max_total = total
        self._in_flight: dict[ClaimedDelivery, float] = {}
        self._slow: dict[UUID, float] = {}  # webhook id to the time until which it counts as slow

    def take(self, delivery: ClaimedDelivery) -> None:
        self._in_flight[delivery] = self._clock()

    def release(self, delivery: ClaimedDelivery) -> None:
        began, now = self._in_flight.pop(delivery), self._clock()
        if now - began > SLOW_AFTER:
            self._slow[delivery.webhook_id] = now + _REMEMBERED
        else:
            self._slow.pop(delivery.webhook_id, None)

    def free(self) -> int:
        now = self._clock()
        recent = sum(now - began <= SLOW_AFTER for began in self._in_flight.values())
        return max(0, min(self._max_recent - recent, self._max_total - len(self._in_flight)))

    def webhooks_to_skip(self) -> set[UUID]:
        """Webhooks that get no further deliveries for now."""
        now = self._clock()
        old = [delivery.webhook_id for delivery, began in self._in_flight.items() if now - began > SLOW_AFTER]
        self._slow = {webhook: until for webhook, until in self._slow.items() if until > now}
        return {*old, *self._slow} if len(old) >= self._max_total // 2 else set()
