"""Clients that open connections and send nothing, or only half of it, keep nobody else out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest

from frontdesk.http import connections
from frontdesk.http.connections import Admission, Connections
from tests.support.http_errors import RawResponse, assert_error, read_response
from tests.support.service import Service, running_service

HALF = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\nx-slow: "
WHOLE = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n"
SLOW_BODY = b"POST /sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nemail="
LOGIN = b"GET /sign-in HTTP/1.1\r\nhost: localhost\r\n\r\n"
WAIT = 60


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self) -> RawResponse:
        async with asyncio.timeout(WAIT):
            return await read_response(self.reader, bare=False)

    async def is_ended(self) -> bool:
        """With or without a refusal: the server may end it before it has read anything."""
        try:
            async with asyncio.timeout(WAIT):
                left = await self.reader.read()
        except ConnectionResetError:
            return True
        return not left or left.startswith(b"HTTP/1.1 503 ")

    async def ask(self, data: bytes = WHOLE) -> RawResponse:
        await self.send(data)
        return await self.answer()


@asynccontextmanager
async def clients(service: Service, count: int, address: str = "127.0.0.1") -> AsyncIterator[list[Client]]:
    port = urlsplit(service.origin).port
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(count):
            client = Client(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)))
            stack.callback(client.writer.close)
            opened.append(client)
        yield opened


@pytest.fixture
async def small(service: Service, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A server of its own, which takes forty connections."""
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 40)
    monkeypatch.setattr(connections, "MAX_OF_ADDRESS", 10)
    monkeypatch.setattr(connections, "RESERVED", 3)
    async with running_service(service.dsn) as server:
        yield server


@pytest.mark.parametrize("half", [b"", HALF], ids=["nothing", "half"])
async def test_the_oldest_head_that_is_not_complete_goes_first(small: Service, half: bytes) -> None:
    """A proxy of the same machine has no share, so one address can fill the server."""
    async with clients(small, 45) as slow:
        for client in slow:
            await client.send(half)
        async with clients(small, 1, "127.0.0.2") as (other,):
            assert (await other.ask()).status_code == 200
        assert all([await client.is_ended() for client in slow[:5]])
        await slow[-1].send(b"a\r\n\r\n" if half else WHOLE)
        assert (await slow[-1].answer()).status_code == 200  # the newest of them is still there


async def test_connections_of_one_address_are_limited(small: Service) -> None:
    async with clients(small, 15, "127.0.0.3") as slow, clients(small, 1, "127.0.0.2") as (first,):
        for client in slow:
            await client.send(HALF)
        assert all([await client.is_ended() for client in slow[:5]])
        await slow[5].send(b"a\r\n\r\n")
        assert (await slow[5].answer()).status_code == 200  # the ten newest are still there
        assert (await first.ask()).status_code == 200
        async with clients(small, 1, "127.0.0.3") as (own,):
            assert (await own.ask()).status_code == 200  # in the place of the next oldest


async def test_idle_connections_and_slow_bodies_give_way_to_new_ones(small: Service) -> None:
    async with clients(small, 20) as idle, clients(small, 20) as slow:
        for client in idle:
            assert (await client.ask()).status_code == 200
        for client in slow:
            await client.send(SLOW_BODY)
        async with clients(small, 25) as others:  # all of them before the first has sent anything
            assert {(await client.ask()).status_code for client in others} == {200}
            assert all([await client.is_ended() for client in (*idle, *slow[:5])])


def test_a_server_whose_connections_are_all_at_work_still_answers_health_checks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Worker:
        def give_way(self) -> None:
            raise AssertionError("it is at work")

    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(connections, "RESERVED", 1)
    table = Connections(["10.0.0.0/8"])
    for number in range(3):
        worker = Worker()
        assert table.add(worker, f"10.0.0.{number}", 0) is Admission.OPEN
        table.works(worker)
    health, other = Worker(), Worker()
    assert table.add(health, "10.0.0.9", 0) is Admission.HEALTH_ONLY
    table.works(health)
    assert table.add(other, "10.0.0.9", 0) is Admission.REFUSED
    table.remove(other)
    table.remove(health)
    assert table.add(Worker(), "10.0.0.9", 0) is Admission.HEALTH_ONLY


async def test_only_health_checks_are_answered_beyond_the_limit(
    small: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 0)
    async with clients(small, 1) as (check,):
        answer = await check.ask()
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
    async with clients(small, 1) as (visitor,):
        answer = await visitor.ask(LOGIN)
        assert_error(answer, 503, "service_unavailable")
        assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("203.0.113.7", "::ffff:203.0.113.7", True),
    ],
)
def test_an_ipv6_network_is_one_address(monkeypatch: pytest.MonkeyPatch, one: str, other: str, are_same: bool) -> None:
    class Waiting:
        is_closed = False

        def give_way(self) -> None:
            self.is_closed = True

    monkeypatch.setattr(connections, "MAX_OF_ADDRESS", 1)
    table, first = Connections([]), Waiting()
    table.add(first, one, 0)
    table.add(Waiting(), other, 0)
    assert first.is_closed is are_same


async def test_a_process_without_descriptors_says_so_and_goes_on(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(connections, "LAST_DESCRIPTORS", connections.max_descriptors())
    async with running_service(service.dsn) as server, clients(server, 5) as slow:
        for client in slow:
            await client.send(HALF)
        async with clients(server, 1) as (other,):
            assert (await other.ask()).status_code == 200
        assert await slow[0].is_ended()
    assert capsys.readouterr().out.count("out of descriptors") == 1  # in a minute
