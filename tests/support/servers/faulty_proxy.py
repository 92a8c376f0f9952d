"""Stands between the service and PostgreSQL, on a TCP port, and freezes, delays, swallows or cuts what travels."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit, urlunsplit


class _Link:
    """One connection through the proxy."""

    def __init__(self) -> None:
        self.flows = asyncio.Event()
        self.flows.set()
        self.is_swallowed = False
        self.writers: list[asyncio.StreamWriter] = []


class FaultyProxy:
    """A fault applies to the connections that are open; `for_new` says whether to later ones too."""

    def __init__(self, dsn: str) -> None:
        place = urlsplit(dsn)
        query = {name: values[0] for name, values in parse_qs(place.query).items()}
        self._place = place
        self._socket = f"{query['host']}/.s.PGSQL.{query['port']}"
        self.port = 0
        self.delay = 0.0  # seconds that each part of the traffic waits
        self._links: set[_Link] = set()
        self._freezes_new = False
        self._swallows_new = False

    @property
    def dsn(self) -> str:
        return self.through(str(self.port))

    def through(self, *ports: str) -> str:
        """The address of the database by these ports of this machine, in this order."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
        user = f"{self._place.username}@" if self._place.username else ""
        return urlunsplit(self._place._replace(netloc=f"{user}{hosts}", query=""))

    @property
    def open(self) -> int:
        return len(self._links)

    def freeze(self, *, for_new: bool = True) -> None:
        """What is sent arrives after the thaw."""
        self._freezes_new = for_new
        for link in self._links:
            link.flows.clear()

    def swallow(self, *, for_new: bool = True) -> None:
        """What is sent never arrives, and nobody says so."""
        self._swallows_new = for_new
        for link in self._links:
            link.is_swallowed = True

    def cut(self) -> None:
        for link in self._links:
            for writer in link.writers:
                writer.transport.abort()

    def heal(self) -> None:
        """What was swallowed stays lost, and so do the connections that wait for it."""
        self._freezes_new = self._swallows_new = False
        self.delay = 0.0
        for link in self._links:
            link.flows.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link()
        link.is_swallowed = self._swallows_new
        if self._freezes_new:
            link.flows.clear()
        self._links.add(link)
        link.writers = [writer]
        try:
            there, onward = await asyncio.open_unix_connection(self._socket)
            link.writers.append(onward)
            back = asyncio.create_task(self._copy(link, there, writer))
            try:
                await self._copy(link, reader, onward)
            finally:
                back.cancel()
                await asyncio.gather(back, return_exceptions=True)
        except OSError:  # nobody listens there now, and so it is here
            writer.transport.abort()
        finally:
            self._links.discard(link)
            for open_one in link.writers:
                open_one.close()

    async def _copy(self, link: _Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while part := await reader.read(65536):
                await link.flows.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                if not link.is_swallowed:
                    writer.write(part)
                    await writer.drain()
            await link.flows.wait()
            if not link.is_swallowed:
                writer.close()


@asynccontextmanager
async def faulty_proxy(dsn: str) -> AsyncIterator[FaultyProxy]:
    proxy = FaultyProxy(dsn)
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
