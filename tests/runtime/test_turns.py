"""Keys take turns at slots: none is lost, none is used twice, and no key can take all while another waits."""

import asyncio
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.runtime.turns import QueueFull, Turns, TurnTimeout
from tests.support.repetitions import repetitions

FOREVER = 3600.0


class Callers:
    """Tasks that wait for a turn, and the order in which they got one."""

    def __init__(self, turns: Turns[str]) -> None:
        self.turns = turns
        self.served: list[str] = []
        self.tasks: list[tuple[str, asyncio.Task[None]]] = []

    async def arrive(self, *keys: str, limit: float = FOREVER) -> None:
        for key in keys:
            self.tasks.append((key, asyncio.create_task(self._wait(key, limit))))
            await asyncio.sleep(0)

    async def _wait(self, key: str, limit: float) -> None:
        if not self.turns.take(key):
            await self.turns.wait(key, limit)
        self.served.append(key)

    async def release(self, *keys: str) -> None:
        for key in keys:
            self.turns.release(key)
            await settle()

    async def leave(self) -> None:
        for _, task in self.tasks:
            task.cancel()
        await asyncio.gather(*(task for _, task in self.tasks), return_exceptions=True)


async def settle() -> None:
    for _ in range(4):
        await asyncio.sleep(0)


def new_turns(slots: int, share: int, waiting: int = 100) -> Turns[str]:
    return Turns(slots, share=share, waiting=waiting, limit=FOREVER)


async def test_a_key_alone_has_all_slots() -> None:
    turns = new_turns(10, share=6)
    assert [turns.take("flood") for _ in range(11)] == [True] * 10 + [False]
    callers = Callers(turns)
    await callers.arrive("flood")
    await callers.release("flood")
    assert (callers.served, turns.held("flood"), turns.free) == (["flood"], 10, 0)


async def test_keys_that_wait_get_slots_in_rotation() -> None:
    turns = new_turns(1, share=1)
    assert turns.take("a")
    callers = Callers(turns)
    await callers.arrive("a", "a", "a", "b", "c", "c")
    await callers.release("a", "b", "c", "a", "c", "a", "a")
    assert callers.served == ["b", "c", "a", "c", "a", "a"]  # the key that has just had one comes last
    assert turns.free == 1


async def test_a_key_gets_no_more_than_its_share_while_another_waits() -> None:
    turns = new_turns(10, share=6)
    callers = Callers(turns)
    await callers.arrive(*["flood"] * 30)
    await callers.arrive(*["quiet"] * 8)
    await callers.release(*["flood"] * 4)
    assert (turns.held("flood"), turns.held("quiet")) == (6, 4)
    while turns.waiting("quiet"):
        await callers.release("quiet")
        assert turns.held("flood") <= 6
    await callers.release(*["quiet"] * turns.held("quiet"))
    assert turns.held("flood") == 10  # nobody else waits
    await callers.leave()


async def test_the_slots_of_a_key_that_waits_alone_again_are_used() -> None:
    turns = new_turns(3, share=1)
    callers = Callers(turns)
    await callers.arrive("a", "b", "c", "a", "b")
    await callers.release("c")
    assert (turns.free, turns.waiting("a"), turns.waiting("b")) == (1, 1, 1)  # kept for a third key
    callers.tasks[-1][1].cancel()
    await settle()
    assert (turns.free, turns.held("a"), turns.waiting("b")) == (0, 2, 0)
    await callers.leave()


async def test_more_callers_of_a_key_than_may_wait_are_refused_at_once() -> None:
    turns = new_turns(1, share=1, waiting=2)
    callers = Callers(turns)
    await callers.arrive("a", "a", "a")
    with pytest.raises(QueueFull):
        await turns.wait("a")
    await callers.arrive("b")  # another key has a queue of its own
    assert (turns.waiting("a"), turns.waiting("b")) == (2, 1)
    await callers.leave()
    assert (turns.waiting("a"), turns.waiting("b")) == (0, 0)


async def test_a_wait_ends_at_its_limit() -> None:
    turns = new_turns(1, share=1)
    assert turns.take("a")
    with pytest.raises(TurnTimeout):
        await turns.wait("b", 0)
    assert turns.waiting("b") == 0
    turns.release("a")
    assert turns.free == 1


async def test_the_turn_of_a_caller_that_is_canceled_meanwhile_goes_to_the_next() -> None:
    turns = new_turns(1, share=1)
    assert turns.take("a")
    callers = Callers(turns)
    await callers.arrive("b", "c")
    turns.release("a")  # b has the turn, and has not run since
    callers.tasks[0][1].cancel()
    await settle()
    assert (callers.served, turns.held("b"), turns.held("c")) == (["c"], 0, 1)
    turns.release("c")
    assert turns.free == 1


