"""The processes of a run, all on loopback and unix sockets, and the processor time that each has used."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.callers import LoadSpec, Outcome
from bench.receivers import Report
from bench.reference_app import TenantIds

_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE_SECONDS = 60


class Server(NamedTuple):
    name: str
    pid: int
    port: int
    metrics_port: int = 0


@contextmanager
def running_service(dsn: str, folder: Path, **settings: str) -> Iterator[Server]:
    """One server process, as `frontdesk serve` starts it; its log goes to a file, as it would in earnest."""
    port, metrics_port = _free_port(), _free_port()
    own = {"DATABASE_URL": dsn, "PORT": str(port), "DATA_DIR": str(folder / "unused"), "EMAIL_DNS": "off"}
    given = {**own, "METRICS": f"127.0.0.1:{metrics_port}", **settings}
    environment = {**_clean_environment(), **{f"FRONTDESK_{name}": value for name, value in given.items()}}
    with (folder / "service.log").open("wb") as log:
        process = subprocess.Popen(
            [Path(sys.executable).parent / "frontdesk", "serve"], env=environment, stdout=log, stderr=log
        )
    with _ended(process):
        _await(f"http://127.0.0.1:{port}/health/ready", process)
        yield Server("service", process.pid, port, metrics_port)


@contextmanager
def running_reference(dsn: str, tenant_ids: TenantIds) -> Iterator[Server]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    environment = {
        **_clean_environment(),
        "BENCH_DSN": dsn,
        "BENCH_TENANTS": msgspec.json.encode(tenant_ids).decode(),
    }
    port, number = listening.getsockname()[1], listening.fileno()
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.reference_app", str(number)], env=environment, pass_fds=[number]
    )
    listening.close()
    with _ended(process):
        _await(f"http://127.0.0.1:{port}/open-api/v1/orders", process)
        yield Server("reference", process.pid, port)


class Callers:
    """The load generator's process, told what to do line by line."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process

    def run(self, spec: LoadSpec) -> Outcome:
        to, answers = self._process.stdin, self._process.stdout
        if to is None or answers is None:
            raise RuntimeError("started without pipes")
        to.write(msgspec.json.encode(spec) + b"\n")
        to.flush()
        outcome = msgspec.json.decode(answers.readline(), type=Outcome)
        if outcome.failure:
            raise SystemExit(f"bench: unexpected answer: {outcome.failure[:1000]}")
        return outcome


@contextmanager
def running_callers() -> Iterator[Callers]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.callers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_clean_environment()
    )
    with _ended(process):
        yield Callers(process)


class Receivers:
    """The receivers' process, asked for what it has got so far."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self.ports = [int(port) for port in self._line().split()]

    def report(self) -> Report:
        if self._process.stdin is None:
            raise RuntimeError("started without pipes")
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._line(), type=Report)

    def _line(self) -> bytes:
        if self._process.stdout is None:
            raise RuntimeError("started without pipes")
        return self._process.stdout.readline()


@contextmanager
def running_receivers() -> Iterator[Receivers]:
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.receivers"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_clean_environment(),
    )
    with _ended(process):
        yield Receivers(process)


def cpu_seconds(pid: int) -> float:
    """User and system time of one process; nothing when it has gone."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
    return 0.0


def children_cpu_seconds(pid: int) -> float:
    """Of a database server: every process that it has forked and that still lives."""
    with suppress(FileNotFoundError, ProcessLookupError):
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return sum(cpu_seconds(int(child)) for child in listed)
    return 0.0


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def statements_run(server: Server) -> float:
    """What the service itself has counted so far, over all routes."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.metrics_port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("frontdesk_statements_total{"))


def _clean_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FRONTDESK_", "PG", "BENCH_"))}
    return {**kept, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)}


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        port: int = asking.getsockname()[1]
        return port


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError as failure:
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"bench: {url} does not answer: {failure}") from failure
            time.sleep(0.1)
        else:
            return


@contextmanager
def _ended(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
