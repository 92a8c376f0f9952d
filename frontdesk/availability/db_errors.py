"""When the check itself fails: a lock or a statement that took too long, a deadlock, an engine error."""

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
def as_availability_error(*, asked: bool = True) -> Iterator[None]:
    """Nothing has been kept when this is answered, so the same request may simply be sent again.

    Where availability is not `asked` the failure is left as it is, and becomes 503 like everywhere else.
    """
    try:
        yield
    except _FAILURES as failure:
        if not asked:
            raise
        raise check_failed() from failure


def check_failed() -> WireError:
    return WireError(
        Code.AVAILABILITY_CHECK_FAILED,
        "Availability could not be checked. Nothing was changed. Try again.",
        headers={"retry-after": "1"},
    )
