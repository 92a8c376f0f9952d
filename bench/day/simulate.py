"""Runs the day against a service, a worker and a database, all on loopback. It ends by itself."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.day.businesses import Business, make_businesses
from bench.day.client import Client
from bench.day.observe import TableSize, Used, read_used, wait_for_queues, watching
from bench.day.plan import Arrival, plan_day
from bench.day.sinks import Arrived
from bench.day.visits import VISITS
from bench.processes import LineProcess, line_process, running_service, running_worker
from bench.report import progress
from bench.results import percentile
from bench.run import connection, postmaster_of
from frontdesk.postgres.pool import Connection

_AT_A_TIME = 200  # visits; the connections of a process are bounded too
_GIVE_UP_SECONDS = 30  # a day that is so late does not hold
_SETTINGS = {
    "TRUSTED_PROXIES": "127.0.0.1",  # every visitor of a public page has an address of their own
    "WEBHOOK_ALLOW_PRIVATE": "on",
    "MAIL_FROM": "desk@bench.example",
    "ORIGIN": "http://127.0.0.1",
}


class Size(NamedTuple):
    businesses: int
    orders: int  # of each, in the whole day
    speed: float  # how many seconds of the day pass in one


class Times(msgspec.Struct):
    """Of one kind of request, in milliseconds."""

    requests: int
    p50: float
    p99: float


class Day(msgspec.Struct, kw_only=True):
    businesses: int
    orders_each: int
    speed: float
    seconds: float
    orders: int
    not_sent: int  # arrivals after the day was given up
    latest_seconds: float  # by which an arrival had to wait for its turn
    requests: dict[str, Times]
    failures: dict[str, int]
    arrived: Arrived
    drained_seconds: float  # until the queues were empty
    cpu_seconds: dict[str, float]
    memory_bytes: dict[str, int]
    connections: int
    queue_seconds: dict[str, float]  # the oldest that waited
    log_bytes: int
    tables: dict[str, TableSize]  # what was added

    @property
    def holds(self) -> bool:
        """Nobody was turned away, and the day was not late by more than a second at any time."""
        return not self.failures and not self.not_sent and self.latest_seconds < 1


def simulate(dsn: str, folder: Path, size: Size) -> Day:
    with ExitStack() as stack:
        sinks = stack.enter_context(line_process("bench.day.sinks"))
        webhook_port, mail_port = map(int, sinks.read_line().split())
        settings = {**_SETTINGS, "SMTP_URL": f"smtp://127.0.0.1:{mail_port}"}
        service = stack.enter_context(running_service(dsn, folder, "--no-worker", **settings))
        worker = stack.enter_context(running_worker(dsn, folder, **settings))
        programs = {"service": service.pid, "worker": worker.pid, "database": postmaster_of(dsn)}
        return asyncio.run(_simulate(dsn, service.port, webhook_port, sinks, programs, size))


async def _simulate(
    dsn: str, port: int, webhook_port: int, sinks: LineProcess, programs: Mapping[str, int], size: Size
) -> Day:
    async with connection(dsn) as conn:
        progress(f"making {size.businesses:,} businesses")
        businesses = await make_businesses(conn, size.businesses, webhook_port)
        before, first = await read_used(conn, programs), await _count_orders(conn)
        arrivals, client = plan_day(size.businesses, size.orders, size.speed), Client(port)
        progress(f"{len(arrivals):,} arrivals in {arrivals[-1].at:.0f} s")
        async with watching(dsn, programs) as peaks:
            began = time.monotonic()
            lateness = await _run(client, businesses, arrivals)
            seconds = time.monotonic() - began
            drained = await wait_for_queues(conn)
        client.close()
        after, orders = await read_used(conn, programs), await _count_orders(conn) - first
    return Day(
        businesses=size.businesses,
        orders_each=size.orders,
        speed=size.speed,
        seconds=seconds,
        orders=orders,
        not_sent=lateness.not_sent,
        latest_seconds=lateness.latest,
        requests={name: _times(times) for name, times in sorted(client.times.items())},
        failures=dict(client.failures),
        arrived=sinks.exchange(b"", Arrived),
        drained_seconds=drained,
        cpu_seconds={name: after.cpu_seconds[name] - before.cpu_seconds[name] for name in programs},
        memory_bytes=peaks.memory,
        connections=peaks.connections,
        queue_seconds=peaks.queue_seconds,
        log_bytes=after.log_bytes - before.log_bytes,
        tables=_added(before, after),
    )


class _Lateness(NamedTuple):
    latest: float
    not_sent: int


async def _run(client: Client, businesses: Sequence[Business], arrivals: Sequence[Arrival]) -> _Lateness:
    """Everybody comes at their time, whether or not those before have left; but no more than some at a time."""
    turns, latest, began = asyncio.Semaphore(_AT_A_TIME), 0.0, time.monotonic()

    async def visit(arrival: Arrival) -> None:
        try:
            await VISITS[arrival.kind](client, businesses[arrival.business])
        finally:
            turns.release()

    async with asyncio.TaskGroup() as visits:
        for number, arrival in enumerate(arrivals):
            await asyncio.sleep(max(0.0, began + arrival.at - time.monotonic()))
            await turns.acquire()
            latest = max(latest, time.monotonic() - began - arrival.at)
            if latest > _GIVE_UP_SECONDS:
                return _Lateness(latest, len(arrivals) - number)
            visits.create_task(visit(arrival))
    return _Lateness(latest, 0)


async def _count_orders(conn: Connection) -> int:
    counted: int = await conn.fetchval("SELECT count(*) FROM orders")
    return counted


def _times(times: list[float]) -> Times:
    ordered = sorted(times)
    return Times(len(times), percentile(ordered, 50) * 1000, percentile(ordered, 99) * 1000)


def _added(before: Used, after: Used) -> dict[str, TableSize]:
    added = {
        name: TableSize(*(now - then for now, then in zip(size, before.tables[name], strict=True)))
        for name, size in after.tables.items()
    }
    return {name: size for name, size in added.items() if size.table + size.indexes > 0}
