"""What `make dist` builds: complete, the same each time, and installed from a folder with one line of pip."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from frontdesk import __version__
from frontdesk.version import schema_number
from release.commit import last_commit
from tests.support.programs.installed import empty_home
from tests.support.repetitions import LONG_SECONDS

ROOT = Path(__file__).parent.parent.parent
SECONDS = 1200

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(2 * SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="it builds and installs everything: `make torture` does"),
]


def run(*command: object, cwd: Path = ROOT) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "dist"
    run(sys.executable, "-m", "release", folder)
    return folder


def test_the_same_commit_gives_the_same_files(dist: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    run(sys.executable, "-m", "release", again)
    assert (again / "SHA256SUMS").read_text() == (dist / "SHA256SUMS").read_text()
    checked = run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=again).splitlines()
    assert sorted(line.partition(":")[0] for line in checked) == sorted(
        {path.name for path in again.iterdir()} - {"SHA256SUMS"}
    )


@pytest.mark.skipif(not Path("/usr/bin/dpkg-deb").exists(), reason="the Debian package is built on a Debian")
def test_the_debian_package_is_there_and_its_programs_name_no_folder_of_the_build(dist: Path, tmp_path: Path) -> None:
    (package,) = dist.glob("*.deb")
    assert f"  {package.name}\n" in (dist / "SHA256SUMS").read_text()
    run("dpkg-deb", "--extract", package, tmp_path)
    environment = tmp_path / "opt" / "frontdesk"
    assert (environment / "bin" / "frontdesk").read_text().startswith("#!/opt/frontdesk/bin/python")
    assert "/tmp" not in (environment / "pyvenv.cfg").read_text()


def test_the_typescript_client_has_what_its_manifest_promises(dist: Path) -> None:
    (package,) = dist.glob("frontdesk-client-*.tgz")
    with tarfile.open(package) as files:
        names = {name.removeprefix("package/") for name in files.getnames()}
    assert {"package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts", "dist/schema.d.ts"} <= names
    assert [name for name in names if name.startswith(("src/", "tests/"))] == []


def test_wheels_and_sdists_contain_every_file_of_the_commit(dist: Path) -> None:
    named = run("git", "ls-tree", "-r", "--name-only", "HEAD", "frontdesk", "client/frontdesk_client").split()
    wanted = {name.removeprefix("client/") for name in named} | {"frontdesk/commit.txt"}
    in_wheels = {name for wheel in dist.glob("*.whl") for name in zipfile.ZipFile(wheel).namelist()}
    in_sdists: set[str] = set()
    for sdist in dist.glob("*.tar.gz"):
        with tarfile.open(sdist) as files:
            in_sdists |= {name.partition("/")[2] for name in files.getnames()}
    assert (wanted - in_wheels, wanted - in_sdists) == (set(), set())


@pytest.mark.parametrize("line", [("-r", "requirements.txt"), ("--find-links", ".", "frontdesk[client]")], ids=" ".join)
def test_one_line_of_pip_installs_server_and_client_from_the_folder(dist: Path, line: tuple[str, ...]) -> None:
    with empty_home() as installed:
        run(sys.executable, "-m", "venv", installed.folder / "env")
        run(installed.python, "-m", "pip", "install", "--disable-pip-version-check", *line, cwd=dist)
        known = f"frontdesk {__version__}, commit {last_commit(ROOT).name}, schema {schema_number()}\n"
        assert installed.run("--version").stdout == known
        assert installed.run("config", "check").returncode == 0
        assert installed.run("api", "--help").returncode == 0  # with the client
        with installed.serving() as http:
            assert "Sign in" in http.get("/sign-in", headers={"accept-language": "en"}).text
            (client,) = dist.glob("frontdesk-client-*.tgz")
            assert http.get(f"/packages/{client.name}").content == client.read_bytes()
