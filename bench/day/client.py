"""Sends requests on connections that stay open, and keeps how long each kind took."""

import asyncio
import time
from collections import Counter, defaultdict
from typing import NamedTuple

_TIMEOUT_SECONDS = 30


class Answer(NamedTuple):
    status: int
    head: bytes
    body: bytes


class Client:
    def __init__(self, port: int) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.failures: Counter[str] = Counter()
        self._port = port
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def send(self, name: str, request: bytes, *expected: int) -> Answer | None:
        """None: it has failed, and was counted."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                answer = await self._exchange(request)
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            self.failures[f"{name}: {type(error).__name__}"] += 1
            return None
        if answer.status not in expected:
            self.failures[f"{name}: {answer.status}"] += 1
            return None
        self.times[name].append(time.perf_counter() - began)
        return answer

    def close(self) -> None:
        for _, writer in self._idle:
            writer.close()

    async def _exchange(self, request: bytes) -> Answer:
        reader, writer = await self._connection()
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            body = await _read_body(reader, head.lower())
        except BaseException:
            writer.close()
            raise
        self._idle.append((reader, writer))
        return Answer(int(head[9:12]), head, body)

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            reader, writer = self._idle.pop()
            if not reader.at_eof():  # the service closes what was idle for long
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)


async def _read_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    _, has_length, value = head.partition(b"content-length:")
    if has_length:
        return await reader.readexactly(int(value.partition(b"\r\n")[0]))
    if b"transfer-encoding: chunked" not in head:
        return b""
    body = b""
    while size := int(await reader.readuntil(b"\r\n"), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readexactly(2)
    return body
