"""Slow work: the slots of a kind, the share and the line of a business, and the answer when it is full."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import RETRY_SECONDS, SlowWork
from frontdesk.values.problems import BusyProblem


def kind(*, slots: int = 3, share: int = 2, waiting: int = 1, limit: float = 60.0) -> SlowWork:
    return SlowWork("test", slots=slots, share=share, waiting=waiting, limit=limit)


class Held:
    """A turn that is held until `end`."""

    def __init__(self, work: SlowWork, business: str, log: list[str] | None = None, *, has_begun: bool = False) -> None:
        self.begun = asyncio.Event()
        self._over = asyncio.Event()
        self.task = asyncio.create_task(self._hold(work, business, log, has_begun))

    async def _hold(self, work: SlowWork, business: str, log: list[str] | None, has_begun: bool) -> None:
        async with work.turn(business, has_begun=has_begun):
            if log is not None:
                log.append(business)
            self.begun.set()
            await self._over.wait()

    async def end(self) -> None:
        self._over.set()
        await self.task


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_business_has_no_more_than_its_share_even_if_nobody_else_asks() -> None:
    work = kind()
    held = [Held(work, "a") for _ in range(3)]
    await settle()
    assert [each.begun.is_set() for each in held] == [True, True, False]
    other = Held(work, "b")
    await settle()
    assert other.begun.is_set()
    for each in (held[0], held[1], other):
        await each.end()
    await held[2].begun.wait()
    await held[2].end()


async def test_a_full_line_says_when_to_try_again() -> None:
    work = kind()
    held = [Held(work, "a") for _ in range(3)]
    await settle()
    with pytest.raises(Problem) as refused:
        async with work.turn("a"):
            pass
    assert (refused.value.kind, refused.value.values) == (
        BusyProblem.FILES_AND_REPORTS,
        {"seconds": RETRY_SECONDS},
    )
    async with work.turn("b"):
        pass
    for each in held:
        await each.end()


async def test_a_turn_that_does_not_come_in_time_is_refused() -> None:
    work = kind(slots=1, share=1, limit=0.01)
    held = Held(work, "a")
    await settle()
    for business in ("a", "b"):
        with pytest.raises(Problem):
            async with work.turn(business):
                pass
    await held.end()
    async with work.turn("b"):
        pass


async def test_businesses_that_wait_take_turns() -> None:
    work = kind(slots=1, share=1, waiting=5)
    log: list[str] = []
    held = [Held(work, business, log) for business in ("a", "a", "a", "b", "c")]
    await settle()
    for _ in held:
        await settle()
        running = next(each for each in held if each.begun.is_set() and not each.task.done())
        await running.end()
    assert log == ["a", "b", "c", "a", "a"]


async def test_canceled_slow_work_frees_its_slot() -> None:
    work = kind(slots=1, share=1, waiting=5)
    held = [Held(work, business) for business in ("a", "a", "b")]
    await settle()
    for each in held:
        each.task.cancel()
    await asyncio.gather(*(each.task for each in held), return_exceptions=True)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(work.turn("b"))
    assert not work._lines


async def test_work_that_has_begun_waits_however_long_the_line_is() -> None:
    work = kind(slots=1, share=1, waiting=1, limit=0.01)
    held = [Held(work, "a", has_begun=True) for _ in range(4)]
    await asyncio.sleep(0.05)
    with pytest.raises(Problem):  # new work does not join a line that is full
        async with work.turn("a"):
            pass
    for each in held:
        await each.begun.wait()
        await each.end()
    assert not work._lines
