"""The service as operators run it: `frontdesk serve` in processes of its own, its output kept."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx2

from tests.support.programs.commands import free_port
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import PATIENCE_SECONDS, eventually

_COMMAND = (sys.executable, "-c", "from frontdesk.cli.main import main; main()", "serve")


class ServiceProcess:
    """What it printed can be read once it has ended."""

    def __init__(self, origin: str, output: Path) -> None:
        self.origin = origin
        self._output = output

    @property
    def output(self) -> str:
        return self._output.read_text()


@asynccontextmanager
async def running_process(dsn: str, folder: Path, **settings: str) -> AsyncIterator[ServiceProcess]:
    port = free_port()
    outside = {name: value for name, value in os.environ.items() if not name.startswith("FRONTDESK_")}
    own = {"FRONTDESK_DATABASE_URL": dsn, "FRONTDESK_PORT": str(port), "FRONTDESK_DATA_DIR": str(folder / "data")}
    running = ServiceProcess(f"http://127.0.0.1:{port}", folder / "output")
    with running._output.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND, env={**outside, **own, **settings}, stdout=output, stderr=output
        )
    try:
        await _until_it_answers(running, process)
        yield running
    finally:
        if process.returncode is None:
            process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)


async def _until_it_answers(running: ServiceProcess, process: asyncio.subprocess.Process) -> None:
    async with httpx2.AsyncClient(base_url=running.origin, verify=NO_CERTIFICATES) as http:

        async def answers() -> bool:
            assert process.returncode is None, running.output
            with suppress(httpx2.TransportError):
                return (await http.get("/health/ready")).status_code == 200
            return False

        await eventually(answers)
