"""Fetches the calendars elsewhere that are due, in a loop. Workers share one queue."""

import asyncio
from contextlib import suppress

import asyncpg
import msgspec
import structlog

from frontdesk.calendars.fetch import NO_CALENDAR, FetchFailed, fetch_calendar, pause_after
from frontdesk.calendars.outside_queries import DueCalendar, claim_due, store_failure, store_fetched
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.pool import Pool, PoolTimeout
from frontdesk.security.encryption import SecretBox

_POLL = 5.0  # seconds
_AT_ONCE = 4  # each may start a process that reads the file
_LOST = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, PoolTimeout)
_log = structlog.get_logger("frontdesk.calendars")


class CalendarWorker:
    def __init__(self, database: Pool, client: OutboundClient, secret_box: SecretBox) -> None:
        self._database = database
        self._client = client
        self._secret_box = secret_box

    def start(self) -> None:
        self._running = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """What was being fetched is fetched again when its lease ends."""
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running

    async def _run(self) -> None:
        while True:
            try:
                fetched = await self.fetch_due()
            except _LOST as lost:
                _log.warning("calendars wait for the database", reason=type(lost).__name__)
                fetched = 0
            if fetched < _AT_ONCE:
                await asyncio.sleep(_POLL)

    async def fetch_due(self) -> int:
        """Returns how many were due."""
        async with self._database.connection() as conn:
            due = await claim_due(conn, _AT_ONCE)
        await asyncio.gather(*(self._fetch(calendar) for calendar in due))
        return len(due)

    async def _fetch(self, calendar: DueCalendar) -> None:
        try:
            found = await fetch_calendar(calendar, self._client, self._secret_box)
        except FetchFailed as failed:
            async with self._database.connection() as conn:
                await store_failure(conn, calendar, str(failed), pause_after(calendar.failures))
            return
        except Exception as failure:  # noqa: BLE001 - one calendar must not stop the others
            _log.error("calendar failed here", staff=str(calendar.staff_id), reason=type(failure).__name__)
            async with self._database.connection() as conn:
                await store_failure(conn, calendar, NO_CALENDAR, pause_after(calendar.failures))
            return
        async with self._database.connection() as conn:
            await store_fetched(conn, calendar.tenant_id, msgspec.json.encode(found))
