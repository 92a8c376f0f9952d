"""The time of a business: that of the machine, unless the business is a sandbox whose clock was moved ahead.

Each request begins at the time of the machine, and follows the clock of its business as soon as this is known; a worker
does so for each business whose clock was moved. Connections to the database follow it too (`postgres/pool.py`), so that
`now()` is the same time in SQL. What compares with other machines, such as signatures, asks `datetime.now` instead, and
what is kept at the time of the machine is compared with `machine_time`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar
from datetime import UTC, datetime, timedelta

_ahead: ContextVar[int | None] = ContextVar("clock", default=None)  # seconds; None: the time of the machine


def current_time() -> datetime:
    ahead = _ahead.get()
    moment = datetime.now(UTC)
    return moment if ahead is None else moment + timedelta(seconds=ahead)


def machine_time() -> datetime:
    """Of what is not the business's own: sessions, what clients use, calendars elsewhere, businesses together."""
    return datetime.now(UTC)


def seconds_ahead() -> int | None:
    """None where the clock was never moved, which is always so outside of sandboxes."""
    return _ahead.get()


def follow_clock(seconds: int | None) -> None:
    """Until the end of this request or task. A connection that was taken before keeps its own time."""
    _ahead.set(seconds)


@contextmanager
def clock_ahead(seconds: int | None) -> Iterator[None]:
    before = _ahead.set(seconds)
    try:
        yield
    finally:
        _ahead.reset(before)


def context_with_clock() -> Context:
    """A new context for a task, in which nothing but the clock is as it is here."""
    context = Context()
    context.run(_ahead.set, _ahead.get())
    return context
