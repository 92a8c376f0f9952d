"""The rule that nothing outside the database is awaited while a database connection is held.

A process has ten connections. A handler that waits for a name server while it holds one makes every other tenant
wait too. `PooledConnection` counts the connections of the current task, and each function that waits for the network
calls `require_no_connection` first. The test suite sets `STRICT`, so a handler that breaks the rule fails there; in
production the violation is logged and the request continues.
"""

from contextvars import ContextVar

import structlog

STRICT = False
_taken: ContextVar[int] = ContextVar("taken_connections", default=0)
_log = structlog.get_logger("frontdesk.database")


class ConnectionHeld(RuntimeError):
    """Code was about to wait for the network while it held a database connection."""


def count_taken() -> None:
    _taken.set(_taken.get() + 1)


def count_returned() -> None:
    _taken.set(_taken.get() - 1)


def require_no_connection(waits_for: str) -> None:
    if _taken.get() <= 0:
        return
    if STRICT:
        raise ConnectionHeld(f"{waits_for} is awaited while a database connection is held")
    _log.warning("connection held while waiting", waits_for=waits_for)
