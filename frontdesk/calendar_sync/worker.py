"""Fetches the calendars elsewhere that are due, in a loop. Workers share one queue."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import msgspec
import structlog

from frontdesk.calendar_sync.external_calendar_queries import (
    DueCalendar,
    WaitingCalendar,
    claim,
    list_due,
    store_failure,
    store_fetched,
)
from frontdesk.calendar_sync.fetch import FetchFailed, fetch_calendar, pause_after
from frontdesk.calendar_sync.problems import FetchProblem
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.postgres.failures import trace
from frontdesk.postgres.pool import Pool
from frontdesk.postgres.supervise import record_failure, record_success, supervise
from frontdesk.problems import Problem
from frontdesk.security.encryption import SecretBox

_POLL = 5.0  # seconds
_AT_ONCE = 6  # each may start a process that reads the file
# Of them: slow calendars of one server, or of one business, leave room for the others.
_OF_A_HOST = 3
_OF_A_BUSINESS = 2
_log = structlog.get_logger("frontdesk.calendar_sync")


class CalendarWorker:
    def __init__(self, database: Pool, client: OutboundClient, secret_box: SecretBox) -> None:
        self._database = database
        self._client = client
        self._secret_box = secret_box
        self._in_flight: dict[asyncio.Task[None], DueCalendar] = {}

    def start(self) -> None:
        self._running = supervise("calendars", self._run)

    async def stop(self) -> None:
        """What was being fetched is fetched again when its lease ends."""
        await self._running.stop()
        for task in self._in_flight:
            task.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await self._start_due()
            record_success()
            pause = asyncio.create_task(asyncio.sleep(_POLL))
            await asyncio.wait([pause, *self._in_flight], return_when=asyncio.FIRST_COMPLETED)
            pause.cancel()

    async def fetch_due(self) -> int:
        """Waits for them. Returns how many were due."""
        started = await self._start_due()
        await asyncio.gather(*started)
        return len(started)

    async def _start_due(self) -> list["asyncio.Task[None]"]:
        if len(self._in_flight) == _AT_ONCE:
            return []
        async with self._database.connection() as conn:
            due = await claim(conn, self._choose(await list_due(conn, _AT_ONCE * _OF_A_HOST, _OF_A_BUSINESS)))
        started = [asyncio.create_task(self._process(calendar)) for calendar in due]
        for task, calendar in zip(started, due, strict=True):
            self._in_flight[task] = calendar
            task.add_done_callback(self._in_flight.pop)
        return started

    def _choose(self, waiting: Sequence[WaitingCalendar]) -> list[WaitingCalendar]:
        hosts = Counter(calendar.host for calendar in self._in_flight.values())
        businesses = Counter(calendar.tenant_id for calendar in self._in_flight.values())
        chosen: list[WaitingCalendar] = []
        for calendar in waiting:
            if len(self._in_flight) + len(chosen) == _AT_ONCE:
                break
            if hosts[calendar.host] < _OF_A_HOST and businesses[calendar.tenant_id] < _OF_A_BUSINESS:
                chosen.append(calendar)
                hosts[calendar.host] += 1
                businesses[calendar.tenant_id] += 1
        return chosen

    async def _process(self, calendar: DueCalendar) -> None:
        """One calendar must not stop the others. What could not be stored is fetched again when its lease ends."""
        try:
            await self._fetch(calendar)
        except Exception as failure:  # noqa: BLE001 - a database that is lost, or a bug
            record_failure(failure)

    async def _fetch(self, calendar: DueCalendar) -> None:
        try:
            found = await fetch_calendar(calendar, self._client, self._secret_box)
        except FetchFailed as failed:
            async with self._database.connection() as conn:
                await store_failure(conn, calendar, failed, pause_after(calendar.failures))
            return
        except Exception as failure:  # noqa: BLE001 - one calendar must not stop the others
            _log.error("calendar failed here", staff=str(calendar.staff_id), trace=trace(failure))
            async with self._database.connection() as conn:
                await store_failure(conn, calendar, Problem(FetchProblem.NO_CALENDAR), pause_after(calendar.failures))
            return
        async with self._database.connection() as conn:
            await store_fetched(conn, calendar.tenant_id, msgspec.json.encode(found))
