"""`make dist` where no Debian package can be built; what it builds elsewhere is in test_dist.py."""

from pathlib import Path

import pytest

from release.debian import build_package


@pytest.mark.parametrize(
    "programs", [{"python3": "true"}, {"python3": "false", "dpkg-deb": "true"}], ids=["no dpkg-deb", "no python3-venv"]
)
def test_without_its_programs_the_package_is_left_out_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], programs: dict[str, str]
) -> None:
    for name, program in programs.items():
        (tmp_path / name).symlink_to(f"/bin/{program}")
    build_package(tmp_path, tmp_path / "dist", {}, programs=str(tmp_path))
    written = capfd.readouterr()
    assert (written.out, written.err.count("\n")) == ("", 1)
    assert "left out" in written.err
