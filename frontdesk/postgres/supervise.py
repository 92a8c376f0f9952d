"""Background tasks that do not end silently: every one of them is started by `supervise`.

A failure that nobody expected is logged with its place, counted, and the task is started again after a pause, which
doubles while it keeps failing. `failing_tasks` names those that do, for /health/ready and for the operator's page.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any

import structlog
from prometheus_client import Counter, Gauge

from frontdesk.postgres.failures import UNAVAILABLE, count_write_failure, trace
from frontdesk.runtime.current_work import current_work

Work = Callable[[], Coroutine[Any, Any, None]]

KEEPS_FAILING = 3  # failures one after the other, without a turn that went well in between
FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 60.0
_DATABASE_PAUSE = 1.0  # while the database does not answer, so that work goes on soon after it is back
_failures = Counter("frontdesk_task_failures_total", "Unexpected failures of background tasks", ["task"])
_failing = Gauge(
    "frontdesk_task_failing", "1 while a background task keeps failing", ["task"], multiprocess_mode="livemax"
)
_log = structlog.get_logger("frontdesk.tasks")


class Supervised:
    """A task that runs until its work returns, or until it is stopped."""

    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self._work = work
        self._in_a_row = 0  # failures
        self._is_finishing = False
        self._is_pausing = False
        _failures.labels(name)  # it is shown before the first failure, so that an alert can compare
        _failing.labels(name).set(0)
        _running.add(self)
        self._task = asyncio.create_task(self._run(), name=name)
        self._task.add_done_callback(lambda _task: _running.discard(self))

    @property
    def is_done(self) -> bool:
        return self._task.done()

    @property
    def keeps_failing(self) -> bool:
        return self._in_a_row >= KEEPS_FAILING

    async def finish(self) -> None:
        """Waits until the work, which was asked to end, has returned. It is not started again if it fails."""
        self._is_finishing = True
        if self._is_pausing:
            self._task.cancel()
        await asyncio.wait([self._task])

    async def stop(self) -> None:
        """Cancels the work."""
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        _current.set(self)
        current_work.set(self)
        while True:
            try:
                await self._work()
            except Exception as failure:  # noqa: BLE001 - whatever it is, the task goes on
                pause = self.record_failure(failure)
            else:
                return self.record_success()
            if self._is_finishing:
                return None
            self._is_pausing = True
            await asyncio.sleep(pause)
            self._is_pausing = False

    def about(self) -> dict[str, str]:
        return {"task": self.name}

    def record_failure(self, failure: BaseException) -> float:
        """Logs and counts it. Returns for how many seconds the task pauses.

        A database that does not answer is expected: /health/ready tells that by itself, and the work waits for it.
        """
        cannot_write = count_write_failure(failure)
        if cannot_write is None and isinstance(failure, UNAVAILABLE):
            _log.warning("task waits for the database", task=self.name, reason=type(failure).__name__)
            return _DATABASE_PAUSE
        self._in_a_row += 1
        _failures.labels(self.name).inc()
        _failing.labels(self.name).set(self.keeps_failing)
        pause = min(_LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self._in_a_row - 1, 10))
        _log.error("task failed", task=self.name, in_a_row=self._in_a_row, pause=pause, trace=trace(failure))
        return pause

    def record_success(self) -> None:
        if self.keeps_failing:
            _failing.labels(self.name).set(0)
            _log.info("task works again", task=self.name)
        self._in_a_row = 0


_running: set[Supervised] = set()
_current: ContextVar[Supervised] = ContextVar("supervised task")  # also of the tasks that it starts


def supervise(name: str, work: Work) -> Supervised:
    """Starts the task. `work` calls `record_success` after each turn that went well."""
    return Supervised(name, work)


def record_success() -> None:
    """The supervised task that calls it has taken a turn that went well."""
    if (current := _current.get(None)) is not None:
        current.record_success()


def record_failure(failure: BaseException) -> None:
    """Of a part of the supervised task that calls it; the rest goes on."""
    if (current := _current.get(None)) is not None:
        current.record_failure(failure)
    else:
        _log.error("failed", trace=trace(failure))


def failing_tasks() -> list[str]:
    """The names of the tasks of this process that keep failing."""
    return sorted({task.name for task in _running if task.keeps_failing})
