"""What both references are: an ASGI application with a connection for each request under way, and a process for it."""

import gc
import os
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, NamedTuple

import asyncpg
import uvicorn

PREFIX = "/open-api/v1"
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
_SETTINGS = {  # as the service's
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "random_page_cost": "1.1",
    "enable_seqscan": "off",
}


class Request(NamedTuple):
    method: str
    path: str  # without the prefix
    query: bytes
    headers: dict[bytes, bytes]
    body: bytes

    @property
    def url(self) -> str:
        return f"http://{self.headers[b'host'].decode()}{PREFIX}{self.path}"


class Response(NamedTuple):
    status: int
    body: bytes
    headers: Sequence[tuple[bytes, bytes]] = ()


Respond = Callable[["asyncpg.Connection[Any]", Request], Awaitable[Response]]


class ReferenceApp:
    def __init__(self, dsn: str, respond: Respond, **settings: str) -> None:
        self._dsn = dsn
        self._respond = respond
        self._settings = {**_SETTINGS, **settings}
        self._free: deque[asyncpg.Connection[Any]] = deque()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        body = await _read_body(receive) if scope["method"] == "POST" else b""
        path = scope["path"].removeprefix(PREFIX)
        request = Request(scope["method"], path, scope["query_string"], dict(scope["headers"]), body)
        raw = self._free.pop() if self._free else await asyncpg.connect(self._dsn, server_settings=self._settings)
        try:
            response = await (_empty(raw) if path == "/empty" else self._respond(raw, request))
        finally:
            self._free.append(raw)
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(response.body)).encode()),
            *response.headers,
        ]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})

    async def close(self) -> None:
        for raw in self._free:
            await raw.close()


async def _empty(raw: "asyncpg.Connection[Any]") -> Response:
    """An empty statement: the process is ready, or what a request takes at least."""
    return Response(200, (await raw.fetchval("SELECT '{}'::text")).encode())


async def _read_body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return body


def serve(make_app: Callable[[str], ReferenceApp]) -> None:
    """Listens on the descriptor that its parent opened, so that the port is known before the process is up."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    config = uvicorn.Config(
        make_app(os.environ["BENCH_DSN"]),
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # as the service's
    uvicorn.Server(config).run(sockets=[listener])
