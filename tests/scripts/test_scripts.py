"""What the scripts of the pages compute, tested by Node's own runner."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
NODE = Path(sys.executable).parent / "node"  # of the locked packages


def test_scripts() -> None:
    if not NODE.exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("Node is missing: make .venv/dev")
    files = sorted(FOLDER.glob("*.test.js"))
    assert files
    command: list[str | Path] = [NODE, "--test", "--test-isolation=none", *files]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
