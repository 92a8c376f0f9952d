"""Slow work takes turns, so that one business cannot make the others wait. docs/concurrency.md has the table.

Each kind has a few slots in a process. A business never has more of them than its share, because they are held for
seconds; what it asks for beyond that waits in a line of its own. Businesses that wait get the slots in rotation.
"""

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager

from prometheus_client import Counter

from frontdesk.problems import Problem
from frontdesk.runtime.turns import FOREVER, QueueFull, Turns, TurnTimeout
from frontdesk.values.problems import BusyProblem

RETRY_SECONDS = 5
_refused = Counter("frontdesk_slow_work_refused_total", "Slow work that was answered with 503", ["kind"])


class SlowWork:
    """A kind of slow work. `share` and `waiting` are those of one business, `limit` is in seconds."""

    def __init__(
        self,
        kind: str,
        *,
        slots: int,
        share: int,
        waiting: int,
        limit: float,
        busy: BusyProblem = BusyProblem.FILES_AND_REPORTS,
    ) -> None:
        self.kind = kind
        self.slots = slots
        self.share = share
        self.waiting = waiting
        self.limit = limit
        self._busy = busy
        self._all: Turns[Hashable] = Turns(slots, share=share, waiting=share, limit=limit)
        self._lines: dict[Hashable, Turns[None]] = {}  # of the businesses that have or wait for a slot
        _refused.labels(kind)

    @property
    def running(self) -> int:
        return self.slots - self._all.free

    @asynccontextmanager
    async def turn(self, business: Hashable, *, has_begun: bool = False) -> AsyncIterator[None]:
        """Raises a problem if the line of the business is full, or if the turn does not come in time.

        A further turn of work that has begun is not refused: it waits in the same line, however long that takes.
        """
        line = self._lines.get(business)
        if line is None:
            line = self._lines[business] = Turns(self.share, share=self.share, waiting=self.waiting, limit=self.limit)
        try:
            await self._enter(line, business, FOREVER if has_begun else None)
            try:
                yield
            finally:
                self._all.release(business)
                line.release(None)
        finally:
            if line.held(None) == 0 and line.waiting(None) == 0:
                self._lines.pop(business, None)

    async def _enter(self, line: "Turns[None]", business: Hashable, limit: float | None) -> None:
        try:
            if not line.take(None):
                await line.wait(None, limit)
            try:
                if not self._all.take(business):
                    await self._all.wait(business, limit)
            except BaseException:
                line.release(None)
                raise
        except (QueueFull, TurnTimeout):
            _refused.labels(self.kind).inc()
            raise self._full() from None

    def _full(self) -> Problem:
        return Problem(self._busy, seconds=RETRY_SECONDS)


# Receiving a large file: slow senders hold a slot for minutes.
RECEIVING = SlowWork("receiving", slots=8, share=2, waiting=2, limit=10.0)
# Reading files of strangers (tables, calendars), each in a process with limits.
READING = SlowWork("reading", slots=2, share=1, waiting=4, limit=120.0)
# Pictures, each in a process with limits.
PICTURES = SlowWork("pictures", slots=1, share=1, waiting=4, limit=10.0)
# Statements that read much: reports, the batches of an export, the rows of an uploaded table. Few connections of a pool
# of their own.
QUERIES = SlowWork("queries", slots=3, share=2, waiting=12, limit=10.0)
# The archive of a business holds a connection of that pool until all rows are read.
ARCHIVES = SlowWork("archives", slots=2, share=1, waiting=2, limit=60.0)
PDFS = SlowWork("pdfs", slots=2, share=1, waiting=8, limit=10.0)
LABELS = SlowWork("labels", slots=1, share=1, waiting=4, limit=10.0)
CONNECTIONS = QUERIES.slots + ARCHIVES.slots
