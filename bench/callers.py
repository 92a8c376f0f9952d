"""The load generator, a process of its own: each caller has a connection and sends again as soon as it has a response.

It reads one LoadSpec per line on standard input and writes one Outcome per line. The requests arrive as finished bytes,
so that the generator takes as little as possible of the two cores.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from itertools import cycle

import msgspec
import uvloop

_LAST_CHUNK = b"\r\n0\r\n\r\n"


class LoadSpec(msgspec.Struct):
    port: int
    callers: int
    seconds: float
    requests: list[bytes]
    once: bool = False  # each request may be sent only once: stop when there are no more
    status: int = 200
    refusal: int | None = None  # a status that is counted, and is not a failure
    pause: float = 0.0  # seconds between a response and the next request of a caller
    is_partial: bool = False  # the request has no end, so that it gets no response; its connection stays open


class Outcome(msgspec.Struct):
    seconds: float
    times: list[float]  # of each response, in seconds
    failure: str | None  # the first response with another status
    refused: int = 0


class _Caller(asyncio.Protocol):
    """Reads responses that have a Content-Length, as both servers send them, and those that arrive in chunks."""

    def __init__(self, requests: Iterator[bytes], spec: LoadSpec, until: float) -> None:
        self._requests = requests
        self._expected = f"HTTP/1.1 {spec.status} ".encode()
        self._refusal = f"HTTP/1.1 {spec.refusal} ".encode()
        self._may_be_refused = spec.refusal is not None
        self._pause = spec.pause
        self._until = until
        self._head = b""
        self._missing = -1
        self._is_chunked = False
        self._tail = b""
        self.times: list[float] = []
        self.refused = 0
        self.done: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._write = transport.write  # type: ignore[attr-defined]
        if self._may_be_refused:  # the server may read the last request much later
            asyncio.get_running_loop().call_later(self._until - time.perf_counter(), self._end)
        self._next()

    def _end(self) -> None:
        if not self.done.done():
            self.done.set_result(None)

    def data_received(self, data: bytes) -> None:
        if self.done.done():
            return
        if self._missing < 0:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            length = _content_length(self._head[:end])
            self._is_chunked = length is None
            self._missing = (length or 0) - (len(self._head) - end - 4)
        else:
            self._missing -= len(data)
        self._tail = (self._tail + data)[-len(_LAST_CHUNK) :]
        if self._tail == _LAST_CHUNK if self._is_chunked else self._missing <= 0:
            self._missing = -1
            if self._head.startswith(self._expected):
                self.times.append(time.perf_counter() - self._sent_at)
                self._continue()
            elif self._head.startswith(self._refusal):
                self.refused += 1
                self._continue()
            else:
                self._fail()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_result("the connection was closed")

    def _continue(self) -> None:
        if self._pause:
            asyncio.get_running_loop().call_later(self._pause, self._next)
        else:
            self._next()

    def _next(self) -> None:
        if self.done.done():
            return
        self._head = b""
        self._sent_at = time.perf_counter()
        request = next(self._requests, None) if self._sent_at <= self._until else None
        if request is None:
            self.done.set_result(None)
        else:
            self._write(request)

    def _fail(self) -> None:
        self.done.set_result(self._head.decode(errors="replace"))


def _content_length(head: bytes) -> int | None:
    """None: it arrives in chunks."""
    _, found, value = head.lower().partition(b"content-length:")
    return int(value.partition(b"\r\n")[0]) if found else None


async def run(spec: LoadSpec) -> Outcome:
    requests = iter(spec.requests) if spec.once else cycle(spec.requests)
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    until = began + spec.seconds

    async def call() -> tuple[list[float], int, str | None]:
        transport, caller = await loop.create_connection(lambda: _Caller(requests, spec, until), "127.0.0.1", spec.port)
        if spec.is_partial:
            await asyncio.sleep(spec.seconds)
            transport.close()
            return [], caller.refused, None
        async with asyncio.timeout(spec.seconds + 30):
            failure = await caller.done
        transport.close()
        return caller.times, caller.refused, failure

    calls = await asyncio.gather(*(call() for _ in range(spec.callers)))
    seconds = time.perf_counter() - began
    failures = [failure for *_, failure in calls if failure is not None]
    return Outcome(
        seconds,
        [time for times, *_ in calls for time in times],
        failures[0] if failures else None,
        sum(refused for _, refused, _ in calls),
    )


def main() -> None:
    loop = uvloop.new_event_loop()
    for line in sys.stdin.buffer:
        outcome = loop.run_until_complete(run(msgspec.json.decode(line, type=LoadSpec)))
        sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
        sys.stdout.buffer.flush()
    loop.close()


if __name__ == "__main__":
    main()
