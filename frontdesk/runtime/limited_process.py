"""Runs a module in a process with limits: the file of a stranger costs neither the server's time nor its memory."""

import asyncio
import os
import resource
import sys
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from frontdesk.runtime.time_limits import time_limit


class Limits(NamedTuple):
    cpu_seconds: int
    seconds: float  # until the process is killed; the machine may be busy
    memory_bytes: int = 768 * 1024 * 1024
    file_bytes: int = 1024 * 1024 * 1024  # of each file that it writes
    niceness: int = 10  # requests go before it


class ProcessFailed(Exception):
    """The process was killed or ended with an error: the work needs too much time or memory."""


async def run_limited(
    module: str, limits: Limits, *, content: bytes = b"", file: BinaryIO | None = None, output: BinaryIO | None = None
) -> bytes:
    """The module calls `apply_limits` first. It reads `content` or `file`, and writes what is returned, or `output`."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *(str(limit) for limit in limits)),
        stdin=asyncio.subprocess.PIPE if file is None else file,
        stdout=asyncio.subprocess.PIPE if output is None else output,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        with time_limit(limits.seconds):
            written, _ = await process.communicate(content if file is None else None)
    except TimeoutError as late:
        raise ProcessFailed from late
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise ProcessFailed
    return written or b""


def apply_limits() -> None:
    """In that process, before it reads anything."""
    cpu_seconds, _seconds, memory_bytes, file_bytes, niceness = (float(limit) for limit in sys.argv[1:6])
    os.nice(int(niceness))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # what ends at a limit leaves no copy of its memory behind
    resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds), int(cpu_seconds)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(file_bytes), int(file_bytes)))
    with suppress(ValueError, OSError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (int(memory_bytes), int(memory_bytes)))
