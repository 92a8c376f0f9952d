"""The headers of responses, and bodies that arrive in one piece or in several."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from frontdesk.http.protocol import BoundedProtocol
from frontdesk.http.responses import encode_headers
from tests.support.service import Service
from tests.support.shop import OPEN_API

WAIT = 120  # seconds for what must happen, on however busy a machine


async def injecting(scope: dict[str, Any], _receive: object, send: Callable[[Any], Awaitable[None]]) -> None:
    value = scope["query_string"].decode().replace("CR", "\r").replace("LF", "\n").replace("NUL", "\0")
    headers = encode_headers([("content-length", "2"), ("x-value", value)])
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(app: object) -> AsyncIterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(app, http=BoundedProtocol, ws="none", lifespan="off", log_config=None, loop="none")  # type: ignore[arg-type]
        server = uvicorn.Server(config)
        running = asyncio.create_task(server._serve(sockets=[listener]))
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await running


async def answer(port: int, request: bytes) -> bytes:
    async with asyncio.timeout(WAIT):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        try:
            return await reader.read()
        finally:
            writer.close()


async def test_a_response_header_with_a_line_break_is_refused() -> None:
    async with serving(injecting) as port:
        plain = await answer(port, b"GET /?fine HTTP/1.0\r\nhost: localhost\r\n\r\n")
        assert plain.startswith(b"HTTP/1.1 200 OK\r\n"), plain
        assert b"\r\nx-value: fine\r\nconnection: close\r\n\r\nok" in plain
        for broken in (b"aCRLFset-cookie:b", b"aLFset-cookie:b", b"aCRb", b"aNULb"):
            refused = await answer(port, b"GET /?" + broken + b" HTTP/1.0\r\nhost: localhost\r\n\r\n")
            assert refused.startswith(b"HTTP/1.1 500 "), refused
            assert b"set-cookie" not in refused


@pytest.mark.parametrize("pieces", [1, 2, 5])
async def test_a_body_in_pieces_is_the_same_body(service: Service, pieces: int) -> None:
    shop = await service.new_shop()
    body = json.dumps(
        {"first_name": "Layla", "last_name": "Haddad", "phone": f"+96650123456{pieces}", "phone_country": "SA"}
    ).encode()
    head = (
        f"POST {OPEN_API}/customers HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {await shop.token()}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    ).encode()
    size = -(-len(body) // pieces)
    async with asyncio.timeout(WAIT):
        place = urlsplit(shop.origin)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(head + body[:size])
        for start in range(size, len(body), size):
            await asyncio.sleep(0)
            writer.write(body[start : start + size])
        response = await reader.read()
        writer.close()
    assert response.startswith(b"HTTP/1.1 201 "), response
    assert json.loads(response.partition(b"\r\n\r\n")[2])["data"]["last_name"] == "Haddad"
