"""What takes too long is ended: a block of code, or one of many things that share a timer."""

import asyncio
import time
from contextlib import suppress

import pytest

from frontdesk.runtime import time_limits
from frontdesk.runtime.time_limits import Deadlines, time_limit


async def test_a_block_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TimeoutError), time_limit(0.001):
        await asyncio.Event().wait()


async def test_a_block_that_ends_in_time_is_left_alone() -> None:
    with time_limit(3600) as limit:
        await asyncio.sleep(0)
    assert not limit.has_passed


@pytest.mark.parametrize("shared", [False, True])
async def test_a_task_that_was_canceled_before_still_gets_its_timeout(
    shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """asyncio.timeout of Python 3.11.2 raises CancelledError here."""
    monkeypatch.setattr(time_limits, "TICK_SECONDS", 0.001)

    async def work() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            try:
                with time_limit(0.001, Deadlines() if shared else None):
                    await asyncio.Event().wait()
            except TimeoutError:
                return "late"
        return "lost"

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "late"


async def test_a_cancellation_from_outside_stays_one() -> None:
    async def work() -> None:
        with time_limit(0) as limit:
            limit._pass()
            task.cancel()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_limit_that_is_stopped_does_not_pass_and_one_that_is_restarted_does() -> None:
    with time_limit(0.001) as limit:
        limit.stop()
        await asyncio.sleep(0.02)
    assert not limit.has_passed
    with suppress(TimeoutError), time_limit(0.001) as limit:
        limit.stop()
        limit.restart()
        await asyncio.Event().wait()
    assert limit.has_passed


async def test_a_shared_timer_ends_only_what_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "TICK_SECONDS", 0.001)
    deadlines, ended, late = Deadlines(), [], asyncio.Event()
    deadlines.start("early", 0.0, lambda: ended.append("early"))
    deadlines.stop("early")
    deadlines.start("patient", 3600.0, lambda: ended.append("patient"))
    deadlines.start("late", 0.0, late.set)
    await late.wait()
    assert ended == []
    assert list(deadlines._ends) == ["patient"]


async def test_a_paused_process_reads_what_arrived_before_time_limits_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deadlines, ended = Deadlines(), []
    deadlines.start("statement", 10.0, lambda: ended.append("statement"))
    began = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: began + 60)
    deadlines._tick()
    assert ended == []
    monkeypatch.setattr(time, "monotonic", lambda: began + 61)
    deadlines._tick()
    assert ended == []
    monkeypatch.setattr(time, "monotonic", lambda: began + 71)
    deadlines._next_tick = began + 71
    deadlines._tick()
    assert ended == ["statement"]
