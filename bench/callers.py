"""The load, in a process of its own: callers with a connection each, who ask again as soon as they are answered.

It reads one order a line on standard input and writes one result a line; the requests come as finished bytes, so that
as little as possible of the two cores goes to asking.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from itertools import cycle

import msgspec
import uvloop


class LoadSpec(msgspec.Struct):
    port: int
    callers: int
    seconds: float
    requests: list[bytes]
    once: bool  # each request may be sent only once: stop when there are no more
    status: int


class Outcome(msgspec.Struct):
    seconds: float
    times: list[float]  # of each answered request, in seconds
    failure: str | None  # the first answer that was not the expected one


class _Caller(asyncio.Protocol):
    """Reads answers that have a Content-Length, as both servers send them."""

    def __init__(self, requests: Iterator[bytes], status: int, until: float) -> None:
        self._requests = requests
        self._expected = f"HTTP/1.1 {status} ".encode()
        self._until = until
        self._read = b""
        self._missing = -1
        self.times: list[float] = []
        self.done: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._write = transport.write  # type: ignore[attr-defined]
        self._next()

    def data_received(self, data: bytes) -> None:
        if self._missing < 0:
            self._read += data
            end = self._read.find(b"\r\n\r\n")
            if end < 0:
                return
            self._missing = _content_length(self._read[:end]) - (len(self._read) - end - 4)
        else:
            self._missing -= len(data)
        if self._missing <= 0:
            self.times.append(time.perf_counter() - self._asked)
            self._missing = -1
            self._finish() if not self._read.startswith(self._expected) else self._next()

    def connection_lost(self, _failure: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result("the connection was closed")

    def _next(self) -> None:
        self._read = b""
        request = next(self._requests, None)
        self._asked = time.perf_counter()
        if request is None or self._asked > self._until:
            self.done.set_result(None)
        else:
            self._write(request)

    def _finish(self) -> None:
        self.done.set_result(self._read.decode(errors="replace"))


def _content_length(head: bytes) -> int:
    at = head.lower().find(b"content-length:")
    return int(head[at + 15 : (head.find(b"\r", at) if head.find(b"\r", at) > 0 else len(head))])


async def run(spec: LoadSpec) -> Outcome:
    requests = iter(spec.requests) if spec.once else cycle(spec.requests)
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    until = began + spec.seconds

    async def call() -> tuple[list[float], str | None]:
        transport, caller = await loop.create_connection(
            lambda: _Caller(requests, spec.status, until), "127.0.0.1", spec.port
        )
        async with asyncio.timeout(spec.seconds + 30):
            failure = await caller.done
        transport.close()
        return caller.times, failure

    answered = await asyncio.gather(*(call() for _ in range(spec.callers)))
    spent = time.perf_counter() - began
    failures = [failure for _, failure in answered if failure is not None]
    return Outcome(spent, [t for times, _ in answered for t in times], failures[0] if failures else None)


def main() -> None:
    loop = uvloop.new_event_loop()
    for line in sys.stdin.buffer:
        outcome = loop.run_until_complete(run(msgspec.json.decode(line, type=LoadSpec)))
        sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
        sys.stdout.buffer.flush()
    loop.close()


if __name__ == "__main__":
    main()
