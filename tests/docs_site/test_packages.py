"""An installation offers the clients and its command line: pip and npm install them from its address."""

import hashlib
import io
import json
import re
import tarfile
import zipfile
from pathlib import Path

import pytest
from flit_core.wheel import make_wheel_in

from frontdesk.apis.openapi.build import description
from frontdesk.packages.offered import EXAMPLES, PYTHON_CLIENT, SERVICE, TYPESCRIPT_CLIENT, offered_packages
from frontdesk.packages.schema_types import schema_types
from release.examples import example_files
from tests.support.programs.wheel_files import wheel_files
from tests.support.service import Service

ROOT = Path(__file__).parent.parent.parent


async def test_the_wheel_of_the_client_is_what_its_build_makes(service: Service, tmp_path: Path) -> None:
    address = offered_packages()[PYTHON_CLIENT].address
    answer = await service.http.get(address)
    built = make_wheel_in(ROOT / "client" / "pyproject.toml", tmp_path).file
    assert built.name == address.rpartition("/")[2]
    offered, wanted = (_without_readme(wheel_files(wheel)) for wheel in (answer.content, built.read_bytes()))
    assert offered == wanted
    again = await service.http.get(address, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def _without_readme(files: dict[str, bytes]) -> dict[str, bytes]:
    """An environment of a checkout has its metadata from when it was made, with the README of that day."""
    return {name: files[name].partition(b"\n\n")[0] if name.endswith("/METADATA") else files[name] for name in files}


async def test_the_package_for_npm_has_what_its_manifest_promises_and_the_types_of_this_code(service: Service) -> None:
    answer = await service.http.get(offered_packages()[TYPESCRIPT_CLIENT].address)
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as package:
        files = {name.removeprefix("package/"): package.extractfile(name).read() for name in package.getnames()}  # type: ignore[union-attr]
    assert {"README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"} < files.keys()
    assert json.loads(files["package.json"])["exports"]["."]["types"] == "./dist/index.d.ts"
    assert files["dist/schema.d.ts"].decode() == schema_types(description("open-api"))


async def test_the_examples_are_those_of_the_project(service: Service) -> None:
    """`make packages` stores them."""
    answer = await service.http.get(offered_packages()[EXAMPLES].address)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files == example_files()
    assert {
        "examples/tasks/server.py",
        "examples/connect-typescript/src/flow.ts",
        "examples/till/README.md",
    } < files.keys()


@pytest.mark.parametrize(("language", "title"), [("en", "Packages"), ("ar", "الحزم")])
async def test_the_page_shows_lines_and_hashes_in_both_languages(service: Service, language: str, title: str) -> None:
    page = (await service.http.get("/packages/", params={"language": language})).text
    assert f"<h1>{title}</h1>" in page
    for package in offered_packages().values():
        content = (await service.http.get(package.address)).content
        assert f"<code>{hashlib.sha256(content).hexdigest()}</code>" in page
    commands = [line.split()[:2] for line in lines(page)]
    assert commands == [["pip", "install"], ["pip", "install"], ["npm", "install"], ["curl", "-O"]]


def lines(page: str) -> list[str]:
    return [re.sub("<[^>]+>", "", line) for line in re.findall(r"<pre[^>]*><code>(.*?)</code>", page, re.DOTALL)]


@pytest.mark.parametrize(
    ("guide", "names"),
    [
        ("python-client", [PYTHON_CLIENT, EXAMPLES]),
        ("typescript-client", [TYPESCRIPT_CLIENT, EXAMPLES]),
        ("tools", [PYTHON_CLIENT, SERVICE]),
        ("mcp", [PYTHON_CLIENT, SERVICE]),
    ],
)
async def test_a_guide_names_the_packages_of_its_own_installation(
    service: Service, guide: str, names: list[str]
) -> None:
    wanted = [f"{service.origin}{offered_packages()[name].address}" for name in names]
    for address in (f"/docs/guides/{guide}", f"/docs/guides/{guide}-ar", f"/docs/guides/{guide}.md"):
        text = (await service.http.get(address)).text
        assert [line for line in wanted if line not in text] == []
        assert "VERSION" not in text
    assert wanted[0] in (await service.http.get("/llms-full.txt")).text
