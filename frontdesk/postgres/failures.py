"""Failures of the database: which of them pass, which mean that it cannot write, and where they happened."""

import errno
import traceback

import asyncpg
from prometheus_client import Counter

from frontdesk.postgres.pool import PoolTimeout

# Includes a shutdown during a statement, an exhausted pool, a full disk, and a connection that was lost while it was
# idle. Nothing was written, and the request can be retried.
UNAVAILABLE = (
    OSError,
    TimeoutError,
    PoolTimeout,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresSystemError,
    asyncpg.InterfaceError,
)
_CANNOT_WRITE = {
    asyncpg.DiskFullError: "disk_full",
    asyncpg.OutOfMemoryError: "out_of_memory",
    asyncpg.PostgresIOError: "io_error",
}
_write_failures = Counter(
    "frontdesk_write_failures_total", "Statements that failed because the disk or the memory is full", ["reason"]
)
for _reason in _CANNOT_WRITE.values():
    _write_failures.labels(_reason)  # it is shown before the first failure, so that an alert can compare


def count_write_failure(failure: BaseException) -> str | None:
    """The reason why nothing can be written now, which is counted; None if the failure has another reason."""
    reason = _write_failure(failure)
    if reason is not None:
        _write_failures.labels(reason).inc()
    return reason


def _write_failure(failure: BaseException) -> str | None:
    if isinstance(failure, OSError) and failure.errno in (errno.ENOSPC, errno.EDQUOT):
        return _CANNOT_WRITE[asyncpg.DiskFullError]  # of this machine: a file that is being received
    return next((reason for kind, reason in _CANNOT_WRITE.items() if isinstance(failure, kind)), None)


def trace(failure: BaseException | None) -> list[str]:
    """The stack, including the causes. Messages are left out, because they quote values such as phone numbers."""
    lines: list[str] = []
    while failure is not None:
        frames = traceback.extract_tb(failure.__traceback__)
        lines += [type(failure).__name__, *(f"  {frame.name} {frame.filename}:{frame.lineno}" for frame in frames)]
        lines += _database_functions(failure)
        failure = failure.__cause__ or failure.__context__
    return lines


def _database_functions(failure: BaseException) -> list[str]:
    """The database functions in which a statement failed, the innermost first."""
    context = failure.context if isinstance(failure, asyncpg.PostgresError) else None
    return [f"  {line}" for line in (context or "").splitlines() if line.startswith("PL/pgSQL function ")]
