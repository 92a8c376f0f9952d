"""How much is out at once: receivers that take long must leave room for those that do not."""

import time
from uuid import UUID

from frontdesk.webhooks.delivery_queries import Claimed

QUICK = 2.0  # seconds within which a healthy receiver answers
_REMEMBERED = 120.0


class InFlightLimiter:
    """Two limits: on what has just gone out, which bounds the work of this process, and on all that is out.

    What is out for longer only waits, so it stops counting against the first. It may fill half of the second;
    then webhooks that were slow before have to wait until some of it has come back.
    """

    def __init__(self, young: int = 128, total: int = 768, quick: float = QUICK) -> None:
        self._quick = quick
        self._most_young = young
        self._most = total
        self._out: dict[Claimed, float] = {}
        self._slow: dict[UUID, float] = {}  # webhooks, and until when they count as slow

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

    def crowded_out(self) -> set[UUID]:
        """Webhooks to pass over for now."""
        now = time.monotonic()
        old = {delivery.webhook_id for delivery, began in self._out.items() if now - began > self._quick}
        waiting = sum(now - began > self._quick for began in self._out.values())
        self._slow = {webhook: until for webhook, until in self._slow.items() if until > now}
        return old | set(self._slow) if waiting >= self._most // 2 else set()
