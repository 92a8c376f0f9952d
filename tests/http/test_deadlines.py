"""Slow, silent and greedy clients: each request has a time limit and a size, each connection an end."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from frontdesk.http import body, protocol
from tests.support.http_errors import RawResponse, assert_error, read_response, send_raw
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop
from tests.support.waiting import eventually

SHORT = 0.2  # seconds; the limits of these tests
WAIT = 120  # seconds for what must happen, on however busy a machine
GET = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n"


@asynccontextmanager
async def connected(origin: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    place = urlsplit(origin)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        async with asyncio.timeout(WAIT):
            yield reader, writer
    finally:
        writer.close()


def post(path: str, content: bytes, *headers: str, length: int | None = None) -> bytes:
    size = len(content) if length is None else length
    lines = [f"POST {path} HTTP/1.1", "host: localhost", f"content-length: {size}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + content


async def test_a_head_that_does_not_end_is_refused(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", SHORT)
    async with connected(service.origin) as (reader, writer):
        writer.write(b"GET /health/live HTTP/1.1\r\nhost: loc")
        assert_error(await read_response(reader, bare=False), 408, "request_timeout")
        assert await reader.read() == b""


async def test_a_second_head_that_does_not_end_is_refused_too(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", SHORT)
    async with connected(service.origin) as (reader, writer):
        writer.write(GET + GET[:20])
        assert (await read_response(reader, bare=False)).status_code == 200
        assert_error(await read_response(reader, bare=False), 408, "request_timeout")


@pytest.mark.parametrize("first", [b"", GET])
async def test_a_silent_connection_is_closed(service: Service, monkeypatch: pytest.MonkeyPatch, first: bytes) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", SHORT)
    monkeypatch.setattr(protocol, "KEEP_ALIVE_SECONDS", SHORT)
    async with connected(service.origin) as (reader, writer):
        writer.write(first)
        if first:
            assert (await read_response(reader, bare=False)).status_code == 200
        assert await reader.read() == b""


@pytest.mark.parametrize("path", ["/customers", "/oauth/token", "/nothing/of/the/kind"])
async def test_a_body_that_does_not_come_is_refused(
    service: Service, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(body, "SECONDS", SHORT)
    monkeypatch.setattr(protocol, "BODY_SECONDS", 4 * SHORT)
    async with connected(service.origin) as (reader, writer):
        writer.write(post(OPEN_API + path, b'{"first', length=100))
        answer = await read_response(reader, bare=False)
        if path.startswith("/nothing"):
            assert_error(answer, 404, "not_found")
        else:
            assert_error(answer, 408, "request_timeout")
        assert await reader.read() == b""


async def test_a_form_that_does_not_come_is_refused_with_a_page(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "SECONDS", SHORT)
    async with connected(service.origin) as (reader, writer):
        writer.write(post("/sign-in", b"email=a", length=100))
        answer = await read_response(reader, bare=False)
        assert answer.status_code == 408
        assert b"The request timed out" in answer.content
        assert await reader.read() == b""


async def test_a_client_that_does_not_read_is_cut_off(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the answers that it does not take would stay in memory for ever."""
    monkeypatch.setattr(protocol, "WRITE_SECONDS", SHORT)
    place, request = urlsplit(service.origin), f"GET {OPEN_API}/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((place.hostname, place.port))
        cut = _when_cut_off(client.getsockname()[1], monkeypatch)
        client.sendall(request * protocol.MAX_PIPELINED)
        async with asyncio.timeout(WAIT):
            await cut.wait()


def _when_cut_off(port: int, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    cut, connection_lost = asyncio.Event(), protocol.BoundedProtocol.connection_lost

    def notice(connection: protocol.BoundedProtocol, reason: Exception | None) -> None:
        connection_lost(connection, reason)
        if connection.client and connection.client[1] == port:
            cut.set()

    monkeypatch.setattr(protocol.BoundedProtocol, "connection_lost", notice)
    return cut


async def _until_written(written: pytest.CaptureFixture[bytes], text: bytes, times: int) -> list[bytes]:
    """The lines of the log that hold the text, once there are so many."""
    lines: list[bytes] = []

    def found() -> bool:
        lines.extend(line for line in written.readouterr().out.splitlines() if text in line)
        return len(lines) >= times

    await eventually(found)
    return lines


async def test_pipelined_requests_have_a_bound(service: Service) -> None:
    async with connected(service.origin) as (reader, writer):
        writer.write(GET * protocol.MAX_PIPELINED)
        for _ in range(protocol.MAX_PIPELINED):
            assert (await read_response(reader, bare=False)).status_code == 200
        writer.write(GET * 1000)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):  # noqa: PT012 - one of them is the last
            for _ in range(1000):
                await read_response(reader, bare=False)


