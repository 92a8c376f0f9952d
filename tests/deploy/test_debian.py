"""deploy/debian: a package built in a fresh Debian 13, and installed there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk import __version__
from release.commit import last_commit
from tests.support.programs.pip_configuration import CERTIFICATES, pip_configuration
from tests.support.repetitions import LONG_SECONDS

ROOT = Path(__file__).parents[2]
SECONDS = 1800

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(2 * SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="it installs a Debian: `make torture` does"),
    pytest.mark.skipif(
        os.geteuid() != 0 or not shutil.which("mmdebstrap"), reason="as root, with: apt-get install mmdebstrap"
    ),
]


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A root with the release and deploy/ in /build."""
    root = tmp_path_factory.mktemp("debian") / "root"
    packages = "--include=ca-certificates,python3-venv"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", packages, "trixie", root], check=True, timeout=SECONDS
    )
    shutil.copytree(ROOT / "deploy", root / "build" / "deploy")
    subprocess.run([sys.executable, "-m", "release", root / "build" / "dist"], cwd=ROOT, check=True, timeout=SECONDS)
    shutil.copy(CERTIFICATES, root / "build" / "certificates.crt")
    pip_configuration(root / "etc", "/build/certificates.crt")
    yield root
    shutil.rmtree(root)


def run(root: Path, *command: str) -> str:
    clean = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    words = ["chroot", str(root), *command]
    done = subprocess.run(words, env=clean, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_package_is_built_and_installed(debian: Path) -> None:
    run(debian, "/build/deploy/debian/build", "/build/dist")
    (package,) = (debian / "build" / "dist").glob("*.deb")
    inside = f"/build/dist/{package.name}"
    fields = run(debian, "dpkg-deb", "--info", inside)
    assert f" Version: {__version__}\n" in fields
    files = run(debian, "dpkg-deb", "--contents", inside)
    for wanted in ("frontdesk.service", "frontdesk-worker.service", "./etc/frontdesk/frontdesk.conf"):
        assert f"{wanted}\n" in files
    run(debian, "dpkg", "--install", inside)
    assert last_commit(ROOT).name in run(debian, "frontdesk", "--version")
    assert "(/etc/frontdesk/frontdesk.conf)" in run(debian, "frontdesk", "config", "check")
    assert "`frontdesk serve` creates it" in run(debian, "frontdesk", "doctor")
    assert "/etc/frontdesk/frontdesk.conf" in run(
        debian, "dpkg-query", "--show", "--showformat=${Conffiles}", "frontdesk"
    )
    assert ":/var/lib/frontdesk:" in run(debian, "getent", "passwd", "frontdesk")