async def test_a_caller_that_was_canceled_just_before_gets_no_turn() -> None:
    turns = new_turns(1, share=1)
    assert turns.take("a")
    callers = Callers(turns)
    await callers.arrive("b", "c")
    callers.tasks[0][1].cancel()  # and has not run since
    turns.release("a")
    await settle()
    assert callers.served == ["c"]
    turns.release("c")
    assert turns.free == 1


async def test_a_caller_that_times_out_and_is_canceled_takes_no_slot() -> None:
    turns = new_turns(1, share=1)
    assert turns.take("a")
    callers = Callers(turns)
    await callers.arrive("b", limit=0)
    waiter = next(iter(turns._queues["b"]))
    turns._expire("b", waiter)
    callers.tasks[0][1].cancel()
    await callers.leave()
    assert turns.waiting("b") == 0
    turns.release("a")
    assert turns.free == 1


async def test_another_key_that_came_a_moment_ago_counts_as_one_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    turns: Turns[str | None] = Turns(10, share=6, waiting=100, limit=FOREVER, memory=1.0)
    assert turns.take("quiet")
    turns.release("quiet")
    assert [turns.take("flood") for _ in range(7)] == [True] * 6 + [False]
    waiting = asyncio.create_task(turns.wait("flood"))
    await settle()
    assert turns.take("quiet")  # finds a slot, however many wait
    turns.release("quiet")
    await settle()
    assert not waiting.done()
    assert turns.take(None)  # the service itself is not another key
    turns.release(None)
    now += 1.0
    turns.release("flood")
    await waiting
    assert [turns.take("flood") for _ in range(5)] == [True] * 4 + [False]  # all slots, after a while alone


async def test_the_slot_of_a_block_that_fails_is_free_again() -> None:
    turns = new_turns(1, share=1)
    with suppress(ZeroDivisionError):
        async with turns.turn("a"):
            assert turns.free == 0
            raise ZeroDivisionError
    assert (turns.free, turns.held("a")) == (1, 0)


MEMORY = st.sampled_from([0.0, FOREVER])
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["arrive", "arrive", "hurry", "release", "release", "cancel", "settle"]), st.integers(0, 40)
    ),
    max_size=60,
)


@settings(max_examples=repetitions(150, long=3000), deadline=None)
@given(slots=st.integers(1, 5), share=st.integers(1, 5), waiting=st.integers(0, 4), memory=MEMORY, acts=ACTS)
def test_slots_are_never_lost_nor_used_twice(
    slots: int, share: int, waiting: int, memory: float, acts: list[tuple[str, int]]
) -> None:
    turns: Turns[str] = Turns(slots, share=share, waiting=waiting, limit=FOREVER, memory=memory)
    asyncio.run(_act(turns, slots, share, acts, remembers=memory > 0))


async def _act(turns: Turns[str], slots: int, share: int, acts: list[tuple[str, int]], *, remembers: bool) -> None:
    callers = Callers(turns)
    for act, number in acts:
        before = {key: turns.held(key) for key in "abc"}
        if act in ("arrive", "hurry"):
            await callers.arrive("abc"[number % 3], limit=0 if act == "hurry" else FOREVER)
        elif act == "cancel" and callers.tasks:
            callers.tasks[number % len(callers.tasks)][1].cancel()
        elif act == "release" and callers.served:
            turns.release(callers.served.pop(number % len(callers.served)))
        elif act == "settle":
            await settle()
            _no_slot_is_idle(turns, share, remembers=remembers)
            assert len(callers.served) == slots - turns.free
        assert turns.free >= 0
        assert turns.free + sum(turns.held(key) for key in "abc") == slots
        for key in "abc":
            others_wait = any(turns.waiting(other) for other in "abc" if other != key)
            assert turns.held(key) <= max(before[key], share) or not others_wait
    await callers.leave()
    await settle()
    for key in callers.served:
        turns.release(key)
    assert turns.free == slots
    assert [turns._held, turns._queues, turns._next, turns._at_share] == [{}, {}, {}, {}]


def _no_slot_is_idle(turns: Turns[str], share: int, *, remembers: bool) -> None:
    waiting = [key for key in "abc" if turns.waiting(key)]
    if turns.free:
        assert len(waiting) != 1 or remembers
        assert all(turns.held(key) >= share for key in waiting)
