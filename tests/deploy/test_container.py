"""deploy/Containerfile: built from a fresh Debian 13 without any registry, and run."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from frontdesk import __version__
from frontdesk.version import schema_number
from tests.support.programs.commands import free_port
from tests.support.programs.installed import is_ready
from tests.support.programs.pip_configuration import CERTIFICATES, pip_configuration
from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parents[2]
SECONDS = 1800

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(2 * SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="it installs a Debian: `make torture` does"),
    pytest.mark.skipif(
        os.geteuid() != 0 or not (shutil.which("buildah") and shutil.which("mmdebstrap")),
        reason="as root, with: apt-get install buildah mmdebstrap",
    ),
]


class Buildah:
    """With a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        store = ("--root", str(folder / "store"), "--runroot", str(folder / "run"), "--storage-driver", "vfs")
        self.command = ("buildah", *store)

    def __call__(self, *words: object) -> str:
        command = [*self.command, *map(str, words)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout.strip()


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Buildah]:
    folder = tmp_path_factory.mktemp("buildah")
    buildah = Buildah(folder)
    root = folder / "debian.tar"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "trixie", root], check=True, timeout=SECONDS)
    empty = buildah("from", "scratch")
    buildah("add", "--quiet", empty, root, "/")
    buildah("commit", "--quiet", empty, "debian-root")
    seen = "/run/certificates.crt"
    buildah(
        *("bud", "--isolation", "chroot", "--format", "docker", "--file", "deploy/Containerfile", "--tag", "frontdesk"),
        *("--build-arg", "BASE=localhost/debian-root", "--build-arg", "COMMIT=0123456789ab"),
        *("--secret", f"id=pip,src={pip_configuration(folder, seen)}", "--volume", f"{CERTIFICATES}:{seen}:ro"),
        ".",
    )
    yield buildah
    buildah("rm", "--all")
    shutil.rmtree(folder)


def test_the_image_serves_as_another_user_and_stops_when_asked(buildah: Buildah) -> None:
    container = buildah("from", "--pull-never", "frontdesk")
    run = ("run", "--isolation", "chroot")
    known = f"frontdesk {__version__}, commit 0123456789ab, schema {schema_number()}"
    assert buildah(*run, container, "--", "frontdesk", "--version") == known
    assert buildah(*run, container, "--", "id", "--user") == "10001"
    port = free_port()
    command = [*buildah.command, *run, "--env", f"FRONTDESK_PORT={port}", container, "--", "frontdesk", "serve"]
    with (buildah.folder / "log").open("wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            wait_until(lambda: running.poll() is not None or is_ready(http))
            assert running.poll() is None, (buildah.folder / "log").read_text()
            assert "Sign in" in http.get("/sign-in", headers={"accept-language": "en"}).text
    finally:
        server = _server_below(running.pid)
        os.kill(server or running.pid, signal.SIGTERM)
        ended = running.wait(PATIENCE_SECONDS)
    assert (server is not None, ended) == (True, 0)


def _server_below(pid: int) -> int | None:
    """The program itself, among the processes that buildah has started."""
    threads = Path(f"/proc/{pid}/task").iterdir()  # any of which may have started it
    for child in [child for thread in threads for child in (thread / "children").read_text().split()]:
        arguments = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if arguments[0].endswith(b"/python3") and b"serve" in arguments:
            return int(child)
        found = _server_below(int(child))
        if found:
            return found
    return None


def test_the_image_names_its_user_volume_and_health_check(buildah: Buildah) -> None:
    text = buildah(
        "inspect", "--type", "image", "--format", "{{.Docker.Config}} {{.Docker.Config.Healthcheck.Test}}", "frontdesk"
    )
    for wanted in ("10001:10001", "/var/lib/frontdesk", "/health/ready", "SIGTERM", "8000/tcp"):
        assert wanted in text
