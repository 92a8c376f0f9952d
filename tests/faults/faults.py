"""The faults: each strikes an installation under load, and mends itself."""

import asyncio
import os
import random
import resource
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
import msgspec

from frontdesk.values.ids import uuid7
from tests.faults.installation import CLOCK, Installation, signalled
from tests.faults.load import CLIENT_SECONDS, Load
from tests.support.shop import NO_CERTIFICATES, OPEN_API
from tests.support.waiting import eventually

_SHORT, _LONG = 5.0, 18.0  # seconds; the long ones outlast the 15 of a request
_SPARE_DESCRIPTORS = 2
_SPARE_BYTES = 1024 * 1024
_BODY_BYTES, _LARGE_REQUESTS = 900_000, 20


class Fault(NamedTuple):
    name: str
    strike: Callable[[Installation, Load], Awaitable[None]]
    small_disk: str = ""
    has_clock: bool = False


async def kill_server_process(site: Installation, _load: Load) -> None:
    os.kill(random.choice(site.servers[0].processes()), signal.SIGKILL)


async def kill_supervisor(site: Installation, _load: Load) -> None:
    os.kill(site.servers[0].pid, signal.SIGKILL)


async def kill_worker(site: Installation, load: Load) -> None:
    """In the middle of its work."""
    arrived = len(site.receiver.received)
    await eventually(lambda: len(site.receiver.received) > arrived)
    os.kill(site.worker.pid, signal.SIGKILL)


async def kill_database(site: Installation, _load: Load) -> None:
    os.kill(site.database_processes()[0], signal.SIGKILL)


async def kill_database_process(site: Installation, _load: Load) -> None:
    """PostgreSQL ends all others then, and recovers."""
    os.kill(random.choice(site.database_processes()[1:]), signal.SIGKILL)


async def freeze_database(site: Installation, _load: Load) -> None:
    with signalled(site.database_processes(), signal.SIGSTOP, signal.SIGCONT):
        await asyncio.sleep(_LONG)


async def freeze_server_process(site: Installation, _load: Load) -> None:
    with signalled(site.servers[0].processes()[:1], signal.SIGSTOP, signal.SIGCONT):
        await asyncio.sleep(_SHORT)


async def delay_connections(site: Installation, _load: Load) -> None:
    site.proxy.delay = 0.2
    await asyncio.sleep(_SHORT)
    site.proxy.heal()


async def cut_connections(site: Installation, _load: Load) -> None:
    for _ in range(10):
        await asyncio.sleep(random.random() / 2)
        site.proxy.cut()


async def swallow_connections(site: Installation, _load: Load) -> None:
    site.proxy.swallow()
    await asyncio.sleep(_LONG)
    site.proxy.heal()


async def swallow_open_connections(site: Installation, _load: Load) -> None:
    """New ones work."""
    site.proxy.swallow(for_new=False)


async def fill_disk_of_database(site: Installation, _load: Load) -> None:
    with _full(site.folder / "database"):
        await asyncio.sleep(_SHORT)


async def fill_disk_of_log(site: Installation, _load: Load) -> None:
    """While there is something to log."""
    with _full(site.folder / "log"):
        site.proxy.cut()
        await asyncio.sleep(_SHORT)
        os.kill(random.choice(site.servers[0].processes()), signal.SIGKILL)
        await asyncio.sleep(_SHORT)


@contextmanager
def _full(disk: Path) -> Iterator[None]:
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(65536))
    try:
        yield
    finally:
        ballast.unlink()


async def jump_clock(site: Installation, _load: Load) -> None:
    """Of the servers and the worker, not of the database: an hour ahead, an hour behind, and right again."""
    for shift in (3600, -3600, 0):
        (site.folder / CLOCK).write_text(f"{shift:+}")
        await eventually(partial(site.servers[0].is_ahead, shift))
        await asyncio.sleep(_SHORT)


async def exhaust_descriptors(site: Installation, load: Load) -> None:
    """While the database ends its connections, so that new ones are needed."""
    for pid in site.servers[0].processes():
        used = max(int(name) for name in os.listdir(f"/proc/{pid}/fd"))
        _limit(pid, resource.RLIMIT_NOFILE, used + _SPARE_DESCRIPTORS)
    site.proxy.cut()
    await asyncio.sleep(_SHORT)
    for pid in site.servers[0].processes():
        _limit(pid, resource.RLIMIT_NOFILE, None)


async def exhaust_memory(site: Installation, _load: Load) -> None:
    """By requests that need more than there is."""
    for pid in site.servers[0].processes():
        _limit(pid, resource.RLIMIT_AS, _address_space(pid) + _SPARE_BYTES)
    async with httpx2.AsyncClient(base_url=site.origin, timeout=CLIENT_SECONDS, verify=NO_CERTIFICATES) as http:
        large = [http.post(f"{OPEN_API}/orders", content=bytes(_BODY_BYTES)) for _ in range(_LARGE_REQUESTS)]
        await asyncio.gather(*large, return_exceptions=True)
    await asyncio.sleep(_SHORT)
    for pid in site.servers[0].processes():
        _limit(pid, resource.RLIMIT_AS, None)


def _address_space(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()


def _limit(pid: int, kind: int, most: int | None) -> None:
    """The soft limit, or all that the hard one permits."""
    with suppress(ProcessLookupError):
        _, hard = resource.prlimit(pid, kind)
        resource.prlimit(pid, kind, (hard if most is None else most, hard))


async def lose_clients(site: Installation, load: Load) -> None:
    """Of one order: a client that goes away after each of its bytes, and at last one that waits for the answer."""
    key = str(uuid7())
    body = msgspec.json.encode(load.order_body())
    head = (
        f"POST {OPEN_API}/orders HTTP/1.1\r\nhost: frontdesk\r\nauthorization: Bearer {await load.shop.token()}\r\n"
        f"idempotency-key: {key}\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    request = head.encode() + body
    for size in range(len(request) + 1):
        _, writer = await asyncio.open_connection("127.0.0.1", urlsplit(site.origin).port)
        load.requests += 1
        load.refused += 1
        writer.write(request[:size])
        await asyncio.sleep(0)
        writer.transport.abort() if size % 2 else writer.close()
    async with httpx2.AsyncClient(base_url=site.origin, timeout=CLIENT_SECONDS, verify=NO_CERTIFICATES) as http:
        await load.place_order(http, key)


FAULTS = (
    Fault("kill -9 of a server process", kill_server_process),
    Fault("kill -9 of the process that watches the server processes", kill_supervisor),
    Fault("kill -9 of the worker", kill_worker),
    Fault("kill -9 of the database", kill_database),
    Fault("kill -9 of one process of the database", kill_database_process),
    Fault("frozen database", freeze_database),
    Fault("frozen server process", freeze_server_process),
    Fault("connections to the database: slow", delay_connections),
    Fault("connections to the database: cut", cut_connections),
    Fault("connections to the database: all that is sent is lost", swallow_connections),
    Fault("connections to the database: lost, new ones work", swallow_open_connections),
    Fault("full disk of the database", fill_disk_of_database, small_disk="database"),
    Fault("full disk of the log", fill_disk_of_log, small_disk="log"),
    Fault("clock of the servers jumps by an hour, ahead and back", jump_clock, has_clock=True),
    Fault("no descriptors left", exhaust_descriptors),
    Fault("no memory left", exhaust_memory),
    Fault("clients that go away after each byte", lose_clients),
)
UPGRADE = "rolling upgrade, back, and again, behind HAProxy"
NAMES = [*(fault.name for fault in FAULTS), UPGRADE]
