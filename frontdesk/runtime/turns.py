"""Slots that keys (tenants) take turns at, inside one process."""

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
FOREVER = math.inf
_Waiters = OrderedDict[asyncio.Future[bool], None]  # in the order of arrival; any of them can leave


class QueueFull(Exception):
    """As many callers of this key wait already as may."""


class TurnTimeout(Exception):
    """The turn did not come in time."""


class Turns(Generic[K]):
    """At most `slots` turns at a time. Keys that wait get them in rotation, callers of one key in order of arrival.

    While another key waits, a key gets no more than `share` slots; those that it holds already it may finish. With
    `memory` the same holds for so many seconds after another key came, so that its next caller finds a slot free. None
    is the key of the service itself, which is not remembered. At most `waiting` callers of a key wait, each for at most
    `limit` seconds. Every step costs the same, however many wait.
    """

    def __init__(self, slots: int, *, share: int, waiting: int, limit: float, memory: float = 0.0) -> None:
        self.slots = slots
        self.free = slots
        self._share = share
        self._waiting = waiting
        self._limit = limit
        self._held: dict[K, int] = {}
        self._queues: dict[K, _Waiters] = {}  # none of them is empty
        # The keys of `_queues`: those that may get a slot, in rotation, and those that have their share.
        self._next: OrderedDict[K, None] = OrderedDict()
        self._at_share: OrderedDict[K, None] = OrderedDict()
        self._memory = memory
        self._last: tuple[K | None, float] = (None, 0.0)  # the key that came last, and when
        self._last_other: tuple[K | None, float] = (None, 0.0)  # the last one before that was another

    def waiting(self, key: K) -> int:
        return len(self._queues.get(key, ()))

    @property
    def all_waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    def held(self, key: K) -> int:
        return self._held.get(key, 0)

    @asynccontextmanager
    async def turn(self, key: K) -> AsyncIterator[None]:
        if not self.take(key):
            await self.wait(key)
        try:
            yield
        finally:
            self.release(key)

    def take(self, key: K) -> bool:
        """A slot at once, if one is free for this key. Nothing waits, so no timer is needed."""
        if self._memory and key is not None:
            self._note(key)
        if self.free == 0 or key in self._queues:
            return False
        if self._held.get(key, 0) >= self._share and (self._queues or self._has_company(key)):
            return False
        self._hold(key)
        return True

    def _note(self, key: K) -> None:
        if self._last[0] != key:
            self._last_other = self._last
        self._last = key, time.monotonic()

    def _has_company(self, key: K) -> bool:
        """Whether another key came a moment ago."""
        other, came_at = self._last_other if self._last[0] == key else self._last
        return other is not None and time.monotonic() - came_at < self._memory

    async def wait(self, key: K, limit: float | None = None) -> None:
        """For a slot that `take` did not give. A `limit` can be given; with FOREVER any number may wait."""
        if self.waiting(key) >= self._waiting and limit != FOREVER:
            raise QueueFull
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[bool] = loop.create_future()
        self._join(key, waiter)
        seconds = self._limit if limit is None else limit
        timer = loop.call_later(seconds, self._expire, key, waiter) if seconds != FOREVER else None
        try:
            has_turn = await waiter
        except asyncio.CancelledError:
            self._leave(key, waiter)
            if not waiter.cancelled() and waiter.result():
                self.release(key)  # the turn came just before the cancellation
            raise
        finally:
            if timer is not None:
                timer.cancel()
        if not has_turn:
            raise TurnTimeout

    def release(self, key: K) -> None:
        self.free += 1
        held = self._held.pop(key) - 1
        if held:
            self._held[key] = held
        if held < self._share and key in self._at_share:
            del self._at_share[key]
            self._next[key] = None
        self._hand_out()

    def _hold(self, key: K) -> None:
        self.free -= 1
        self._held[key] = self._held.get(key, 0) + 1

    def _join(self, key: K, waiter: "asyncio.Future[bool]") -> None:
        if key not in self._queues:
            self._queues[key] = OrderedDict()
            self._rotate(key)
        self._queues[key][waiter] = None

    def _leave(self, key: K, waiter: "asyncio.Future[bool]") -> None:
        queue = self._queues.get(key)
        if queue is None or waiter not in queue:
            return
        del queue[waiter]
        if not queue:
            self._end_queue(key)
            self._hand_out()  # the last key that waits may have more than its share

    def _expire(self, key: K, waiter: "asyncio.Future[bool]") -> None:
        if not waiter.done():
            waiter.set_result(False)
            self._leave(key, waiter)

    def _rotate(self, key: K) -> None:
        if self._held.get(key, 0) < self._share:
            self._next[key] = None
        else:
            self._at_share[key] = None

    def _end_queue(self, key: K) -> None:
        del self._queues[key]
        self._next.pop(key, None)
        self._at_share.pop(key, None)

    def _hand_out(self) -> None:
        while self.free and (self._next or len(self._at_share) == 1):
            key = next(iter(self._next or self._at_share))
            if not self._next and self._has_company(key):
                return  # the next release looks again: this key holds its share
            (self._next or self._at_share).popitem(last=False)
            queue = self._queues[key]
            waiter, _ = queue.popitem(last=False)
            if not waiter.done():  # its task was canceled, and has not run since
                self._hold(key)
                waiter.set_result(True)
            if queue:
                self._rotate(key)
            else:
                self._end_queue(key)
