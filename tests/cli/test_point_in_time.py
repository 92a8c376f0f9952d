"""The embedded database is restored as it was at a second, from its archive."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from frontdesk.cli.main import main
from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.archive import Archive
from frontdesk.postgres.embedded.files import choose_unix_user
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from tests.postgres.server_owner import fetch
from tests.support.programs.commands import run, running_server
from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import wait_until

pytestmark = pytest.mark.one_server
SEGMENT = "0000000100000000000000"


@pytest.fixture
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def test_the_archive_is_of_the_embedded_database_only() -> None:
    with pytest.raises(StartupError, match="FRONTDESK_ARCHIVE_DIR is for the embedded database"):
        read_settings({"FRONTDESK_ARCHIVE_DIR": "/somewhere", "FRONTDESK_DATABASE_URL": "postgresql://there/fd"})


def test_a_file_of_the_log_is_copied_once_and_never_replaced(place: Path) -> None:
    archive = Archive(place / "it's 100% safe")
    command = archive.prepare(choose_unix_user(place))["archive_command"]
    file = place / "segment"

    def store(content: bytes) -> int:
        file.write_bytes(content)
        text = command.replace("%p", str(file)).replace("%f", f"{SEGMENT}01").replace("%%", "%")
        return subprocess.run(["/bin/sh", "-c", text], check=False).returncode

    assert store(b"first") == 0
    assert store(b"first") == 0
    assert store(b"other") != 0
    assert os.listdir(archive.wal) == [f"{SEGMENT}01.gz"]
    command = archive.recovery_settings(None)["restore_command"]
    text = command.replace("%p", str(place / "read")).replace("%f", f"{SEGMENT}01").replace("%%", "%")
    assert subprocess.run(["/bin/sh", "-c", text], check=False).returncode == 0
    assert (place / "read").read_bytes() == b"first"


def test_the_newest_base_backups_and_the_log_since_them_are_kept(place: Path) -> None:
    archive = Archive(place)
    archive.prepare(choose_unix_user(place))
    for day in (1, 2, 3):
        base = place / "base" / f"2026110{day}T000000Z"
        base.mkdir()
        (base / "backup_label").write_text(f"START WAL LOCATION: 0/{day}000028 (file {SEGMENT}0{day})\n")
        (archive.wal / f"{SEGMENT}0{day}.gz").touch()
    (archive.wal / "00000002.history.gz").touch()
    assert archive.remove_old(keep=2) == (1, 1)
    assert sorted(os.listdir(archive.wal)) == [f"{SEGMENT}02.gz", f"{SEGMENT}03.gz", "00000002.history.gz"]
    assert archive.find_base(datetime(2026, 11, 2, 12, tzinfo=UTC)).name == "20261102T000000Z"
    assert archive.find_base(None).name == "20261103T000000Z"
    with pytest.raises(StartupError, match="no base backup"):
        archive.find_base(datetime(2026, 11, 1, 12, tzinfo=UTC))


def cluster(folder: Path, identifier: int) -> Path:
    """The files by which a cluster is known."""
    (folder / "global").mkdir(parents=True)
    (folder / "global" / "pg_control").write_bytes(identifier.to_bytes(8, sys.byteorder) + bytes(100))
    (folder / "PG_VERSION").write_text("18\n")
    return folder


def refused(place: Path, *arguments: str) -> str:
    settings = {"FRONTDESK_DATA_DIR": str(place / "data"), "FRONTDESK_ARCHIVE_DIR": str(place / "archive")}
    done = CliRunner().invoke(main, arguments, env=settings)
    assert done.exit_code == 2, done.output
    return done.stderr


@pytest.mark.parametrize("is_recorded", [True, False], ids=["recorded", "of an earlier version"])
def test_an_archive_is_of_one_database(place: Path, is_recorded: bool) -> None:
    cluster(place / "archive" / "base" / "20261101T000000Z", 7)
    if is_recorded:
        Archive(place / "archive").claim(cluster(place / "same" / "pg", 7))
    with pytest.raises(StartupError, match="is the archive of another database"):
        EmbeddedPostgres(place / "new", archive_dir=place / "archive").start()
    assert not (place / "new" / "pg").exists()
    other = cluster(place / "data" / "pg", 8)
    with pytest.raises(StartupError, match="is the archive of another database"):
        Archive(place / "archive").claim(other)
    assert "is the archive of another database" in refused(place, "restore", "--force", "--to", "latest")
    assert other.is_dir()


def test_a_new_archive_takes_the_first_database(place: Path) -> None:
    first, second = cluster(place / "first" / "pg", 7), cluster(place / "second" / "pg", 8)
    archive = Archive(place)
    for _ in range(2):
        archive.claim(first)
    with pytest.raises(StartupError, match="is the archive of another database"):
        archive.claim(second)


def test_a_base_backup_is_of_a_database_that_exists(place: Path) -> None:
    assert "set FRONTDESK_DATA_DIR to the folder that the service uses" in refused(place, "backup", "base")
    assert os.listdir(place) == []


def test_an_archive_without_a_base_backup_says_so(place: Path) -> None:
    assert f"there is no base backup in {place / 'archive' / 'base'}" in refused(place, "restore", "--to", "latest")


def test_a_base_backup_is_of_the_embedded_database_only() -> None:
    done = CliRunner().invoke(main, ["backup", "base"], env={"FRONTDESK_DATABASE_URL": "postgresql://there/fd"})
    assert (done.exit_code, "see the guide Backups" in done.stderr) == (2, True)


@pytest.mark.torture
@pytest.mark.skipif(not LONG_SECONDS, reason="nine processes with a database: `make torture` runs it")
def test_the_embedded_database_is_restored_to_a_second(place: Path) -> None:
    settings: dict[str, Any] = {"data_dir": place / "data", "archive_dir": place / "archive"}

    def command(*arguments: str) -> str:
        done = run(*arguments, **settings)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def create(name: str) -> str:
        return command("tenant", "create", name, "--timezone", "Asia/Riyadh", "--currency", "SAR").strip()

    def names() -> list[str]:
        return [tenant["name"] for tenant in json.loads(command("tenant", "list", "--json"))]

    with running_server(place / "data", archive_dir=place / "archive"):
        create("before the base backup")
        command("backup", "base")
        create("wanted")
        moment = datetime.now(UTC)
        wait_until(lambda: (datetime.now(UTC) - moment).total_seconds() > 1)
        create("mistake")
        wait_until(lambda: "archive: got the last file of the log" in run("doctor", **settings).stdout)
        (place / "archive" / "wal").rename(place / "archive" / "away")
        create("not in the archive")
        with EmbeddedPostgres(place / "data") as dsn:
            fetch(dsn, "SELECT pg_switch_wal()")
        wait_until(lambda: "fail  archive: cannot be written since" in run("doctor", **settings).stdout)
        (place / "archive" / "away").rename(place / "archive" / "wal")
    refused = run("restore", "--to", moment.isoformat(), **settings)
    assert (refused.returncode, "--force" in refused.stderr) == (2, True)
    future = run("restore", "--force", "--to", "2999-01-01T00:00:00Z", **settings)
    assert (future.returncode, "recovery ended before" in future.stderr) == (2, True), future.stderr
    assert names() == ["before the base backup", "wanted", "mistake", "not in the archive"]

    command("restore", "--force", "--to", moment.isoformat())
    assert names() == ["before the base backup", "wanted"]
    assert "not sent" in run("sending", **settings).stderr
    command("check")
    create("after the restore")
    command("backup", "base", "--keep", "1")

    shutil.rmtree(place / "data")
    command("restore", "--to", "latest")
    assert names() == ["before the base backup", "wanted", "after the restore"]
