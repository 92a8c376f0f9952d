"""What some tests need beyond the locked packages: installed where that can be done, named where it cannot."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEEDED = {
    "chromium": Path("/usr/bin/chromium"),
    "curl": Path("/usr/bin/curl"),
    "haproxy": Path("/usr/sbin/haproxy"),
    "jq": Path("/usr/bin/jq"),
    "nodejs": Path("/usr/bin/node"),
    "npm": Path("/usr/bin/npm"),
    "postgresql-15": Path("/usr/lib/postgresql/15/bin/postgres"),
    "fonts-noto-core": Path("/usr/share/fonts/truetype/noto/NotoNaskhArabic-Regular.ttf"),
    "poppler-utils": Path("/usr/bin/pdftotext"),
    "systemd": Path("/usr/bin/systemd-analyze"),
}
# Without it the tests in a browser use Chromium itself, which is slower.
QUICKER = {"chromium-headless-shell": Path("/usr/bin/chromium-headless-shell")}
# Only for `make torture`: what compiles the clients that are generated in Go.
GO_SOURCES = Path("/usr/share/gocode")
GO = {
    "golang-go": Path("/usr/bin/go"),
    "golang-golang-x-oauth2-dev": GO_SOURCES / "src" / "golang.org" / "x" / "oauth2",
    "golang-gopkg-validator.v2-dev": GO_SOURCES / "src" / "gopkg.in" / "validator.v2",
}
# The versions and their hashes; the registry is npm's own setting.
TYPESCRIPT_SOURCES = Path(__file__).parent.parent / "client-ts"


# A storage server, which needs an older version of a package than the service does.
MOTO_LOCK = Path(__file__).parent.parent / "requirements" / "moto.txt"
# The generator of clients for test_go.py, with the Java that it needs.
GENERATOR_LOCK = Path(__file__).parent.parent / "requirements" / "generator.txt"


def typescript_folder() -> Path:
    return _cache("typescript", TYPESCRIPT_SOURCES / "package-lock.json")


def moto_folder() -> Path:
    return _cache("moto", MOTO_LOCK)


def generator_folder() -> Path:
    return _cache("generator", GENERATOR_LOCK)


def _cache(name: str, lock: Path) -> Path:
    """Outside the tree, one folder per lock file."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "frontdesk" / f"{name}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:16]}"


def install_typescript() -> bool:
    folder = typescript_folder()
    if (folder / "node_modules" / ".bin" / "tsc").exists():
        return True
    if not shutil.which("npm"):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(TYPESCRIPT_SOURCES / name, folder / name)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    try:
        done = subprocess.run(command, cwd=folder, check=False, timeout=300, capture_output=True)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def install_packages(folder: Path, lock: Path) -> bool:
    """The folder gets its name when it is complete."""
    if folder.exists():
        return True
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made:
        options = ["--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
        command = [sys.executable, "-m", "pip", "install", *options, "--target", f"{made}/packages"]
        try:
            done = subprocess.run(command, check=False, timeout=300, capture_output=True)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode == 0:
            Path(made, "packages").rename(folder)
    return folder.exists()


def main() -> int:
    is_torture = "--torture" in sys.argv
    lacking = prepare_debian({**NEEDED, **GO} if is_torture else NEEDED)
    if is_torture and not install_packages(generator_folder(), GENERATOR_LOCK):
        sys.stderr.write("some tests are skipped without: the packages of requirements/generator.txt\n")
        lacking = True
    if not install_packages(moto_folder(), MOTO_LOCK):
        sys.stderr.write("some tests are skipped without: the packages of requirements/moto.txt\n")
        lacking = True
    prepare_quicker()
    if not install_typescript():
        sys.stderr.write("some tests are skipped without: npm ci of client-ts (is npm's registry up?)\n")
        lacking = True
    return 1 if lacking and os.environ.get("CI") == "true" else 0


def prepare_debian(needed: dict[str, Path]) -> bool:
    """Whether something is still missing."""
    missing = _missing(needed)
    if missing and _can_install():
        _apt_get("update")
        _apt_get("install", "-y", *missing)
        missing = _missing(needed)
    if missing:
        sys.stderr.write(f"some tests are skipped without: apt-get install {' '.join(missing)}\n")
    return bool(missing)


def prepare_quicker() -> None:
    """With the package lists that are there, and without waiting for a server that does not answer."""
    missing = _missing(QUICKER)
    if missing and _can_install():
        waits = ("Acquire::Retries=0", "Acquire::http::Timeout=10", "Acquire::https::Timeout=10")
        options = [word for wait in waits for word in ("-o", wait)]
        _apt_get("install", "-y", "--no-install-recommends", *options, *missing, stderr=subprocess.DEVNULL)


def _missing(packages: dict[str, Path]) -> list[str]:
    return [package for package, program in packages.items() if not program.exists()]


def _can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _apt_get(*words: str, stderr: int | None = None) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *words], env=quiet, check=False, stdout=subprocess.DEVNULL, stderr=stderr)


if __name__ == "__main__":
    sys.exit(main())
