"""A PostgreSQL server of Debian and its replica, which is as late as a test wants."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.programs.commands import free_port
from tests.support.servers.clusters import DEBIAN_15


class Replicated(NamedTuple):
    primary: str  # the address
    replica: str
    folder: Path

    def stop_replica(self) -> None:
        _run(self.folder, "pg_ctl", "-D", "replica", "-m", "immediate", "-w", "stop")


@contextmanager
def replicated_server(delay: str) -> Iterator[Replicated]:
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-replica-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    ports = free_port(), free_port()
    try:
        _run(folder, "initdb", "-D", "primary", "-A", "trust", "-U", "desk")
        _start(folder, "primary", ports[0])
        reach = ("-h", "127.0.0.1", "-p", str(ports[0]), "-U", "desk")
        _run(folder, "createdb", *reach, "desk")
        _run(folder, "pg_basebackup", *reach, "-D", "replica", "-R", "-c", "fast")
        _start(folder, "replica", ports[1], f"-c recovery_min_apply_delay={delay}")
        primary, replica = (f"postgresql://desk@127.0.0.1:{port}/desk" for port in ports)
        yield Replicated(primary, replica, folder)
    finally:
        for name in ("replica", "primary"):
            if (folder / name / "postmaster.pid").exists():
                _run(folder, "pg_ctl", "-D", name, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _start(folder: Path, name: str, port: int, more: str = "") -> None:
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off {more}"
    _run(folder, "pg_ctl", "-D", name, "-o", options, "-l", f"{name}.log", "-w", "start")


def _run(folder: Path, program: str, *words: str) -> None:
    """PostgreSQL does not run as root."""
    command = [str(DEBIAN_15 / program), *words]
    if os.geteuid() == 0:
        command = ["runuser", "-u", "postgres", "--", *command]
    with (folder.parent / f"{folder.name}.out").open("w+") as output:  # pg_ctl leaves the server with our output
        done = subprocess.run(command, cwd=folder, stdout=output, stderr=output, check=False)
        output.seek(0)
        assert done.returncode == 0, output.read()
    (folder.parent / f"{folder.name}.out").unlink()
