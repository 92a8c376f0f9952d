"""Passes the requests of an application on to the service and notes each, so that a scenario can say what it did."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
import msgspec

from frontdesk.errors import StartupError

_TIME_LIMIT = 60.0  # seconds
_MAX_HEAD = 64 * 1024
_OF_A_CONNECTION = {
    *("connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "upgrade"),
    *("host", "expect", "accept-encoding", "proxy-connection", "te", "trailer"),
}


class Call(msgspec.Struct):
    """A request of the application."""

    method: str
    path: str  # below the base URL
    query: str
    headers: dict[str, str]
    body: bytes
    at: float
    status: int | None = None  # None: it got no answer

    @property
    def key(self) -> str | None:
        return self.headers.get("idempotency-key")

    @property
    def fields(self) -> dict[str, Any]:
        with suppress(ValueError):
            found = json.loads(self.body)
            if isinstance(found, dict):
                return found
        return {}

    @property
    def is_write(self) -> bool:
        """A POST that only reads, or asks for a token, has no key."""
        return self.method not in ("GET", "HEAD") and self.path not in ("/availability", "/oauth/token")

    def is_to(self, route: str) -> bool:
        """A route as in the reference, such as `GET /items/{uuid}`."""
        method, _, path = route.partition(" ")
        wanted, had = path.split("/"), self.path.split("/")
        same = len(wanted) == len(had) and all(w in (h, "{uuid}", "{id}") for w, h in zip(wanted, had, strict=True))
        return self.method == method and same


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Cut(Exception):
    """The connection ends without an answer."""


async def _as_it_is(_call: Call) -> Answer | None:
    return None


class Plan(NamedTuple):
    """What is done to the calls of one scenario, beside the faults of the sandbox."""

    before: Callable[[Call], Awaitable[Answer | None]] = _as_it_is  # may change the call, answer it, or raise Cut
    after: Callable[[Call, Answer], Answer] = lambda _call, answer: answer


class Proxy:
    def __init__(self, base_url: str) -> None:
        parsed = urlsplit(base_url)
        self.path = parsed.path
        self.origin = f"{parsed.scheme}://{parsed.netloc}"
        self.own_origin = ""
        self.calls: list[Call] = []
        self.plan = Plan()
        self.http = httpx2.AsyncClient(timeout=_TIME_LIMIT, follow_redirects=False)

    @property
    def base_url(self) -> str:
        """What the application calls."""
        return self.own_origin + self.path

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of each connection."""
        try:
            with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError, Cut):
                call, target = await self._read(reader, writer)
                answer = await self._answer(call, target)
                call.status = answer.status
                writer.write(_head(answer) + (b"" if call.method == "HEAD" else answer.body))
                await writer.drain()
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[Call, str]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, _ = request.split(" ")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if headers.get("expect", "").lower() == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in headers.get("transfer-encoding", "").lower():
            body = await _read_chunks(reader)
        else:
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        parsed = urlsplit(target)
        path = parsed.path.removeprefix(self.path)
        call = Call(method, path, parsed.query, headers, body, time.monotonic())
        self.calls.append(call)
        return call, parsed.path

    async def _answer(self, call: Call, path: str) -> Answer:
        planned = await self.plan.before(call)
        if planned is not None:
            return planned
        sent = {name: value for name, value in call.headers.items() if name not in _OF_A_CONNECTION}
        url = self.origin + path + (f"?{call.query}" if call.query else "")
        try:
            got = await self.http.request(call.method, url, headers=sent, content=call.body or None)
        except httpx2.TransportError as error:
            raise Cut from error
        body = got.content.replace(self.origin.encode(), self.own_origin.encode())  # in links to the next page
        headers = {name: value for name, value in got.headers.items() if name not in _OF_A_CONNECTION}
        return self.plan.after(call, Answer(got.status_code, headers, body))


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
        body += (await reader.readexactly(size + 2))[:-2]
        if size == 0:
            return body


def _head(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} -", *(f"{name}: {value}" for name, value in answer.headers.items())]
    if answer.status != 204:
        lines.append(f"content-length: {len(answer.body)}")
    return "\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1")


@asynccontextmanager
async def running_proxy(base_url: str, host: str, port: int) -> AsyncIterator[Proxy]:
    """Port 0 is any free one."""
    proxy = Proxy(base_url)
    try:
        server = await asyncio.start_server(proxy.serve, host, port, limit=_MAX_HEAD)
    except OSError as error:
        raise StartupError(f"cannot listen on {host} port {port}: name another with --port") from error
    shown = f"[{host}]" if ":" in host else host
    proxy.own_origin = f"http://{shown}:{server.sockets[0].getsockname()[1]}"
    try:
        async with server:
            yield proxy
    finally:
        await proxy.http.aclose()
