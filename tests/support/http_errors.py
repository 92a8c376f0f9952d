"""What every refusal looks like, and requests that no HTTP library would send."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
import msgspec

from tests.support.waiting import PATIENCE_SECONDS

_ERROR_FIELDS = {"error", "message", "errors", "details", "request_id", "doc_url"}


class RawResponse(NamedTuple):
    status_code: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        return msgspec.json.decode(self.content)


def assert_error(answer: httpx2.Response | RawResponse, status: int, code: str) -> dict[str, Any]:
    """The body of a refusal, once it has been seen to have the one form that all of them have.

    Without the id and the address, which are of this one alone.
    """
    assert answer.status_code == status, (answer.status_code, answer.content[:500])
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    body: dict[str, Any] = answer.json()
    assert body["error"] == code, body
    assert isinstance(body["message"], str)
    assert body["message"]
    assert set(body) <= _ERROR_FIELDS, body
    assert body.pop("request_id") == answer.headers["x-request-id"]
    assert re.fullmatch(rf"https?://[^/]+/docs/errors/{code}", body.pop("doc_url"))
    return body


async def send_raw(origin: str, *pieces: bytes) -> RawResponse:
    """Send bytes as they are, and read one answer until the server closes or the body is whole."""
    place = urlsplit(origin)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await asyncio.wait_for(read_response(reader, bare=pieces[0].startswith(b"HEAD ")), PATIENCE_SECONDS)
    finally:
        writer.close()


async def read_response(reader: asyncio.StreamReader, *, bare: bool) -> RawResponse:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = b"" if bare else await reader.readexactly(int(headers.get("content-length", 0)))
    return RawResponse(int(first.split()[1]), headers, body)
