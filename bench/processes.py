"""The processes of a run, all on loopback: the service, the references, the callers, the webhook receivers."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from bench.callers import LoadSpec, Outcome
from bench.receivers import Report
from bench.reference.bare import ReferenceTenants

_START_TIMEOUT = 60  # seconds
_STOP_TIMEOUT = 20
_SEND_TIMEOUT = 300
T = TypeVar("T")


class Server(NamedTuple):
    name: str
    pid: int
    port: int
    metrics_port: int = 0


@contextmanager
def running_service(dsn: str, folder: Path, *options: str, **settings: str) -> Iterator[Server]:
    """The service as `frontdesk serve` starts it."""
    port, metrics_port = _free_port(), _free_port()
    given = {"PORT": str(port), "METRICS": f"127.0.0.1:{metrics_port}", **settings}
    with _running_program(dsn, folder, ["serve", *options], given) as process:
        _wait_until_ready(f"http://127.0.0.1:{port}/health/ready", process)
        yield Server("service", process.pid, port, metrics_port)


@contextmanager
def running_worker(dsn: str, folder: Path, **settings: str) -> Iterator[Server]:
    port = _free_port()
    with _running_program(dsn, folder, ["worker"], {"METRICS": f"127.0.0.1:{port}", **settings}) as process:
        _wait_until_ready(f"http://127.0.0.1:{port}/metrics", process)
        yield Server("worker", process.pid, port, port)


@contextmanager
def _running_program(
    dsn: str, folder: Path, command: list[str], settings: Mapping[str, str]
) -> Iterator["subprocess.Popen[bytes]"]:
    """Its log goes to a file, as in production."""
    given = {"DATABASE_URL": dsn, "DATA_DIR": str(folder / "unused"), "EMAIL_DNS": "off", **settings}
    environment = {**_clean_environment(), **{f"FRONTDESK_{name}": value for name, value in given.items()}}
    name = "service" if command[0] == "serve" else command[0]
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(
            [Path(sys.executable).parent / "frontdesk", *command], env=environment, stdout=log, stderr=log
        )
    with _stopped_at_end(process):
        yield process


@contextmanager
def running_reference(dsn: str, tenants: ReferenceTenants | None) -> Iterator[Server]:
    """The bare reference with these tenants, or the full one."""
    name = "full" if tenants is None else "bare"
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    settings = {"BENCH_DSN": dsn, "BENCH_TENANTS": msgspec.json.encode(tenants).decode()}
    port, descriptor = listener.getsockname()[1], listener.fileno()
    process = subprocess.Popen(
        [sys.executable, "-m", f"bench.reference.{name}", str(descriptor)],
        env={**_clean_environment(), **settings},
        pass_fds=[descriptor],
    )
    listener.close()
    with _stopped_at_end(process):
        _wait_until_ready(f"http://127.0.0.1:{port}/empty", process)
        yield Server(f"{name} reference", process.pid, port)


class LineProcess:
    """A Python module that reads one line of JSON for each line that it writes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("started without pipes")
        self._input, self._output = process.stdin, process.stdout

    def read_line(self) -> bytes:
        return self._output.readline()

    def exchange(self, line: bytes, response_type: type[T]) -> T:
        self._input.write(line + b"\n")
        self._input.flush()
        return msgspec.json.decode(self.read_line(), type=response_type)


class Callers:
    def __init__(self, process: LineProcess) -> None:
        self._process = process

    def run(self, spec: LoadSpec) -> Outcome:
        outcome = self._process.exchange(msgspec.json.encode(spec), Outcome)
        if outcome.failure:
            raise SystemExit(f"bench: unexpected response: {outcome.failure[:1000]}")
        return outcome

    def send_all(self, port: int, requests: list[bytes], *, status: int = 200, callers: int = 1) -> None:
        """Each request once, however long it takes."""
        self.run(LoadSpec(port, callers, _SEND_TIMEOUT, requests, once=True, status=status))


@contextmanager
def running_callers() -> Iterator[Callers]:
    with line_process("bench.callers") as process:
        yield Callers(process)


class Receivers:
    def __init__(self, process: LineProcess) -> None:
        self._process = process
        self.ports = [int(port) for port in process.read_line().split()]

    def report(self) -> Report:
        return self._process.exchange(b"", Report)


@contextmanager
def running_receivers() -> Iterator[Receivers]:
    with line_process("bench.receivers") as process:
        yield Receivers(process)


@contextmanager
def line_process(module: str) -> Iterator[LineProcess]:
    process = subprocess.Popen(
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_clean_environment()
    )
    with _stopped_at_end(process):
        yield LineProcess(process)


def _clean_environment() -> dict[str, str]:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("FRONTDESK_", "PG", "BENCH_"))
    }
    return {**inherited, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _START_TIMEOUT
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"bench: {url} does not respond: {error}") from error
            time.sleep(0.1)
        else:
            return


@contextmanager
def _stopped_at_end(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(_STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
