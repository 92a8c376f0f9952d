"""The units of systemd in deploy/: valid, and with few rights."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "deploy" / "systemd"
PROGRAM = "/opt/frontdesk/bin/frontdesk"  # where the units expect it
MAX_EXPOSED = 2.5

units = pytest.mark.parametrize("unit", sorted(SYSTEMD.glob("*.service")), ids=lambda unit: unit.stem)


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
            "systemd-analyze is missing: apt-get install systemd"
        )
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


@units
def test_a_unit_is_valid(tmp_path: Path, unit: Path) -> None:
    text = unit.read_text()
    assert f"ExecStart={PROGRAM} " in text
    copy = tmp_path / unit.name
    copy.write_text(text.replace(PROGRAM, sys.executable))  # which exists here
    checked = _analyze("verify", str(copy))
    assert (checked.returncode, checked.stderr) == (0, "")


@units
def test_a_unit_has_few_rights(unit: Path) -> None:
    checked = _analyze("security", "--offline=true", str(unit))
    [level] = re.findall(r"exposure level for .*: ([0-9.]+)", checked.stdout)
    assert float(level) <= MAX_EXPOSED
