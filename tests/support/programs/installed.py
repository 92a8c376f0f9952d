"""The program as pip installs it, used by a person who has nothing but a home."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2

from tests.support.programs.commands import free_port
from tests.support.waiting import PATIENCE_SECONDS, wait_until


class Installed(NamedTuple):
    """A folder with a virtual environment `env` and a `home`."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "env" / "bin" / "python"

    @property
    def package(self) -> Path:
        (found,) = self.folder.glob("env/lib/python*/site-packages/frontdesk")
        return found

    def environment(self, **settings: object) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG")}
        given = {f"FRONTDESK_{name.upper()}": str(value) for name, value in settings.items()}
        return {**kept, **given, "HOME": str(self.folder / "home"), "PYTHONDONTWRITEBYTECODE": "1"}

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.folder / "env" / "bin" / "frontdesk", *arguments],
            cwd=self.folder / "home",
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    @contextmanager
    def serving(self, *options: str) -> Iterator[httpx2.Client]:
        port = free_port()
        log = self.folder / "log"
        with log.open("wb") as stderr:
            service = subprocess.Popen(
                [self.folder / "env" / "bin" / "frontdesk", "serve", *options],
                cwd=self.folder / "home",
                env=self.environment(port=port, email_dns="off"),
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )
        try:
            with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
                wait_until(lambda: service.poll() is not None or is_ready(http))
                assert service.poll() is None, log.read_text()
                yield http
        finally:
            service.send_signal(signal.SIGINT)
            assert service.wait(PATIENCE_SECONDS) == 0


@contextmanager
def empty_home() -> Iterator[Installed]:
    """In /tmp, where the user of the embedded database can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    (folder / "home").mkdir(mode=0o711)
    yield Installed(folder)
    shutil.rmtree(folder)


def is_ready(http: httpx2.Client) -> bool:
    try:
        return http.get("/health/ready").status_code == 200
    except httpx2.TransportError:
        return False
