"""An installation that may be broken: a database, servers and a worker, each started again as systemd would."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from datetime import datetime
from pathlib import Path

import httpx2
import pytest

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from tests.postgres.server_owner import postmaster
from tests.support.programs.commands import children, command_line, free_port, settings_environment
from tests.support.servers.faulty_proxy import FaultyProxy, faulty_proxy
from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.servers.receiver import Receiver, receiving
from tests.support.service import SECRET_KEYS
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import eventually

MAIN = "from frontdesk.cli.main import main; main()"
_RESTART_SECONDS = 0.2
_STOP_SECONDS = 120
_LOG_BYTES, _LATE_SECONDS = 10_000, 60.0  # a few lines, the last of them not old
CLOCK = "clock"  # the file that says how wrong the clocks of the programs are
# The disks that can be full: enough for the files of a new database, and for some lines.
DISKS = {"database": "400m", "log": "1m"}
_DATABASE_SETTINGS = {"max_wal_size": "128MB"}  # so that a small disk is enough


class Part:
    """One program of the installation. It runs in `/`: Python imports from the folder that it runs in first."""

    def __init__(self, log: Path, environment: Mapping[str, str], *arguments: str) -> None:
        self.environment = dict(environment)
        self._log = log
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def port(self) -> str:
        return self.environment["FRONTDESK_PORT"]

    @property
    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def start(self) -> None:
        command = [sys.executable, "-c", MAIN, *self._arguments]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd="/", env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def stop(self) -> None:
        """It is not started again."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            await asyncio.to_thread(process.wait, _STOP_SECONDS)

    def processes(self) -> list[int]:
        """Those that work, below the one that watches them; or itself, if it works alone."""
        return [pid for pid in children(self.pid) if b"spawn_main" in command_line(pid)] or [self.pid]

    def is_ahead(self, seconds: int) -> bool:
        """Whether its last line has a time that differs so much from ours."""
        times = re.findall(r'"timestamp":"([^"]+)"', self._log.read_text("utf-8")[-_LOG_BYTES:])
        return abs(datetime.fromisoformat(times[-1]).timestamp() - time.time() - seconds) < _LATE_SECONDS

    async def is_ready(self) -> bool:
        return await _is_ready(f"http://127.0.0.1:{self.port}")


class Installation:
    def __init__(self, folder: Path, database: EmbeddedPostgres) -> None:
        self.folder = folder
        self.database = database
        self.dsn = ""  # beside the proxy
        self.proxy: FaultyProxy
        self.receiver: Receiver
        self.mail: MailServer
        self.servers: list[Part]
        self.worker: Part

    @property
    def origin(self) -> str:
        return self.worker.environment["FRONTDESK_ORIGIN"]

    def database_processes(self) -> list[int]:
        """The first one has started the others."""
        pid = postmaster(self.folder / "database" / "data")
        return [pid, *children(pid)]

    def failures(self) -> list[str]:
        """What the log says of answers with the status 500."""
        logs = [path.read_text("utf-8", "replace") for path in (self.folder / "log").iterdir()]
        return [line for log in logs for line in log.splitlines() if '"failed"' in line]

    async def keep_running(self) -> None:
        while True:
            for part in [*self.servers, self.worker]:
                if part.has_ended:
                    part.start()
            if self.database.is_lost():
                with suppress(StartupError):  # the disk may still be full
                    await asyncio.to_thread(self.database.restart)
            await asyncio.sleep(_RESTART_SECONDS)

    async def is_ready(self) -> bool:
        return all([await server.is_ready() for server in self.servers]) and await _is_ready(self.origin)


@asynccontextmanager
async def running_installation(
    *, ports: Sequence[int] = (), origin: str = "", small_disk: str = "", has_clock: bool = False
) -> AsyncIterator[Installation]:
    """Servers at these ports, behind the origin; or one with two server processes.

    `small_disk` is one of DISKS. `has_clock`: the programs have a clock that can jump.
    """
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(_folder(small_disk))
        database = EmbeddedPostgres(folder / "database" / "data", None, _DATABASE_SETTINGS)
        stack.callback(database.stop)
        site = Installation(folder, database)
        site.dsn = await asyncio.to_thread(database.start)
        site.proxy = await stack.enter_async_context(faulty_proxy(site.dsn))
        site.receiver = await stack.enter_async_context(receiving())
        site.mail = await stack.enter_async_context(mail_server())
        at = list(ports) or [free_port()]
        common = {
            **settings_environment(
                database_url=site.proxy.dsn,
                data_dir=folder / "data",
                origin=origin or f"http://127.0.0.1:{at[0]}",
                secret_key=SECRET_KEYS[0],
                smtp_url=site.mail.url,
                trusted_proxies="127.0.0.1",
                webhook_allow_private="on",
                workers=1 if ports else 2,
            ),
            **(_clock_settings(folder / CLOCK) if has_clock else {}),
        }
        logs = folder / "log"
        site.worker = Part(logs / "worker", common, "worker")
        site.servers = [
            Part(logs / f"server{port}", {**common, "FRONTDESK_PORT": str(port)}, "serve", "--no-worker") for port in at
        ]
        for part in [*site.servers, site.worker]:
            part.start()
            stack.push_async_callback(part.stop)
        keeping = asyncio.create_task(site.keep_running())
        stack.push_async_callback(_cancel, keeping)
        await eventually(site.is_ready)
        yield site


async def _is_ready(origin: str) -> bool:
    with suppress(httpx2.TransportError):
        async with httpx2.AsyncClient(timeout=5, verify=NO_CERTIFICATES) as http:
            return (await http.get(f"{origin}/health/ready")).status_code == 200
    return False


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait([task])


@contextmanager
def _folder(small_disk: str) -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to the user that root's database runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    for name in DISKS:
        (folder / name).mkdir(mode=0o755)
    try:
        with _mounted(folder / small_disk, DISKS[small_disk]) if small_disk else nullcontext():
            yield folder
    finally:
        shutil.rmtree(folder)


def _clock_settings(clock: Path) -> dict[str, str]:
    """The time between two events stays right: only what a clock on the wall shows can jump."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is missing: apt-get install libfaketime")
    clock.write_text("+0")
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


@contextmanager
def _mounted(folder: Path, size: str) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("mounts a small disk: run the tests as root, where mount is permitted")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextmanager
def signalled(pids: Sequence[int], first: signal.Signals, then: signal.Signals) -> Iterator[None]:
    for pid in pids:
        os.kill(pid, first)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, then)
