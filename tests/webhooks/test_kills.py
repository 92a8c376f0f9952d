"""kill -9 of servers and workers at random moments: every event that was committed arrives, and no other."""

import asyncio
import random
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.pool import Connection, connect
from tests.support.programs.commands import FRONTDESK, free_port, settings_environment
from tests.support.repetitions import repetitions
from tests.support.servers.receiver import Receiver, receiving
from tests.support.service import PLENTY, SECRET_KEYS
from tests.support.shop import NO_CERTIFICATES, Shop
from tests.support.waiting import eventually

KILLS = repetitions(2, long=200)
MIN_CUSTOMERS = 20
PATIENCE_SECONDS = 180.0  # more than a lease


class Processes:
    """Two servers, one of which delivers too, and two workers; a killed process is started again."""

    def __init__(self, dsn: str, folder: Path) -> None:
        self._settings = {"database_url": dsn, "data_dir": folder, "webhook_allow_private": "on"}
        self.ports = [free_port(), free_port()]
        self._members = [
            (("serve", "--no-worker"), self.ports[0]),
            (("serve",), self.ports[1]),
            (("worker",), 0),
            (("worker",), 0),
        ]
        self._processes: list[asyncio.subprocess.Process] = []
        self._since = [0.0] * len(self._members)
        self._pause = 0.0
        self.kills = 0

    async def start(self) -> None:
        began = time.monotonic()
        self._processes = [await self._launch(number) for number in range(len(self._members))]
        await asyncio.gather(*(_until_answering(port) for port in self.ports))
        self._pause = time.monotonic() - began  # what this machine, with its load, needs to start one

    async def kill_one(self) -> None:
        """A server and a worker in turn. Who has only just been started is left alone until it does some work."""
        kind = ("serve", "worker")[self.kills % 2]
        members = [number for number, (arguments, _) in enumerate(self._members) if arguments[0] == kind]
        ready = [number for number in members if await self._is_ready(number)]
        if ready:
            number = random.choice(ready)
            self._processes[number].send_signal(signal.SIGKILL)
            await self._processes[number].wait()
            self._processes[number] = await self._launch(number)
            self.kills += 1

    async def _is_ready(self, number: int) -> bool:
        port = self._members[number][1]
        return await _is_answering(port) if port else time.monotonic() - self._since[number] > self._pause

    async def end(self) -> None:
        for process in self._processes:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
        for process in self._processes:
            await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)

    async def _launch(self, number: int) -> asyncio.subprocess.Process:
        arguments, port = self._members[number]
        self._since[number] = time.monotonic()
        port_setting = {"port": port} if port else {}
        environment = settings_environment(**self._settings, **port_setting, secret_key=SECRET_KEYS[0])
        null = asyncio.subprocess.DEVNULL
        return await asyncio.create_subprocess_exec(FRONTDESK, *arguments, env=environment, stdout=null, stderr=null)


async def _is_answering(port: int) -> bool:
    with suppress(httpx2.TransportError):
        async with httpx2.AsyncClient(verify=NO_CERTIFICATES, timeout=5) as http:
            return (await http.get(f"http://127.0.0.1:{port}/health/ready")).status_code == 200
    return False


async def _until_answering(port: int) -> None:
    async def look() -> list[Any]:
        return [port] if await _is_answering(port) else []

    await eventually(look, PATIENCE_SECONDS)


@asynccontextmanager
async def running_processes(dsn: str, folder: Path) -> AsyncIterator[Processes]:
    fleet = Processes(dsn, folder)
    await fleet.start()
    try:
        yield fleet
    finally:
        await fleet.end()


class CustomerWriter:
    """Customers whose creation was acknowledged."""

    def __init__(self, shop: Shop, ports: list[int]) -> None:
        self._shop = shop
        self._ports = ports
        self._next = iter(range(500_000_000, 600_000_000))
        self.acknowledged: set[str] = set()
        self.refused = self.unanswered = 0
        self.closing = False

    async def write(self) -> None:
        """One of many who make customers, some of them twice; what the killed do not answer may be there or not."""
        bearer = {"authorization": f"Bearer {await self._shop.token()}"}
        phone = ""
        async with httpx2.AsyncClient(timeout=120, verify=NO_CERTIFICATES, headers=bearer) as http:
            while not self.closing:
                phone = phone if phone and random.random() < 0.2 else f"+966{next(self._next)}"
                body = {"first_name": "Noura", "phone": phone, "phone_country": "SA"}
                url = f"http://127.0.0.1:{random.choice(self._ports)}/open-api/v1/customers"
                try:
                    answer = await http.post(url, json=body)
                except httpx2.TransportError:
                    self.unanswered += 1
                    await asyncio.sleep(0.02)
                else:
                    self._note(answer)
                await asyncio.sleep(0.01)

    async def are_enough(self) -> bool:
        return len(self.acknowledged) > MIN_CUSTOMERS and self.refused > 0

    def _note(self, answer: httpx2.Response) -> None:
        if answer.status_code == 201:
            self.acknowledged.add(answer.json()["data"]["id"])
        elif answer.status_code == 422:
            assert list(answer.json()["errors"]) == ["phone"], answer.text
            self.refused += 1
        else:
            assert answer.status_code == 503, answer.text


@pytest.mark.torture
@pytest.mark.timeout(300 + KILLS * 6)
async def test_webhooks_deliver_exactly_the_committed_events_when_processes_are_killed(
    empty_dsn: str, tmp_path: Path
) -> None:
    raw = await connect(empty_dsn)
    async with receiving() as receiver, running_processes(empty_dsn, tmp_path) as fleet:
        sandbox = await create_sandbox(Connection(raw), rate_limit=PLENTY)
        shop = Shop(f"http://127.0.0.1:{fleet.ports[0]}", empty_dsn, sandbox)
        made = await shop.post("/webhooks", {"url": receiver.url, "events": ["customer.created"]})
        assert made.status_code == 201, made.text
        books = CustomerWriter(shop, fleet.ports)
        writers = [asyncio.create_task(books.write()) for _ in range(4)]
        while fleet.kills < KILLS:
            await asyncio.sleep(random.uniform(0.1, 1.2))
            await fleet.kill_one()
        await eventually(books.are_enough, PATIENCE_SECONDS)
        books.closing = True
        await asyncio.gather(*writers)
        await _until_all_is_delivered(raw)
        await _check_books(raw, sandbox.tenant_id, books, receiver)
    await raw.close()


async def _until_all_is_delivered(raw: Any) -> None:
    async def look() -> list[Any]:
        return [] if await raw.fetch("SELECT FROM webhook_deliveries WHERE state <> 'delivered'") else [True]

    await eventually(look, PATIENCE_SECONDS)


async def _check_books(raw: Any, tenant_id: UUID, books: CustomerWriter, receiver: Receiver) -> None:
    rows = await raw.fetch("SELECT id, sequence, data FROM events WHERE tenant_id = $1 ORDER BY sequence", tenant_id)
    assert [row["sequence"] for row in rows] == list(range(1, len(rows) + 1))
    emitted = {msgspec.json.decode(row["data"])["customer"]["id"] for row in rows}
    assert books.acknowledged <= emitted
    assert len(emitted) == len(rows)
    kept = await raw.fetch("SELECT id FROM customers WHERE tenant_id = $1 AND first_name = 'Noura'", tenant_id)
    assert emitted == {str(row["id"]) for row in kept}
    assert set(receiver.ids()) == {str(row["id"]) for row in rows}
    assert {received.event["sequence"] for received in receiver.received} == {row["sequence"] for row in rows}
