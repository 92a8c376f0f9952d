"""Which versions of other packages the distributions need. The server works with the oldest and with the newest."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent.parent
WITHOUT_LAST = {"iso4217", "tzdata"}  # data, whose versions are dates
INSTALL_SECONDS = 1200


def requirements(project: str) -> list[Requirement]:
    with (ROOT / project / "pyproject.toml").open("rb") as file:
        return [Requirement(line) for line in tomllib.load(file)["project"]["dependencies"]]


def first_version(requirement: Requirement) -> str:
    (first,) = (bound.version for bound in requirement.specifier if bound.operator == ">=")
    return first


@pytest.mark.parametrize("project", [".", "client"])
def test_every_requirement_has_bounds_that_the_locked_version_is_within(project: str) -> None:
    locked = dict(
        re.findall(r"^([a-z0-9_.-]+)==([^ \\]+)", (ROOT / "requirements" / "run.txt").read_text("utf-8"), re.MULTILINE)
    )
    for requirement in requirements(project):
        operators = sorted(bound.operator for bound in requirement.specifier)
        assert operators == ([">="] if requirement.name in WITHOUT_LAST else ["<", ">="]), requirement
        assert requirement.specifier.contains(locked[requirement.name]), requirement


def test_the_server_does_not_need_the_client() -> None:
    assert {"frontdesk-client", "httpx2"}.isdisjoint(requirement.name for requirement in requirements("."))


@pytest.fixture(params=["oldest", "newest"])
def python(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An environment with the server and the oldest or newest packages that it allows, from the package index."""
    needed = requirements(".")
    if request.param == "oldest":
        chosen = [f"{requirement.name}=={first_version(requirement)}" for requirement in needed]
    else:
        chosen = [str(requirement) for requirement in needed]
    _run(sys.executable, "-m", "venv", str(tmp_path / "env"))
    found = tmp_path / "env" / "bin" / "python"
    pip = [str(found), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-cache-dir"]
    _run(*pip, "--upgrade", *chosen, "flit-core", seconds=INSTALL_SECONDS)
    _run(*pip, "--no-deps", "--no-build-isolation", str(ROOT))
    return found


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="it installs all packages twice: `make torture` does")
@pytest.mark.timeout(2 * INSTALL_SECONDS)
def test_the_server_starts_and_books_with_the_oldest_and_the_newest_packages(python: Path, tmp_path: Path) -> None:
    _run(str(python), str(ROOT / "tests" / "support" / "programs" / "smoke.py"), str(tmp_path / "data"))
    missing = _run(str(python.parent / "frontdesk"), "api", "get", "/branches", status=2)
    assert missing.strip() == "frontdesk: this command needs more packages: pip install 'frontdesk[client]'"


def _run(*command: str, status: int = 0, seconds: float = PATIENCE_SECONDS) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == status, done.stderr
    return done.stderr
