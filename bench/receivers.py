"""Twenty webhook receivers in a process of their own: ten that accept everything, five that hang, five that fail.

It prints their ports, then one report for every line that it reads.
"""

import asyncio
import sys
import time
from datetime import datetime

import msgspec
import uvloop

HEALTHY, HANGING, FAILING = 10, 5, 5
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
_ERROR = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 2\r\n\r\nno"


class Event(msgspec.Struct):
    id: str
    timestamp: datetime


class Report(msgspec.Struct):
    arrived: list[int]  # different events at each healthy receiver
    delays: list[float]  # of the first arrival of each, in seconds
    repeated: int
    hanging: int
    failing: int


class Receiver:
    def __init__(self, response: bytes | None, *, counts: bool) -> None:
        self.response = response
        self.requests = 0
        self.delays: dict[str, float] = {}
        self._counts = counts

    def take(self, body: bytes) -> None:
        self.requests += 1
        if self._counts:
            event = msgspec.json.decode(body, type=Event)
            self.delays.setdefault(event.id, time.time() - event.timestamp.timestamp())


class ReceiverConnection(asyncio.Protocol):
    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while (end := self._read.find(b"\r\n\r\n") + 4) >= 4:
            length = int(self._read[:end].partition(b"content-length: ")[2].partition(b"\r\n")[0])
            if len(self._read) < end + length:
                return
            self._receiver.take(self._read[end : end + length])
            self._read = self._read[end + length :]
            if self._receiver.response:
                self._transport.write(self._receiver.response)  # type: ignore[attr-defined]


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    healthy = [Receiver(OK, counts=True) for _ in range(HEALTHY)]
    hanging = [Receiver(None, counts=False) for _ in range(HANGING)]
    failing = [Receiver(_ERROR, counts=False) for _ in range(FAILING)]
    servers = [
        await loop.create_server(lambda receiver=receiver: ReceiverConnection(receiver), "127.0.0.1", 0)  # type: ignore[misc]
        for receiver in (*healthy, *hanging, *failing)
    ]
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        report = Report(
            [len(receiver.delays) for receiver in healthy],
            [delay for receiver in healthy for delay in receiver.delays.values()],
            sum(receiver.requests - len(receiver.delays) for receiver in healthy),
            sum(receiver.requests for receiver in hanging),
            sum(receiver.requests for receiver in failing),
        )
        print(msgspec.json.encode(report).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(_serve())
