"""Limits how often one address opens an expensive public page, without a statement."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

MAX_VISITORS = 10_000  # about 3 MB; a visitor who is forgotten begins anew


class Visits:
    """A visitor may open `burst` pages at once, and then one whenever `seconds` have passed.

    Counted in this process and not in the database: what is protected is the time of this process, and a statement that
    writes would cost about as much as the page. Several processes each allow as much, because each has its own time.
    """

    def __init__(self, burst: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._seconds = seconds
        self._clock = clock
        # When the visitor will have as many visits as at first; those who came last are at the end.
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def consume(self, visitor: Hashable) -> int | None:
        """None, or after how many seconds the next visit is allowed."""
        now = self._clock()
        full_at = max(self._full_at.pop(visitor, now), now)
        wait = full_at + self._seconds - now - self._burst * self._seconds
        self._full_at[visitor] = full_at if wait > 0 else full_at + self._seconds
        if len(self._full_at) > MAX_VISITORS:
            self._full_at.popitem(last=False)
        return None if wait <= 0 else int(wait) + 1
