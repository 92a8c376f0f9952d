"""Sends changes of orders to open pages.

One task per process asks the database twice a second for the last sequence of all tenants that have a page open: one
statement, however many they are. It reads the events of a tenant only when there are new ones. The reasons are in
docs/decisions/0044-live-pages.md.
"""

import asyncio
import time
from collections.abc import Iterable
from uuid import UUID

from prometheus_client import Gauge

from frontdesk.accounts.session_queries import list_valid_sessions
from frontdesk.live.problems import LiveProblem
from frontdesk.live.queries import MAX_EVENTS, find_events_after, last_sequences, list_events_after
from frontdesk.live.stream import Stream
from frontdesk.live.types import Viewer, as_message, as_reset
from frontdesk.postgres.failures import UNAVAILABLE
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.supervise import Supervised, record_failure, record_success, supervise
from frontdesk.problems import Problem

TICK_SECONDS = 0.5
CHECK_SECONDS = 10.0  # between checks of all sessions; those of a tenant are also checked before an event is sent
MAX_STREAMS = 400  # of one process, half of its connections (http/protocol.py)
MAX_STREAMS_OF_TENANT = 100  # so that no single business takes all of them
MAX_STREAMS_OF_USER = 12
RETRY_SECONDS = 20
_open_pages = Gauge("frontdesk_live_pages", "Open pages that follow what happens", multiprocess_mode="livesum")


class LiveFeed:
    """The open pages of one process."""

    def __init__(self, database: Pool) -> None:
        self._database = database
        self._streams: dict[UUID, set[Stream]] = {}
        self._sent: dict[UUID, int] = {}  # by tenant: the last sequence that its streams got
        self._opening = asyncio.Lock()  # the first stream of a tenant decides where its reading begins
        self._checked_at = 0.0
        self._task: Supervised | None = None

    async def read(self, viewer: Viewer, after: int) -> bytes:
        """What happened since event `after`, for a page that asks from time to time."""
        async with self._database.connection(viewer.tenant_id) as conn:
            found = await find_events_after(conn, viewer.tenant_id, after)
        if not found.is_complete:
            return as_reset(found.last)
        return b"".join(as_message(event, viewer) for event in found.events if viewer.may_see(event))

    async def open(self, viewer: Viewer, after: int) -> Stream:
        """The stream is registered first, so that what happens while it catches up is not lost; it skips what it gets
        twice.
        """
        self._check_room(viewer)
        stream = Stream(viewer, after, self._remove)
        self._streams.setdefault(viewer.tenant_id, set()).add(stream)
        _open_pages.inc()
        try:
            async with self._opening, self._database.connection(viewer.tenant_id) as conn:
                found = await find_events_after(conn, viewer.tenant_id, after)
                self._sent.setdefault(viewer.tenant_id, found.last)
        except BaseException:
            stream.end()
            raise
        if found.is_complete:
            stream.catch_up(found.events, found.last)
        else:
            stream.reset(found.last)
        if self._task is None or self._task.is_done:
            self._task = supervise("live pages", self._run)
        return stream

    def _check_room(self, viewer: Viewer) -> None:
        of_tenant = self._streams.get(viewer.tenant_id, ())
        of_user = sum(s.viewer.user_id == viewer.user_id for s in of_tenant)
        if of_user >= MAX_STREAMS_OF_USER:
            raise Problem(LiveProblem.TOO_MANY_OF_USER, seconds=RETRY_SECONDS)
        if len(of_tenant) >= MAX_STREAMS_OF_TENANT:
            raise Problem(LiveProblem.TOO_MANY_OF_TENANT, seconds=RETRY_SECONDS)
        if sum(map(len, self._streams.values())) >= MAX_STREAMS:
            raise Problem(LiveProblem.TOO_MANY, seconds=RETRY_SECONDS)

    def _remove(self, stream: Stream) -> None:
        """The first request after the last stream of a tenant starts anew."""
        _open_pages.dec()
        tenant_id = stream.viewer.tenant_id
        streams = self._streams.get(tenant_id, set())
        streams.discard(stream)
        if not streams:
            self._streams.pop(tenant_id, None)
            self._sent.pop(tenant_id, None)

    async def _run(self) -> None:
        """Ends when no page is open. Nothing is lost while it fails, because the events stay."""
        while self._streams:
            await asyncio.sleep(TICK_SECONDS)
            await self._tick()
            record_success()

    async def _tick(self) -> None:
        now = time.monotonic()
        async with self._database.connection() as conn:
            last = await last_sequences(conn, list(self._sent))
            changed = [tenant_id for tenant_id, sent in self._sent.items() if last.get(tenant_id, sent) != sent]
            if now - self._checked_at >= CHECK_SECONDS:
                self._checked_at = now
                await self._end_invalid(conn, self._streams)
            elif changed:
                await self._end_invalid(conn, changed)
            for tenant_id in changed:
                if tenant_id in self._sent:  # a page that opens just now reads by itself what it has missed
                    await self._tell_or_reset(conn, tenant_id, last[tenant_id])
        for streams in self._streams.values():
            for stream in streams:
                stream.keep_alive(now)

    async def _tell_or_reset(self, conn: Connection, tenant_id: UUID, last: int) -> None:
        """Events that cannot be sent must not stop those of other tenants: the pages of this one load everything."""
        try:
            await self._tell(conn, tenant_id, last)
        except UNAVAILABLE:
            raise
        except Exception as failure:  # noqa: BLE001 - whatever is wrong with an event of one tenant
            record_failure(failure)
            for stream in list(self._streams.get(tenant_id, ())):
                stream.reset(last)
            self._keep_sent(tenant_id, last)

    async def _tell(self, conn: Connection, tenant_id: UUID, last: int) -> None:
        events = await list_events_after(conn, tenant_id, self._sent[tenant_id])
        if len(events) == MAX_EVENTS:
            last = events[-1].sequence  # the rest with the next tick
        for stream in list(self._streams.get(tenant_id, ())):
            stream.send(events, last)
        self._keep_sent(tenant_id, last)

    def _keep_sent(self, tenant_id: UUID, last: int) -> None:
        """Unless its last page has gone meanwhile."""
        if tenant_id in self._sent:
            self._sent[tenant_id] = last

    async def _end_invalid(self, conn: Connection, tenant_ids: Iterable[UUID]) -> None:
        """Ends the streams of sessions that have ended, or whose user has another role or tenant now."""
        streams = [stream for tenant_id in tenant_ids for stream in self._streams.get(tenant_id, ())]
        sessions = await list_valid_sessions(conn, list({s.viewer.session_id for s in streams}))
        valid = {(s.id, s.tenant_id, s.role, s.staff_id) for s in sessions}
        for stream in streams:
            viewer = stream.viewer
            if (viewer.session_id, viewer.tenant_id, viewer.role, viewer.staff_id) not in valid:
                stream.end()

    async def stop(self) -> None:
        for stream in [s for streams in self._streams.values() for s in streams]:
            stream.end()
        if self._task is not None:
            await self._task.stop()
