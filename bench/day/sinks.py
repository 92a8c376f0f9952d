"""Where webhooks and mail go: a receiver and a mail server that accept everything, in a process of their own.

It prints their ports, then how much has arrived for every line that it reads.
"""

import asyncio
import sys
from typing import Any

import msgspec
import uvloop
from aiosmtpd.smtp import SMTP

_OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class Arrived(msgspec.Struct):
    webhooks: int = 0
    mails: int = 0


class _Receiver(asyncio.Protocol):
    def __init__(self, arrived: Arrived) -> None:
        self._arrived = arrived
        self._read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while (end := self._read.find(b"\r\n\r\n") + 4) >= 4:
            length = int(self._read[:end].partition(b"content-length: ")[2].partition(b"\r\n")[0])
            if len(self._read) < end + length:
                return
            self._read = self._read[end + length :]
            self._arrived.webhooks += 1
            self._transport.write(_OK)  # type: ignore[attr-defined]


class _Mail:
    def __init__(self, arrived: Arrived) -> None:
        self._arrived = arrived

    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802 - of aiosmtpd
        self._arrived.mails += 1
        return "250 OK"


async def _serve() -> None:
    loop, arrived = asyncio.get_running_loop(), Arrived()
    webhooks = await loop.create_server(lambda: _Receiver(arrived), "127.0.0.1", 0)
    mail = await loop.create_server(lambda: SMTP(_Mail(arrived), hostname="mail.bench"), "127.0.0.1", 0)
    print(*(server.sockets[0].getsockname()[1] for server in (webhooks, mail)), flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(msgspec.json.encode(arrived).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(_serve())
