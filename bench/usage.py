"""What processes use: CPU time, memory, and the statements that the service has counted."""

import os
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_RECORD_SECONDS = 0.3  # the service adds finished requests to its metrics every 0.1 seconds


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of its live children."""
    return sum(_own_cpu_seconds(process) for process in _family(pid))


def all_cpu_seconds(pid: int) -> float:
    """As `cpu_seconds`, with the children that have ended."""
    return sum(_own_cpu_seconds(process, last_field=15) for process in _family(pid))


def waited_seconds(pid: int) -> float:
    """How long a process and its live children were ready to run while no core was free."""
    return sum(_own_waited_seconds(process) for process in _family(pid))


def rss_bytes(pid: int) -> int:
    """Resident memory of a process and of its live children."""
    return sum(_resident_pages(process) for process in _family(pid)) * os.sysconf("SC_PAGESIZE")


def proportional_bytes(pid: int) -> int:
    """Memory of a process and of its live children, in which what they share counts once."""
    return sum(_own_proportional_bytes(process) for process in _family(pid))


def peak_bytes(pid: int) -> int:
    """The most memory that a process has used since it began."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


def parent_of(pid: int) -> int:
    return int(_stat(pid)[1])


def counted_statements(metrics_port: int) -> float:
    """SQL statements of all requests so far, as the service counts them."""
    time.sleep(_RECORD_SECONDS)
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=10) as response:
        lines = response.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith("frontdesk_statements_total{"))


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(FileNotFoundError, ProcessLookupError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _family(int(child))


def _own_cpu_seconds(pid: int, last_field: int = 13) -> float:
    with suppress(FileNotFoundError, ProcessLookupError):
        return sum(int(field) for field in _stat(pid)[11:last_field]) / _TICKS
    return 0.0


def _own_waited_seconds(pid: int) -> float:
    with suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0


def _resident_pages(pid: int) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return 0


def _own_proportional_bytes(pid: int) -> int:
    with suppress(FileNotFoundError, ProcessLookupError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
    return 0


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
