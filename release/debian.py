"""The Debian package of a release, for the Debian and the Python of this machine."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

# Debian's own Python, on which the package depends, and not another one that stands before it.
_PROGRAMS = "/usr/sbin:/usr/bin:/sbin:/bin"
_LEFT_OUT = "the Debian package is left out: it is built on a Debian with dpkg-deb and python3-venv\n"


def build_package(sources: Path, folder: Path, environment: Mapping[str, str], programs: str = _PROGRAMS) -> None:
    if not _is_debian(programs):
        sys.stderr.write(_LEFT_OUT)
        return
    command = [str(sources / "deploy" / "debian" / "build"), str(folder)]
    run(command, {**environment, "PATH": programs})


def _is_debian(programs: str) -> bool:
    python = shutil.which("python3", path=programs)
    if python is None or shutil.which("dpkg-deb", path=programs) is None:
        return False
    return subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0  # noqa: S603 - constant


def run(command: list[str], environment: Mapping[str, str]) -> None:
    """Ends with what the command has written if it fails."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - constant
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
