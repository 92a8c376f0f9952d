"""Work for every core, made by the test itself; it ends with the test, or with the process that asked for it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_BURN = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(100_000):
        pass
"""


@contextmanager
def busy_machine() -> Iterator[None]:
    burning = [
        subprocess.Popen([sys.executable, "-c", _BURN, str(os.getpid())], stdin=subprocess.DEVNULL)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()
