"""Errors of the database during an availability check: a timeout, a deadlock or an internal error."""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from frontdesk.errors import Code, WireError

_FAILURES = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.InternalServerError,
    asyncpg.InsufficientResourcesError,
)


@contextmanager
def as_availability_error() -> Iterator[None]:
    """Nothing was written, so the request can be retried."""
    try:
        yield
    except _FAILURES as failure:
        raise check_failed() from failure


def check_failed() -> WireError:
    return WireError(
        Code.AVAILABILITY_CHECK_FAILED,
        "Availability could not be checked. Nothing was changed. Try again.",
        headers={"retry-after": "1"},
    )
