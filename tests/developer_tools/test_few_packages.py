"""The commands for developers need few packages: who installs them has no service to run."""

import subprocess
import sys

import pytest

from frontdesk.docs_site.guide_files import markdown_source

# What the client and the command line of the guide bring.
ALLOWED = {"click", "dns", "frontdesk", "frontdesk_client", "httptools", "structlog", "tzdata"}
OF_THE_CLIENT = {"anyio", "h11", "httpcore2", "httpx2", "idna", "msgspec", "truststore", "typing_extensions"}
_PROGRAM = """
import sys

class Refusal:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {allowed} and top not in sys.stdlib_module_names and not top.startswith("_"):
            raise ModuleNotFoundError("no module " + name, name=name)

sys.meta_path.insert(0, Refusal())
from frontdesk.__main__ import main
from frontdesk.developer_tools.conformance.events import customer_data
customer_data()
main()
"""


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = _PROGRAM.format(allowed=ALLOWED | OF_THE_CLIENT)
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "arguments", [("listen", "--help"), ("trigger", "--list"), ("conformance", "--list")], ids=lambda found: found[0]
)
def test_a_command_for_developers_starts_with_few_packages(arguments: tuple[str, str]) -> None:
    ended = run(*arguments)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_another_command_says_how_to_get_the_packages_of_the_service() -> None:
    ended = run("serve", "--help")
    assert ended.returncode == 2
    assert "this command needs more packages: " in ended.stderr
    assert "install frontdesk without --no-deps" in ended.stderr


def test_the_guide_names_them() -> None:
    (line,) = [found for found in markdown_source("tools").splitlines() if "httptools" in found]
    assert {name.replace("dnspython", "dns") for name in line.split()} > ALLOWED - {"frontdesk", "frontdesk_client"}
