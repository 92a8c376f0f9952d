"""`frontdesk listen` as a process of its own, whose lines a test reads as they come."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.factories.credentials import ApiClient
from tests.support.programs.commands import FRONTDESK, settings_environment
from tests.support.shop import OPEN_API


def credentials_of(client: ApiClient) -> dict[str, str]:
    base_url = client.shop.origin + OPEN_API
    return {"base_url": base_url, "client_id": client.name, "client_secret": client.secret}


class Listener:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def said(self, text: str) -> str:
        """The next line of standard error with this text."""
        assert self.process.stderr is not None
        while line := (await self.process.stderr.readline()).decode():
            if text in line:
                return line.strip()
        raise AssertionError(f"it ended without {text!r}")

    async def line(self) -> str:
        assert self.process.stdout is not None
        return (await self.process.stdout.readline()).decode().rstrip("\n")

    async def document(self) -> Any:
        return json.loads(await self.line())

    async def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return await self.process.wait()


@asynccontextmanager
async def listening(client: ApiClient, *options: str) -> AsyncIterator[Listener]:
    process = await asyncio.create_subprocess_exec(
        *(str(FRONTDESK), "listen", "--every", "0.1", *options),
        env=settings_environment(**credentials_of(client)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Listener(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
