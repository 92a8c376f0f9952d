"""Limits of time inside one process: for many things with one timer, and for one block of code."""

import asyncio
import time
from collections.abc import Callable, Hashable
from types import TracebackType
from typing import Self

TICK_SECONDS = 0.25
_STALL_SECONDS = 1.0


class Deadlines:
    """Calls `end` of each thing that takes longer than it may.

    One timer looks at all of them a few times a second, because a timer for each statement would cost more than
    everything else that the pool does for it. A thing may therefore last a quarter of a second longer.
    """

    def __init__(self) -> None:
        self._ends: dict[Hashable, tuple[float, Callable[[], None]]] = {}
        self._next_tick: float | None = None

    def start(self, thing: Hashable, seconds: float, end: Callable[[], None]) -> None:
        """Again for the same thing: it begins anew."""
        self._ends[thing] = time.monotonic() + seconds, end
        if self._next_tick is None:
            self._wait()

    def stop(self, thing: Hashable) -> None:
        self._ends.pop(thing, None)

    def _wait(self) -> None:
        self._next_tick = time.monotonic() + TICK_SECONDS
        asyncio.get_running_loop().call_later(TICK_SECONDS, self._tick)

    def _tick(self) -> None:
        now, expected = time.monotonic(), self._next_tick or 0.0
        self._next_tick = None
        if now - expected > _STALL_SECONDS:
            # This process did not run. What has arrived meanwhile is read before anything is called late.
            self._ends = {thing: (due + now - expected, end) for thing, (due, end) in self._ends.items()}
        for thing, (due, end) in list(self._ends.items()):
            if due <= now and thing in self._ends:
                del self._ends[thing]
                end()
        if self._ends:
            self._wait()


class time_limit:  # noqa: N801 - used as a function
    """Raises TimeoutError if the block takes longer: `with time_limit(2): await …`.

    `asyncio.timeout` of Python 3.11.2 and older raises CancelledError instead in a task that was canceled before
    (gh-102780). With `deadlines` the limit has no timer of its own.
    """

    __slots__ = ("_before", "_deadlines", "_seconds", "_task", "_timer", "has_passed")

    def __init__(self, seconds: float, deadlines: Deadlines | None = None) -> None:
        self._seconds = seconds
        self._deadlines = deadlines
        self._task: asyncio.Task[object] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.has_passed = False

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a time limit needs a task")
        self._task = task
        self._before = task.cancelling()
        self.restart()
        return self

    def restart(self) -> None:
        if self._task is None:
            raise RuntimeError("the limit has not begun")
        if self._deadlines is not None:
            self._deadlines.start(self, self._seconds, self._pass)
        else:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._pass)

    def stop(self) -> None:
        if self._deadlines is not None:
            self._deadlines.stop(self)
        elif self._timer is not None:
            self._timer.cancel()

    def _pass(self) -> None:
        self.has_passed = True
        if self._task is not None:
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        if not self.has_passed or self._task is None:
            return
        if self._task.uncancel() <= self._before and kind is asyncio.CancelledError:
            raise TimeoutError from failure
