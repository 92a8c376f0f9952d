"""The commands of the guide about backups, run as they stand there."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from frontdesk.docs_site.guide_files import FOLDER
from frontdesk.postgres.embedded.programs import find_bundled_binaries
from tests.support.programs.commands import settings_environment
from tests.support.repetitions import LONG_SECONDS
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.one_server,
    pytest.mark.torture,
    pytest.mark.skipif(not LONG_SECONDS, reason="starts a database many times: `make torture` runs it"),
]
GUIDE = (FOLDER / "backups.md").read_text("utf-8")
EXAMPLE_FOLDER, EXAMPLE_TIME = "/var/backups/frontdesk", "2026-11-18T14:30:00+03:00"
DEBIAN = Path("/usr/lib/postgresql/15/bin")
NOBODY = "65534"


class Reader(NamedTuple):
    """Someone who pastes the commands of a section into a shell."""

    place: Path
    environment: dict[str, str]

    def run(self, command: str, moment: str = "") -> str:
        text = command.replace(EXAMPLE_FOLDER, str(self.place / "backups")).replace(EXAMPLE_TIME, moment)
        done = subprocess.run(
            ["bash", "-euc", text], env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def create(self, name: str) -> None:
        self.run(f"frontdesk tenant create {name} --timezone Asia/Riyadh --currency SAR")

    def names(self) -> list[str]:
        return [tenant["name"] for tenant in json.loads(self.run("frontdesk tenant list --json"))]

    def moment_before_a_mistake(self) -> str:
        self.create("wanted")
        moment = datetime.now(UTC)
        wait_until(lambda: (datetime.now(UTC) - moment).total_seconds() > 1)
        self.create("mistake")
        return moment.isoformat()


def commands(section: str) -> list[str]:
    text = GUIDE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


@pytest.fixture
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o755)
    (folder / "backups").mkdir()
    yield folder
    shutil.rmtree(folder)


def reader(place: Path, programs: Path, **settings: object) -> Reader:
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    return Reader(place, settings_environment(**settings) | {"PATH": path})


def test_back_up_verify_and_restore(place: Path) -> None:
    back_up, restore = commands("Back up, verify, restore")
    operator = reader(place, find_bundled_binaries(), data_dir=place / "data")
    operator.create("kept")
    operator.run(back_up)
    operator.create("later")
    operator.run(restore)
    assert operator.names() == ["kept"]


def test_any_moment_of_the_embedded_database(place: Path) -> None:
    base, restore = commands("Any moment of the embedded database")
    settings = {"data_dir": place / "data", "archive_dir": place / "archive"}
    operator = reader(place, find_bundled_binaries(), **settings)
    operator.create("earlier")
    operator.run(base)
    operator.run(restore, operator.moment_before_a_mistake())
    assert operator.names() == ["earlier", "wanted"]


def test_any_moment_of_another_postgresql(place: Path) -> None:
    archive, restore, hold, remove = commands("Any moment of another PostgreSQL")
    operator = reader(place, _programs(place), database_url=f"postgresql://postgres@/frontdesk?host={place / 'socket'}")
    operator.environment.update(PGDATA=str(place / "cluster"), PGHOST=str(place / "socket"), PGUSER="postgres")
    operator.run(
        'initdb --username=postgres --auth=trust --pgdata="$PGDATA" && '
        f'echo "unix_socket_directories = \'{place / "socket"}\'" >> "$PGDATA/postgresql.conf" && '
        'echo "listen_addresses = \'\'" >> "$PGDATA/postgresql.conf" && '
        f'pg_ctl start --wait --pgdata="$PGDATA" --log={place / "backups" / "log"} && createdb frontdesk'
    )
    try:
        operator.create("earlier")
        operator.run(archive)
        operator.run(restore, operator.moment_before_a_mistake())
        operator.run(hold)
        operator.run(remove)
        assert operator.names() == ["earlier", "wanted"]
    finally:
        operator.run('pg_ctl stop --wait --pgdata="$PGDATA" --mode=immediate')


def _programs(place: Path) -> Path:
    """PostgreSQL does not run as root, so its programs run as an unprivileged user there."""
    for name in ("socket", "backups/wal", "own"):
        (place / name).mkdir()
    if os.geteuid() != 0:
        return find_bundled_binaries()
    if not DEBIAN.is_dir():
        pytest.skip("PostgreSQL 15 is missing: apt-get install postgresql-15")
    for folder in (place, place / "socket", place / "backups", place / "backups/wal"):
        folder.chmod(0o777)
    for name in ("initdb", "pg_ctl", "pg_basebackup", "createdb", "pg_archivecleanup"):
        script = place / "own" / name
        script.write_text(
            f'#!/bin/sh\nexec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {DEBIAN / name} "$@"\n'
        )
        script.chmod(0o755)
    return place / "own"
