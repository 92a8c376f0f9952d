"""The built wheels: the server starts from any folder with all its files, and the client works without the server."""

import ast
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from frontdesk import __version__
from frontdesk.errors import StartupError
from frontdesk.server.installation import check_installation
from frontdesk.version import schema_number
from tests.support.programs.installed import Installed, empty_home
from tests.support.programs.wheel_files import wheel_files
from tests.support.repetitions import share
from tests.support.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def installed() -> Iterator[Installed]:
    """Both wheels without their dependencies. These come from the locked packages; the checkout is not on the path."""
    with empty_home() as empty:
        _install_wheels(empty.folder)
        yield empty


def _install_wheels(folder: Path) -> None:
    """Built by the backend that `pip wheel` would call, in half of its time."""
    wheels = folder / "wheels"
    for source in (ROOT / "client", ROOT):
        _run([sys.executable, "-m", "flit_core.wheel", str(source), "--outdir", str(wheels)])
    built = sorted(str(wheel) for wheel in wheels.iterdir())
    assert len(built) == 2
    _run([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")])
    (site,) = folder.glob("env/lib/python*/site-packages")
    (site / "locked.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    python = str(folder / "env" / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", python]
    _run([*pip, "install", "--no-deps", "--no-index", "--ignore-installed", *built])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr


def test_an_installed_wheel_serves_everything_from_another_folder(installed: Installed) -> None:
    with installed.serving("--sandbox") as http:
        _look_at_everything(http, installed)
    log_text = (installed.folder / "log").read_text()
    assert "client_secret" in log_text
    assert "Traceback" not in log_text
    assert (installed.folder / "home" / ".local" / "share" / "frontdesk" / "pg").is_dir()


def _look_at_everything(http: httpx2.Client, installed: Installed) -> None:
    assert "Operating Frontdesk" in http.get("/docs").text
    assert "FRONTDESK_DATA_DIR" in http.get("/docs/guides/operating").text.replace("<wbr>", "")
    style = installed.package / "static" / "styles" / "base" / "tokens.css"
    assert style.read_text() in http.get("/static/styles/base.css").text
    assert "Sign in" in http.get("/sign-in", headers={"accept-language": "en"}).text
    assert 'dir="rtl"' in http.get("/sign-in", headers={"accept-language": "ar"}).text
    assert "Sign in<" not in http.get("/sign-in", headers={"accept-language": "ar"}).text
    assert http.get("/open-api/v1/openapi.json").json()["openapi"].startswith("3.1")
    assert "First published description" in http.get("/changelog.json").text
    _look_at_what_it_offers(http, installed)


def _look_at_what_it_offers(http: httpx2.Client, installed: Installed) -> None:
    page = http.get("/packages").text
    for built in (installed.folder / "wheels").iterdir():
        assert f'href="/packages/{built.name}"' in page
        assert wheel_files(http.get(f"/packages/{built.name}").content) == wheel_files(built.read_bytes())
    assert "/packages/frontdesk-client-" in page


def test_the_commands_of_an_installed_wheel_know_the_published_descriptions(installed: Installed) -> None:
    changelog, description = installed.run("changelog"), installed.run("openapi")
    assert "First published description" in changelog.stdout, changelog.stderr
    assert '"openapi": "3.1' in description.stdout, description.stderr


def test_an_installed_wheel_says_what_it_is_and_what_is_set(installed: Installed) -> None:
    version, settings = installed.run("--version"), installed.run("config", "check")
    assert version.stdout == f"frontdesk {__version__}, commit unknown, schema {schema_number()}\n", version.stderr
    assert settings.returncode == 0, settings.stderr
    assert re.search(r"^FRONTDESK_PORT +8000", settings.stdout, re.MULTILINE), settings.stdout


def test_the_installed_server_has_the_client_for_its_api_command(installed: Installed) -> None:
    outcome = installed.run("api", "--help")
    assert (outcome.returncode, outcome.stderr) == (0, "")


def test_the_client_wheel_is_typed_and_needs_only_httpx2_and_msgspec(installed: Installed) -> None:
    site = installed.package.parent
    client = site / "frontdesk_client"
    (metadata,) = site.glob("frontdesk_client-*.dist-info")
    requirements = re.findall(r"^Requires-Dist: (.+)$", (metadata / "METADATA").read_text(), re.MULTILINE)
    assert sorted(requirements) == ["httpx2>=2.16,<3", "msgspec>=0.22,<0.23"]
    assert (metadata / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (client / "py.typed").exists()
    imported = {name.partition(".")[0] for path in client.rglob("*.py") for name in imports(path)}
    assert imported - sys.stdlib_module_names == {"frontdesk_client", "httpx2", "msgspec"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.torture
@pytest.mark.parametrize("name", share(["postgres/migrations", "docs_site/guides", "apis/openapi/versions"], 0, 3))
def test_a_folder_missing_from_an_installed_wheel_is_named_in_one_line(installed: Installed, name: str) -> None:
    aside = installed.folder / "aside"
    (installed.package / name).rename(aside)
    try:
        outcomes = [installed.run(*command) for command in (["migrate"], ["serve"], ["changelog"])]
    finally:
        aside.rename(installed.package / name)
    for outcome in outcomes:
        assert (outcome.returncode, outcome.stdout) == (2, "")
        assert outcome.stderr.startswith(f"frontdesk: {installed.package / name} is missing or empty")
        assert outcome.stderr.count("\n") == 1


def test_every_kind_of_file_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="templates"):
        check_installation(tmp_path)
