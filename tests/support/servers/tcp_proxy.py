"""Carries TCP connections to another port, until it is cut: then nothing arrives any more, and nobody says so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class TcpProxy:
    def __init__(self, target: int) -> None:
        self._target = target
        self._flows = asyncio.Event()
        self._flows.set()
        self.port = 0

    def cut(self) -> None:
        self._flows.clear()

    def heal(self) -> None:
        self._flows.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._flows.wait()
        try:
            there, onward = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._copy(reader, onward), self._copy(there, writer))
        finally:
            onward.transport.abort()
            writer.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while part := await reader.read(65536):
                await self._flows.wait()
                writer.write(part)
                await writer.drain()
            writer.close()


@asynccontextmanager
async def tcp_proxy(target: int) -> AsyncIterator[TcpProxy]:
    proxy = TcpProxy(target)
    carrying: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(proxy.carry(reader, writer))
        carrying.add(task)
        task.add_done_callback(carrying.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in list(carrying):
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)
