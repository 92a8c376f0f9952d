"""Limits the deliveries in flight, so that slow receivers do not block fast ones."""

import time
from uuid import UUID

from frontdesk.webhooks.delivery_queries import Claimed

QUICK = 2.0  # seconds within which a healthy receiver responds
_REMEMBERED = 120.0


class InFlightLimiter:
    """Two limits: on recent deliveries, which bounds the CPU use of this process, and on all deliveries in flight.

    Older deliveries only wait for a response, so they do not count towards the first limit. They may use half of the
    second one; then webhooks that were slow before are skipped until some of them have ended.
    """

    def __init__(self, young: int = 128, total: int = 768, quick: float = QUICK) -> None:
        self._quick = quick
        self._most_young = young
        self._most = total
        self._out: dict[Claimed, float] = {}
        self._slow: dict[UUID, float] = {}  # webhook id to the time until which it counts as slow

    def __len__(self) -> int:
        return len(self._out)

    def take(self, delivery: Claimed) -> None:
        self._out[delivery] = time.monotonic()

    def release(self, delivery: Claimed) -> None:
        began, now = self._out.pop(delivery), time.monotonic()
        if now - began > self._quick:
            self._slow[delivery.webhook_id] = now + _REMEMBERED
        else:
            self._slow.pop(delivery.webhook_id, None)

    def free(self) -> int:
        now = time.monotonic()
        young = sum(now - began <= self._quick for began in self._out.values())
        return max(0, min(self._most_young - young, self._most - len(self._out)))

    def webhooks_to_skip(self) -> set[UUID]:
        """Webhooks that get no further deliveries for now."""
        now = time.monotonic()
        old = {delivery.webhook_id for delivery, began in self._out.items() if now - began > self._quick}
        waiting = sum(now - began > self._quick for began in self._out.values())
        self._slow = {webhook: until for webhook, until in self._slow.items() if until > now}
        return old | set(self._slow) if waiting >= self._most // 2 else set()
