"""Stands between the service and PostgreSQL and counts the statements that really travel."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

# One Execute is one run of a prepared statement; a Query is one sent as plain text, as BEGIN and COMMIT are.
_RUNS = (b"E", b"Q")


class StatementCounter:
    def __init__(self, dsn: str) -> None:
        self.dsn = dsn  # through the proxy
        self.statements = 0

    async def forward(self, client: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        """Message by message: the first has no type, every other is a type and its length."""
        await self._pass_on(client, server, b"")
        while True:
            kind = await client.readexactly(1)
            self.statements += kind in _RUNS
            await self._pass_on(client, server, kind)

    async def _pass_on(self, client: asyncio.StreamReader, server: asyncio.StreamWriter, kind: bytes) -> None:
        size = await client.readexactly(4)
        server.write(kind + size + await client.readexactly(struct.unpack("!I", size)[0] - 4))
        await server.drain()


@asynccontextmanager
async def counting_statements(dsn: str, folder: Path) -> AsyncIterator[StatementCounter]:
    place = urlsplit(dsn)
    query = {name: values[0] for name, values in parse_qs(place.query).items()}
    socket_name = f".s.PGSQL.{query['port']}"
    wire = StatementCounter(
        urlunsplit(place._replace(query=f"host={quote(str(folder), safe='')}&port={query['port']}"))
    )
    links: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_link(wire, f"{query['host']}/{socket_name}", reader, writer))
        links.add(task)
        task.add_done_callback(links.discard)

    server = await asyncio.start_unix_server(accept, folder / socket_name)
    try:
        yield wire
    finally:
        server.close()
        for task in list(links):
            task.cancel()
        await asyncio.gather(*links, return_exceptions=True)


async def _link(
    wire: StatementCounter, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    there, onward = await asyncio.open_unix_connection(address)
    back = asyncio.create_task(_copy(there, writer))
    try:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await wire.forward(reader, onward)
    finally:
        onward.close()
        back.cancel()
        writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(65536):
        writer.write(chunk)
        await writer.drain()
    writer.close()  # a client that says good-bye waits for the server to hang up
