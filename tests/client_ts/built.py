"""The TypeScript client, built from the description of this code in a folder of its own, and programs that use it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from frontdesk.apis.openapi.build import description
from frontdesk.packages.schema_types import schema_types
from tests.prepare import TYPESCRIPT_SOURCES, typescript_folder

NODE = Path(sys.executable).parent / "node"  # of the locked packages
SECONDS = 240


def require_programs() -> Path:
    """The folder of the locked packages, where the compiler is."""
    packages = typescript_folder() / "node_modules"
    if not (packages / ".bin" / "tsc").exists() or not NODE.exists():
        reason = "TypeScript is missing: make .venv/dev, then python tests/prepare.py"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return packages


def build_client(folder: Path) -> None:
    """The package as npm would unpack it, and its tests."""
    packages = require_programs()
    for name in ("src", "tests"):
        shutil.copytree(TYPESCRIPT_SOURCES / name, folder / name, ignore=shutil.ignore_patterns("schema.ts"))
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(TYPESCRIPT_SOURCES / name, folder / name)
    (folder / "node_modules").symlink_to(packages)
    (folder / "src" / "schema.ts").write_text(schema_types(description("open-api")))
    # One run of the compiler for both. `make check` compiles the package by its own settings too.
    compile_program(folder / "tests", "--declaration", "--skipLibCheck")
    shutil.copytree(folder / "build" / "src", folder / "dist")


def compile_program(folder: Path, *options: str) -> None:
    run([str(require_programs() / ".bin" / "tsc"), "-p", ".", *options], folder)


def use_client(folder: Path, client: Path) -> None:
    """As npm would install it there."""
    packages = folder / "node_modules"
    packages.mkdir()
    (packages / "frontdesk-client").symlink_to(client)
    for name in ("@types", "undici-types"):
        (packages / name).symlink_to(typescript_folder() / "node_modules" / name)


def run(command: list[str], folder: Path, **environment: str) -> str:
    """A script of Node."""
    given = environment_of_node(environment)
    words = [str(NODE), *command]
    ended = subprocess.run(words, cwd=folder, env=given, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def environment_of_node(more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FRONTDESK_")}
    return {**kept, "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1", **more}
