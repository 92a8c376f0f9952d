"""The loop of a worker that takes what is due out of a queue in the database, and how it stops."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

import asyncpg

from frontdesk.postgres.pool import PoolTimeout
from frontdesk.postgres.supervise import record_success, supervise
from frontdesk.runtime.time_limits import time_limit

# Leases expire, so nothing is lost with the database: the work waits.
LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, PoolTimeout)


class WorkerLoop:
    """Takes a turn when it is woken, and every `poll` seconds.

    `batch` seconds pass before each turn, so that one statement handles what arrived together.
    """

    def __init__(self, name: str, take_turn: Callable[[], Awaitable[None]], *, poll: float, batch: float = 0.0) -> None:
        self._name = name
        self._take_turn = take_turn
        self._poll = poll
        self._batch = batch
        self._awake = asyncio.Event()
        self.is_stopping = False

    def wake(self) -> None:
        self._awake.set()

    def start(self) -> None:
        self._running = supervise(self._name, self._run)

    async def stop(self) -> None:
        """Returns after the turn that is being taken."""
        self.is_stopping = True
        self._awake.set()
        await self._running.finish()

    async def _run(self) -> None:
        while not self.is_stopping:
            with suppress(TimeoutError), time_limit(self._poll):
                await self._awake.wait()
            await asyncio.sleep(self._batch)
            self._awake.clear()
            await self._take_turn()
            record_success()


async def drain(tasks: Collection["asyncio.Task[None]"], seconds: float) -> list["asyncio.Task[None]"]:
    """Waits for work that is under way. Cancels and returns what does not end in time."""
    if tasks:
        await asyncio.wait(tasks, timeout=seconds)
    late = [task for task in tasks if not task.done()]
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    return late
