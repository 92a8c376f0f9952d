"""A receiver of webhooks on loopback that keeps what it was sent and answers as a test wants."""

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import msgspec

from tests.support.programs.commands import free_port
from tests.support.waiting import PATIENCE_SECONDS


class Received(msgspec.Struct, frozen=True):
    head: str  # the request line
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def event(self) -> dict[str, object]:
        return msgspec.json.decode(self.body, type=dict[str, object])

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


Behave = Callable[["Receiver", Received, asyncio.StreamWriter], Awaitable[None]]


def respond_with(status: int, body: bytes = b"", **headers: str) -> Behave:
    lines = [f"HTTP/1.1 {status} Whatever", f"content-length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return respond_with_bytes("\r\n".join([*lines, "", ""]).encode() + body)


def respond_with_bytes(raw: bytes) -> Behave:
    async def behave(_receiver: "Receiver", _received: Received, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return behave


async def accept(_receiver: "Receiver", _received: Received, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")


async def hang(receiver: "Receiver", _received: Received, _writer: asyncio.StreamWriter) -> None:
    await receiver.ended.wait()


class Receiver:
    def __init__(self, behave: Behave) -> None:
        self.behave = behave
        self.received: list[Received] = []
        self.connections = 0
        self.out = self.max_in_flight = 0
        self.ended = asyncio.Event()
        self.port = 0
        self.scheme = "http"
        self._arrived = asyncio.Event()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/hook?from=frontdesk"

    def ids(self) -> list[str]:
        return [received.id for received in self.received]

    async def wait_for(self, count: int, seconds: float = PATIENCE_SECONDS) -> list[Received]:
        async with asyncio.timeout(seconds):
            while len(self.received) < count:
                self._arrived.clear()
                await self._arrived.wait()
        return self.received

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    await self._take_one(reader, writer)
        finally:
            writer.transport.abort()
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _take_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        received = Received(
            head, headers, await reader.readexactly(int(headers.get("content-length", "0"))), time.time()
        )
        self.received.append(received)
        self._arrived.set()
        self.out += 1
        self.max_in_flight = max(self.max_in_flight, self.out)
        try:
            await self.behave(self, received, writer)
            await writer.drain()
        finally:
            self.out -= 1


@asynccontextmanager
async def receiving(
    behave: Behave = accept, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[Receiver]:
    receiver = Receiver(behave)
    tasks: set[asyncio.Task[None]] = set()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(receiver.take(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    # Not a port of the system's choice, which an earlier receiver may have had: workers send there what is left for it.
    server = await asyncio.start_server(begin, host, port or free_port(), ssl=tls, backlog=1000)
    receiver.port, receiver.scheme = server.sockets[0].getsockname()[1], "https" if tls else "http"
    try:
        yield receiver
    finally:
        receiver.ended.set()
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