async def test_an_endless_trailer_of_a_chunked_body_is_cut_off(service: Service) -> None:
    async with connected(service.origin) as (reader, writer):
        writer.write(b"POST /sign-in HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\ntrailer: ")
        with pytest.raises(ConnectionError):  # noqa: PT012 - the server decides which write is the last
            while True:
                writer.write(b"a" * 10_000)
                await writer.drain()
        assert reader.at_eof() or isinstance(reader.exception(), ConnectionError)


async def test_a_token_revoked_while_the_body_was_coming_is_refused(service: Service, other_shop: Shop) -> None:
    shop = await service.new_shop()
    token, content = await shop.new_token(), json.dumps({"first_name": "Maha", "last_name": "Ali"}).encode()
    async with connected(service.origin) as (reader, writer):
        request = post(f"{OPEN_API}/customers", content, f"authorization: Bearer {token}")
        writer.write(request[:-10])
        await writer.drain()
        assert (await shop.get("/branches", token=token)).status_code == 200
        await _revoke(shop, token)
        writer.write(request[-10:])
        assert_error(await read_response(reader, bare=False), 401, "authentication_failed")


async def _revoke(shop: Shop, token: str) -> None:
    client = {"client_id": shop.sandbox.client_id, "client_secret": shop.sandbox.client_secret}
    answer = await shop.post("/oauth/revoke", {**client, "token": token}, token=token)
    assert answer.status_code == 200, answer.text


async def test_authentication_comes_before_the_size_of_the_body(service: Service, shop: Shop) -> None:
    large = b" " * (body.MAX_BODY_BYTES + 1)
    address = f"{OPEN_API}/customers"
    assert_error(await service.http.post(address, content=large), 401, "authentication_failed")
    assert_error(await shop.request("POST", "/customers", content=large), 413, "payload_too_large")


async def test_each_route_takes_the_body_that_it_needs(service: Service) -> None:
    async def send(path: str, size: int) -> int:
        return (await service.http.post(path, content=b"a" * size)).status_code

    assert await send(f"{OPEN_API}/oauth/token", body.TOKEN_BODY) == 422
    assert await send(f"{OPEN_API}/oauth/token", body.TOKEN_BODY + 1) == 413
    assert await send(f"{OPEN_API}/oauth/revoke", body.TOKEN_BODY + 1) == 413
    assert await send(f"{OPEN_API}/oauth/introspect", body.TOKEN_BODY + 1) == 413
    assert await send("/sign-in", body.SIGN_IN_BODY) == 403
    assert await send("/sign-in", body.SIGN_IN_BODY + 1) == 413


async def test_large_bodies_share_one_allowance(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of callers who are not known yet; a small body always finds room."""
    address, large, small = f"{OPEN_API}/customers", b" " * 2 * body.SMALL, b" " * body.SMALL
    monkeypatch.setattr(body, "MAX_BUFFERED_BYTES", 3 * body.SMALL)
    for _ in range(3):  # what one has held is free for the next
        assert_error(await service.http.post(address, content=large), 401, "authentication_failed")
    async with connected(service.origin) as (reader, writer):
        writer.write(post(address, large[:-1], length=len(large)))
        await _until_refused(service, address, large)
        assert_error(await service.http.post(address, content=small), 401, "authentication_failed")
        writer.write(b" ")
        assert_error(await read_response(reader, bare=False), 401, "authentication_failed")
    assert_error(await service.http.post(address, content=large), 401, "authentication_failed")


async def _until_refused(service: Service, address: str, large: bytes) -> None:
    async with asyncio.timeout(WAIT):
        while (answer := await service.http.post(address, content=large)).status_code != 503:
            assert_error(answer, 401, "authentication_failed")
    assert answer.headers["retry-after"] == "1"
    assert_error(answer, 503, "service_unavailable")


async def test_a_client_that_disconnects_is_not_logged_as_an_error(
    service: Service, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    async with connected(service.origin) as (_, writer):
        writer.write(post(f"{OPEN_API}/customers", b'{"first', "x-request-id: gone-away", length=100))
        await writer.drain()
    lines = [json.loads(line) for line in await _until_written(capfdbinary, b"gone-away", 1)]
    assert [(line["event"], line["status"]) for line in lines] == [("request", 499)]


async def test_a_request_with_two_hosts_is_refused(service: Service) -> None:
    """RFC 9112, 3.2. A proxy could route by one of them, and links be made with the other."""
    twice = GET.replace(b"\r\n\r\n", b"\r\nHost: elsewhere.example\r\n\r\n")
    assert_error(await send_raw(service.origin, twice), 400, "bad_request")


async def test_answers_before_the_application_have_the_common_headers(service: Service) -> None:
    answer: RawResponse = await send_raw(service.origin, b"not HTTP\r\n\r\n")
    assert_error(answer, 400, "bad_request")
    assert answer.headers["cache-control"] == "no-store"
