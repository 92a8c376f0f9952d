"""Whether this database sends mail and webhooks. A restored copy does not, until an operator says so.

The copy has the original's queues: what it sent would reach the same customers and programs a second time.
"""

import time
from datetime import datetime

from frontdesk.postgres.pool import Connection

_CHECK_SECONDS = 2.0
NOT_SENDING = "mail and webhooks are not sent: this database is a restored copy; start with `frontdesk sending on`"


async def held_since(conn: Connection) -> datetime | None:
    """None: it sends."""
    since: datetime | None = await conn.fetchval("SELECT since FROM held_sending")
    return since


async def hold_sending(conn: Connection) -> None:
    await conn.execute("INSERT INTO held_sending DEFAULT VALUES ON CONFLICT DO NOTHING")


async def resume_sending(conn: Connection) -> None:
    await conn.execute("DELETE FROM held_sending")


class SendingCheck:
    """For a worker, which asks before each turn; the answer is at most some seconds old."""

    def __init__(self) -> None:
        self._is_held = True
        self._asked_at = -_CHECK_SECONDS

    async def is_held(self, conn: Connection) -> bool:
        if time.monotonic() - self._asked_at >= _CHECK_SECONDS:
            self._is_held = await held_since(conn) is not None
            self._asked_at = time.monotonic()
        return self._is_held
