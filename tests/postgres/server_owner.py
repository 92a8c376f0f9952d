"""Another process that owns an embedded server, and what a test asks about servers from outside."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import asyncpg

import frontdesk
from tests.support.waiting import PATIENCE_SECONDS

# Everything is imported before the user changes: the interpreter may lie in a folder only root can read.
OWNER = """
import encodings.idna, os, pathlib, resource, signal, subprocess, sys, tempfile, threading
folder, uid, platform, fsize, thread, bin_dir = sys.argv[1:]
sys.platform = platform or sys.platform
from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.server import EmbeddedPostgres
if uid:
    os.setgroups([]); os.setgid(int(uid)); os.setuid(int(uid))
if fsize:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(fsize), int(fsize)))
server = EmbeddedPostgres(pathlib.Path(folder), pathlib.Path(bin_dir) if bin_dir else None)
def start():
    try:
        print(server.start(), flush=True)
    except StartupError as error:
        print("StartupError:", error, flush=True)
if thread:
    short = threading.Thread(target=start); short.start(); short.join()
else:
    start()
sys.stdin.read()
server.stop()
"""


class Owner:
    """Another process that starts the server, says what came of it, and stops when its input ends."""

    def __init__(
        self, folder: Path, uid: str = "", platform: str = "", fsize: str = "", thread: str = "", bin_dir: str = ""
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(folder), uid, platform, fsize, thread, bin_dir],
            cwd=Path(frontdesk.__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def stop(self) -> None:
        self.process.communicate(timeout=PATIENCE_SECONDS)

    def kill(self) -> None:
        self.process.kill()
        self.stop()


def fetch(dsn: str, sql: str) -> Any:
    return asyncio.run(_fetch(dsn, sql))


async def _fetch(dsn: str, sql: str) -> Any:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


def postmaster(data: Path) -> int:
    return int((data / "pg" / "postmaster.pid").read_text().split()[0])


def lives(pid: int) -> bool:
    """A zombie in a container without a reaping init is dead too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
