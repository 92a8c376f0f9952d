"""A network that loses some requests on the way there and some answers on the way back."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class FlakyProxy:
    """Speaks just enough HTTP/1.1 to know where a message ends; a lost one closes the caller's connection."""

    def __init__(self, upstream: str, seed: int, share: float) -> None:
        place = urlsplit(upstream)
        self._upstream = (place.hostname, place.port)
        self._chance = random.Random(seed)
        self._share = share
        self.origin = ""
        self.passed = 0
        self.lost_requests = 0  # the service never saw them
        self.lost_answers = 0  # the service has acted

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
                while await self._pass_on(reader, writer):
                    pass
        finally:
            writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _message(reader)
        fate = self._chance.random()
        if fate < self._share:
            self.lost_requests += 1
            return False
        answer = await self._ask(request)
        if fate < 2 * self._share:
            self.lost_answers += 1
            return False
        self.passed += 1
        writer.write(answer)
        await writer.drain()
        return True

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(*self._upstream)
        try:
            writer.write(request)
            await writer.drain()
            return await _message(reader)
        finally:
            writer.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    headers = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    length = next((int(value) for name, _, value in headers if name.lower() == b"content-length"), 0)
    return head + await reader.readexactly(length)


@asynccontextmanager
async def flaky_proxy(upstream: str, *, seed: int, share: float = 0.1) -> AsyncIterator[FlakyProxy]:
    """Of all requests this share is lost before the service has acted, and the same share after."""
    proxy = FlakyProxy(upstream, seed, share)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield proxy
