"""Where webhooks and mail go: a receiver and a mail server that accept everything, in a process of their own.

It prints their ports, then how much has arrived for every line that it reads.
"""

import asyncio
import sys
from typing import Any

import msgspec
import uvloop
from aiosmtpd.smtp import SMTP

from bench.receivers import OK, Receiver, ReceiverConnection


class Arrived(msgspec.Struct):
    webhooks: int
    mails: int


class _Mail:
    def __init__(self) -> None:
        self.count = 0

    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802 - of aiosmtpd
        self.count += 1
        return "250 OK"


async def _serve() -> None:
    loop, receiver, mails = asyncio.get_running_loop(), Receiver(OK, counts=False), _Mail()
    webhooks = await loop.create_server(lambda: ReceiverConnection(receiver), "127.0.0.1", 0)
    mail = await loop.create_server(lambda: SMTP(mails, hostname="mail.bench"), "127.0.0.1", 0)
    print(*(server.sockets[0].getsockname()[1] for server in (webhooks, mail)), flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(msgspec.json.encode(Arrived(receiver.requests, mails.count)).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(_serve())
