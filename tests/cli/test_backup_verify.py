"""`frontdesk backup verify` tells whether a backup can be restored, and whether what it holds is sound."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_commands import command, printed
from tests.support.programs.commands import FRONTDESK, run, settings_environment
from tests.support.repetitions import LONG_SECONDS
from tests.support.service import running_service

pytestmark = pytest.mark.one_server


async def test_a_backup_is_restored_into_a_temporary_server_and_checked(
    empty_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that is broken in the original is found in the copy: the data has come through the file."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with running_service(empty_dsn) as service:
        shop = await service.new_shop()
        await shop.sql("UPDATE orders SET sub_total = sub_total + 1 WHERE tenant_id = $1 AND order_number = 3")
        (counted,) = await shop.sql("SELECT count(*) AS orders FROM orders WHERE tenant_id = $1")
    await printed(empty_dsn, "backup", str(tmp_path / "copy"))
    outcome = await command(empty_dsn, "backup", "verify", str(tmp_path / "copy"))
    assert outcome.exit_code == 1, outcome.stderr
    assert f"{counted['orders']:>8}  orders\n" in outcome.stdout
    assert f"broken in business {shop.tenant_id}: no order is without lines, and it adds up to them" in outcome.stdout
    assert "/copy can be restored, and its data is not sound, broken rules: " in outcome.stderr.splitlines()[-1]
    assert os.listdir(tmp_path) == ["copy"]


async def test_a_file_that_is_not_whole_has_status_1(empty_dsn: str, tmp_path: Path) -> None:
    await printed(empty_dsn, "sandbox")
    file = tmp_path / "copy"
    await printed(empty_dsn, "backup", "write", str(file))
    file.write_bytes(file.read_bytes()[:-100])
    outcome = await command(empty_dsn, "backup", "verify", str(file))
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "is damaged" in outcome.stderr
    assert (await command(empty_dsn, "backup", "verify", str(tmp_path / "nothing"))).exit_code == 2


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="three processes with a database: `make torture` runs it")
def test_ctrl_c_leaves_no_temporary_files(tmp_path: Path) -> None:
    file, place = tmp_path / "copy", tmp_path / "place"
    place.mkdir()
    tmp_path.chmod(0o755)
    for arguments in (("sandbox",), ("backup", str(file))):
        assert run(*arguments, data_dir=tmp_path / "data").returncode == 0
    verifying = subprocess.Popen(
        [FRONTDESK, "backup", "verify", file],
        env=settings_environment(data_dir=tmp_path / "data") | {"TMPDIR": str(place)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    with verifying:
        assert verifying.stderr is not None
        assert "restoring" in verifying.stderr.readline()
        verifying.send_signal(signal.SIGINT)
        verifying.communicate()
    assert verifying.returncode == 128 + signal.SIGINT
    assert list(place.iterdir()) == []
