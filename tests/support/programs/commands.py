"""The `frontdesk` command as a person runs it: real processes, their own data folder and port."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import httpx2
import structlog
from click.testing import CliRunner, Result

from frontdesk.cli.main import main
from tests.support.shop import NO_CERTIFICATES
from tests.support.waiting import PATIENCE_SECONDS, wait_until

FRONTDESK = Path(sys.executable).parent / "frontdesk"
# Ports of this test process alone, below those that the system gives to connections and to whoever asks for any: it may
# take seconds until the program listens that a port is meant for. Other runs on this machine begin elsewhere.
_PORTS = 5_000
_FIRST_PORT = 10_000 + _PORTS * (int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 4)
_numbers = count(random.randrange(_PORTS))


def settings_environment(**settings: object) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FRONTDESK_", "PG"))}
    given = {f"FRONTDESK_{name.upper()}": str(value) for name, value in {"email_dns": "off", **settings}.items()}
    return {**kept, **given}


def run(*arguments: str, typed: str = "", **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FRONTDESK, *arguments],
        env=settings_environment(**settings),
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def invoke(arguments: Sequence[str], env: Mapping[str, str], typed: str = "") -> Result:
    """In this process, whose service may log meanwhile: not into what the command prints.

    A logger that prints would follow the output to the command; one that writes keeps the file that it was given.
    """
    usual = structlog.get_config()
    structlog.configure(**usual | {"logger_factory": structlog.WriteLoggerFactory(sys.stdout)})
    try:
        done = CliRunner().invoke(main, arguments, input=typed, env=env)
    finally:
        structlog.configure(**usual)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def run_here(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    """In this process, which costs no start of Python: for what a command says and does, not for how it ends."""
    done = invoke(arguments, settings_environment(**settings))
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def free_port() -> int:
    """Another one each time."""
    while True:
        port = _FIRST_PORT + next(_numbers) % _PORTS
        with socket.socket() as asking, contextlib.suppress(OSError):
            asking.bind(("127.0.0.1", port))
            return port


class ServerProcess:
    """`frontdesk serve`, in a process group of its own as a terminal would give it."""

    def __init__(self, data: Path, *options: str, port: int | None = None, **settings: object) -> None:
        self.data = data
        self.port = port or free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self._stderr = data.parent / f"stderr-{self.port}"
        chosen = {"data_dir": data, "port": self.port, **settings}
        with self._stderr.open("wb") as stderr:
            self.process = subprocess.Popen(
                [FRONTDESK, "serve", *options],
                env=settings_environment(**chosen),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )

    @property
    def stderr(self) -> str:
        """What it has written to standard error so far."""
        return self._stderr.read_text()

    def is_ready(self) -> bool:
        with contextlib.suppress(httpx2.TransportError):
            asked = httpx2.get(f"{self.origin}/health/ready", timeout=5, verify=NO_CERTIFICATES)
            return asked.status_code == 200
        return False

    def wait_until_ready(self) -> None:
        wait_until(lambda: self.process.poll() is not None or self.is_ready())
        assert self.process.poll() is None, self.stderr

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Its exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)

    def workers(self) -> list[int]:
        """The server processes below it; the embedded database is a child too, but no Python."""
        return [pid for pid in children(self.process.pid) if b"spawn_main" in command_line(pid)]


@contextlib.contextmanager
def running_server(data: Path, *options: str, port: int | None = None, **settings: object) -> Iterator[ServerProcess]:
    running = ServerProcess(data, *options, port=port, **settings)
    try:
        running.wait_until_ready()
        yield running
    finally:
        if running.process.poll() is None:
            running.stop()


def children(pid: int) -> list[int]:
    """Of every thread: the embedded database is forked by one of its own."""
    found = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in listed.read_text().split()]
    return found


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
