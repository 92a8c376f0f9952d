"""CPU time of 300 idle event streams, and the delay until all of them receive an event."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple
from uuid import UUID

from bench import bounds, requests
from bench.processes import Server
from bench.report import progress
from bench.results import Check, Result
from bench.run import Run
from bench.tenants import BookableTenant, add_member, make_small_tenant
from bench.usage import cpu_seconds
from frontdesk.postgres.pool import Connection

_PAGES = 300
_OF_TENANT = 3
_IDLE_SECONDS = 30.0
_CHANGES = 20


class _Reader(NamedTuple):
    tenant_id: UUID
    session: str


def measure(run: Run) -> Result:
    async def make(conn: Connection) -> tuple[list[BookableTenant], list[_Reader]]:
        tenants = [await make_small_tenant(conn, number) for number in range(_PAGES // _OF_TENANT)]
        readers = [
            _Reader(tenant.access.tenant_id, await add_member(conn, tenant.access.tenant_id, "receptionist"))
            for tenant in tenants
            for _ in range(_OF_TENANT)
        ]
        return tenants, readers

    tenants, readers = run.prepare(make)
    with run.service() as service:
        return Result(checks=asyncio.run(_measure(run, service, tenants, readers)))


async def _measure(
    run: Run, service: Server, tenants: Sequence[BookableTenant], readers: Sequence[_Reader]
) -> list[Check]:
    await asyncio.sleep(2)  # the start is over
    alone = await _idle_cores(service.pid), await _idle_cores(run.postmaster)
    pages = [await _Page.open(service.port, reader) for reader in readers]
    await asyncio.sleep(2)
    service_cores, database_cores = await _both(service.pid, run.postmaster)
    progress(f"idle, no page: service {alone[0]:.4f} cores, database {alone[1]:.4f}")
    progress(f"idle, {len(pages)} pages: service {service_cores:.4f} cores, database {database_cores:.4f}")
    watching = [page for page in pages if page.tenant_id == tenants[0].access.tenant_id]
    orders = requests.Orders(tenants[:1]).unpaid(_CHANGES)
    delays = [await _delay(run, service, order, watching) for order in orders]
    for page in pages:
        page.close()
    return [
        Check(
            f"cores of the service with {len(pages)} open pages, nothing happens",
            service_cores,
            bounds.OPEN_PAGES_CORES,
        ),
        Check(f"cores of the database with {len(pages)} open pages", database_cores, bounds.OPEN_PAGES_CORES),
        Check(
            f"seconds until a page receives an event, median (longest {max(delays):.2f})",
            median(delays),
            bounds.OPEN_PAGES_DELAY_SECONDS,
        ),
    ]


async def _both(service: int, database: int) -> tuple[float, float]:
    before = cpu_seconds(service), cpu_seconds(database)
    await asyncio.sleep(_IDLE_SECONDS)
    return (cpu_seconds(service) - before[0]) / _IDLE_SECONDS, (cpu_seconds(database) - before[1]) / _IDLE_SECONDS


async def _idle_cores(pid: int) -> float:
    before = cpu_seconds(pid)
    await asyncio.sleep(_IDLE_SECONDS / 3)
    return (cpu_seconds(pid) - before) / (_IDLE_SECONDS / 3)


async def _delay(run: Run, service: Server, order: bytes, pages: Sequence["_Page"]) -> float:
    """From the response that an order was created to the last of its tenant's pages."""
    await asyncio.to_thread(run.callers.send_all, service.port, [order], status=201)
    began = time.perf_counter()
    await asyncio.gather(*(page.received() for page in pages))
    return time.perf_counter() - began


class _Page:
    def __init__(self, tenant_id: UUID, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tenant_id = tenant_id
        self._reader = reader
        self._writer = writer

    @staticmethod
    async def open(port: int, reader: _Reader) -> "_Page":
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", port)
        cookie = f"frontdesk_session={reader.session}"
        outgoing.write(requests.page("/live", cookie, accept="text/event-stream"))
        head = await incoming.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise SystemExit(f"bench: unexpected response: {head!r}")
        return _Page(reader.tenant_id, incoming, outgoing)

    async def received(self) -> None:
        async with asyncio.timeout(10):
            await self._reader.readuntil(b"event: order")

    def close(self) -> None:
        self._writer.close()
