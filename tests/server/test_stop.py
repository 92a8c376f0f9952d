"""Ctrl-C and SIGTERM at any moment of any command: it ends, and leaves no process and no lock behind.

Four random moments here; `make torture` tries two hundred, on a machine with no idle core.
"""

import contextlib
import fcntl
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.postgres.server_owner import lives
from tests.support.programs.commands import (
    FRONTDESK,
    ServerProcess,
    free_port,
    run,
    running_server,
    settings_environment,
)
from tests.support.programs.load import busy_machine
from tests.support.repetitions import LONG_SECONDS, repetitions
from tests.support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.both_servers

STOPS = repetitions(4, long=200)
SEED = int(os.environ.get("FRONTDESK_TEST_SEED", "11"))


class Kind(NamedTuple):
    """A command, and whether it starts on a folder that holds nothing yet."""

    arguments: tuple[str, ...]
    is_fresh: bool = False
    workers: int = 1

    @property
    def stays(self) -> bool:
        return self.arguments[0] in ("serve", "worker")


KINDS = (
    Kind(("serve", "--sandbox"), is_fresh=True),
    Kind(("serve",), workers=2),
    Kind(("worker",)),
    Kind(("backup", "copy")),
    Kind(("serve",)),
    Kind(("migrate",), is_fresh=True),
    Kind(("serve",)),
    Kind(("sandbox", "--json")),
    Kind(("serve",), workers=2),
    Kind(("serve", "--sandbox"), is_fresh=True),
    Kind(("serve",)),
    Kind(("tenant", "list")),
)


class Place(NamedTuple):
    folder: Path
    data: Path  # with a migrated database
    seconds: float  # from the command to the first answer, on this machine with this load


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    try:
        with busy_machine() if LONG_SECONDS else contextlib.nullcontext():
            assert run("migrate", data_dir=folder / "data").returncode == 0
            began = time.monotonic()
            with running_server(folder / "data") as service:
                seconds = time.monotonic() - began
                assert service.stop(signal.SIGINT) == 0
            yield Place(folder, folder / "data", seconds)
    finally:
        shutil.rmtree(folder)


@pytest.mark.torture
@pytest.mark.timeout(STOPS * PATIENCE_SECONDS)
def test_a_stop_at_any_moment_ends_every_command_and_leaves_nothing_behind(place: Place) -> None:
    chance = random.Random(SEED)
    for number in range(STOPS):
        kind = KINDS[number % len(KINDS)]
        data = place.folder / f"fresh-{number}" if kind.is_fresh else place.data
        process = start(kind, data, place.folder)
        moment = chance.uniform(0, place.seconds * 1.2)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        signals = chance.choice(([signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGINT]))
        output = stop(process, signals)
        case = f"{number} of seed {SEED}: {kind}, {signals} after {moment:.2f} s: {output}"
        assert_ended_well(kind, process.returncode, output, case)
        wait_until(partial(has_no_process, data))
        assert_unlocked(data, case)
        if kind.is_fresh:
            shutil.rmtree(data, ignore_errors=True)
    with running_server(place.data) as service:
        assert service.stop() == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="changes user: run the tests as root to cover it")
def test_ctrl_c_does_not_make_a_folder_look_unreachable(place: Place) -> None:
    """A terminal sends SIGINT to the whole process group, also to the shell that tries the folder."""
    script = """
import os, pathlib, pwd, signal, sys, threading
from frontdesk.postgres.embedded.files import Account, is_searchable
signal.signal(signal.SIGINT, lambda number, frame: None)
ended = threading.Event()
def press():
    while not ended.wait(0.0005):
        os.killpg(0, signal.SIGINT)
presses = threading.Thread(target=press)
presses.start()
user = pwd.getpwnam("nobody")
account = Account(user.pw_name, user.pw_uid, user.pw_gid)
reached = sum(is_searchable(pathlib.Path(sys.argv[1]), account) for _ in range(20))
ended.set()
presses.join()
print(reached)
"""
    tried = subprocess.run(
        [sys.executable, "-c", script, place.data], capture_output=True, text=True, check=False, start_new_session=True
    )
    assert (tried.stdout, tried.stderr) == ("20\n", "")


def start(kind: Kind, data: Path, folder: Path) -> "subprocess.Popen[bytes]":
    """A SIGINT waits until our first line runs: Python's own start, before that, can swallow a KeyboardInterrupt."""
    (folder / "copy").unlink(missing_ok=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(
            [FRONTDESK, *kind.arguments],
            cwd=folder,
            env=settings_environment(data_dir=data, port=free_port(), workers=kind.workers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def stop(process: "subprocess.Popen[bytes]", signals: list[signal.Signals]) -> str:
    """As a terminal does it (to the whole group) for Ctrl-C, as a service manager does it for SIGTERM."""
    for number in signals:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    try:
        return process.communicate(timeout=PATIENCE_SECONDS)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail(f"{process.args!r} hangs after {signals}: {process.communicate()[1].decode()}")


def assert_ended_well(kind: Kind, status: int, output: str, case: str) -> None:
    """A signal that comes while Python loads the command ends it there and then, with nothing begun."""
    if status in (-signal.SIGINT, -signal.SIGTERM):
        assert "migrating" not in output, case
        return
    finished = (0,) if kind.stays else (0, 128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert status in finished, case
    assert "Traceback" not in output, case


def has_no_process(data: Path) -> bool:
    return not processes_of(data)


def processes_of(data: Path) -> list[int]:
    """Everything that was started with this folder: the command, its server processes, PostgreSQL."""
    found, wanted = [], f"FRONTDESK_DATA_DIR={data}\0".encode()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and wanted in (entry / "environ").read_bytes() and lives(int(entry.name)):
                found.append(int(entry.name))
    return found


def assert_unlocked(data: Path, case: str) -> None:
    for path in (data / "lock", data / "pg"):
        if path.exists():
            opened = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pytest.fail(f"{path} is locked, {case}")
            finally:
                os.close(opened)


def test_a_stop_is_recorded_and_raises_nothing_where_it_arrives() -> None:
    """Thousands of signals into code that holds locks, as the start of a process does: no lock stays taken."""
    program = """
import logging, os, signal, subprocess, threading
from frontdesk.runtime.stop_signals import catch_stop_signals, stop_count
catch_stop_signals()
done = threading.Event()
def send():
    while not done.is_set():
        os.kill(os.getpid(), signal.SIGINT)
sending = threading.Thread(target=send)
sending.start()
for _ in range(30):
    subprocess.run(["true"], preexec_fn=int, check=True)
done.set()
sending.join()
logging.getLogger().warning("the lock of logging is free")
print(stop_count() > 0)
"""
    outcome = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert outcome.stdout == "True\n", outcome.stderr
    assert outcome.stderr == "the lock of logging is free\n"


def test_a_second_stop_while_draining_ends_the_database_too(place: Place) -> None:
    service = ServerProcess(place.data, workers=2)
    service.wait_until_ready()
    for _ in range(3):
        os.killpg(service.process.pid, signal.SIGINT)
    assert service.process.wait(PATIENCE_SECONDS) == 0
    wait_until(lambda: not processes_of(place.data))
    assert_unlocked(place.data, service.stderr)
    assert "Traceback" not in service.stderr
