"""TypeScript types made from both descriptions by an independent generator compile."""

import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from frontdesk.apis.openapi.build import description
from tests.prepare import typescript_folder

PROGRAM = Path(__file__).parent / "typescript" / "client.ts"
STRICT = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--noUncheckedIndexedAccess"]


@pytest.fixture(scope="module")
def programs() -> Path:
    found = typescript_folder() / "node_modules" / ".bin"
    if not (found / "tsc").exists():
        reason = "openapi-typescript is missing: apt-get install npm, then python tests/prepare.py"
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    return found


def test_a_program_that_switches_over_error_codes_and_event_types_compiles(programs: Path, tmp_path: Path) -> None:
    generate(programs, tmp_path)
    (tmp_path / "client.ts").write_text(PROGRAM.read_text())
    run([programs / "tsc", *STRICT, "client.ts"], tmp_path)


def generate(programs: Path, folder: Path) -> None:
    for name in ("open-api", "key-api"):
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(description(name)))
        run([programs / "openapi-typescript", f"{name}.json", "-o", f"{name}.ts"], folder)


def run(command: list[Path | str], folder: Path) -> None:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
