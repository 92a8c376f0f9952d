"""The sandboxes whose clock was moved, for the workers: what is due there is due at their time."""

import time
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection

_CHECK_SECONDS = 1.0
_MOST = 500  # that one worker serves; there is one for each developer who tries something


class MovedClock(NamedTuple):
    tenant_id: UUID
    seconds: int


class MovedClocks:
    """For a worker, which asks before each turn; the answer is at most a second old.

    An outdated one does no harm: a queue gives out only what belongs to businesses at the time of the session.
    """

    def __init__(self) -> None:
        self._clocks: list[MovedClock] = []
        self._asked_at = -_CHECK_SECONDS

    async def read(self, conn: Connection) -> list[MovedClock]:
        if time.monotonic() - self._asked_at >= _CHECK_SECONDS:
            rows = await conn.fetch(
                "SELECT id, clock_ahead FROM tenants WHERE clock_ahead IS NOT NULL ORDER BY id LIMIT $1", _MOST
            )
            self._clocks = [MovedClock(*row) for row in rows]
            self._asked_at = time.monotonic()
        return self._clocks


def in_session_clock(tenant: str) -> str:
    """A condition: the business is at the time of this session."""
    return f"""EXISTS (SELECT t.id FROM tenants t
                      WHERE t.id = {tenant} AND t.clock_ahead IS NOT DISTINCT FROM session_clock())"""
