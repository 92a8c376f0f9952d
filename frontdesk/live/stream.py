"""One open page: what it is still to be sent, in order and without repetition."""

import asyncio
import random
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from frontdesk.live.types import LiveEvent, Viewer, as_heartbeat, as_message, as_reset

HEARTBEAT_SECONDS = 15.0
MAX_WAITING = 1000  # messages for a client that does not read; it is dropped, and resumes where it was
_RETRY_MILLISECONDS = (1000, 3000)  # before a browser connects again; spread, so that not all come at once


class Stream:
    def __init__(self, viewer: Viewer, after: int, on_end: Callable[["Stream"], None]) -> None:
        self.viewer = viewer
        self._position = after  # the sequence up to which everything was queued
        self._is_current = False
        self._early: list[tuple[Sequence[LiveEvent], int]] = []  # arrived before the stream has caught up
        self._waiting: deque[bytes] = deque([b"retry: %d\n\n" % random.randint(*_RETRY_MILLISECONDS)])  # noqa: S311 - no secret
        self._wake = asyncio.Event()
        self._wake.set()
        self._has_ended = False
        self._written_at = time.monotonic()
        self._on_end = on_end

    def catch_up(self, events: Sequence[LiveEvent], last: int) -> None:
        self._queue(events, last)
        self._follow()

    def reset(self, last: int) -> None:
        self._position = last
        self._put(as_reset(last))
        self._follow()

    def _follow(self) -> None:
        self._is_current = True
        for events, last in self._early:
            self._queue(events, last)
        self._early.clear()

    def send(self, events: Sequence[LiveEvent], last: int) -> None:
        if self._is_current:
            self._queue(events, last)
        else:
            self._early.append((events, last))

    def _queue(self, events: Sequence[LiveEvent], last: int) -> None:
        for event in events:
            if event.sequence > self._position and self.viewer.may_see(event):
                self._put(as_message(event, self.viewer))
        self._position = max(self._position, last, events[-1].sequence if events else 0)

    def keep_alive(self, now: float) -> None:
        """Keeps the connection alive, with the last sequence: events that the page does not get have numbers too."""
        if now - self._written_at >= HEARTBEAT_SECONDS:
            self._put(as_heartbeat(self._position))

    def _put(self, message: bytes) -> None:
        if len(self._waiting) >= MAX_WAITING:
            self.end()
            return
        self._waiting.append(message)
        self._written_at = time.monotonic()
        self._wake.set()

    def end(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self._on_end(self)
            self._wake.set()

    async def chunks(self, receive: Callable[[], Awaitable[Any]]) -> AsyncIterator[bytes]:
        watch = asyncio.create_task(self._end_on_disconnect(receive))
        try:
            while not self._has_ended:
                await self._wake.wait()
                self._wake.clear()
                if self._waiting and not self._has_ended:
                    messages = b"".join(self._waiting)
                    self._waiting.clear()
                    yield messages
        finally:
            watch.cancel()
            self.end()

    async def _end_on_disconnect(self, receive: Callable[[], Awaitable[Any]]) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()
