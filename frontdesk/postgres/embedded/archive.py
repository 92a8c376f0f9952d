"""The archive of the embedded database: everything that is written to it, so that any moment can be restored.

`wal` holds PostgreSQL's write-ahead log in compressed files of 16 MB, `base` the base backups that it is applied to.
`database` identifies the database: the log of another one would make the archive useless.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.files import Account, allow_traversal, is_searchable, make_private
from frontdesk.postgres.embedded.programs import clean_environment, last_error_line
from frontdesk.runtime.stop_signals import run_until_stop

_SECONDS = 60  # what is written is in the archive after this time, even if its file is not full
_NAME = "%Y%m%dT%H%M%SZ"
_SEGMENT = re.compile(r"[0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?\.gz")


class Archive:
    def __init__(self, folder: Path) -> None:
        self.wal = folder / "wal"
        self._base = folder / "base"
        self._database = folder / "database"
        self._folder = folder

    def prepare(self, account: Account) -> dict[str, str]:
        """Creates the folders, and returns the settings of a server that writes to them."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._base.mkdir(mode=0o700, exist_ok=True)
            make_private(self.wal, account)
            allow_traversal(self._folder, account)
        except OSError as error:
            raise self._unwritable(error) from error
        if not is_searchable(self.wal, account):
            raise StartupError(
                f"User {account.name} cannot reach {self.wal}: set FRONTDESK_ARCHIVE_DIR to another folder"
            )
        return {"archive_mode": "on", "archive_timeout": str(_SECONDS), "archive_command": self._archive_command()}

    def claim(self, cluster: Path) -> None:
        """Refuses the archive of another database, and records whose it is. There may be no cluster yet."""
        recorded, found = self._owner(), _identify(cluster)
        if recorded is None and found is not None:
            try:
                self._database.write_text(found)
            except OSError as error:
                raise self._unwritable(error) from error
        elif recorded != found:
            raise StartupError(
                f"{self._folder} is the archive of another database than that of {cluster.parent}: correct "
                "FRONTDESK_ARCHIVE_DIR or FRONTDESK_DATA_DIR, or set one of them to an empty folder"
            )

    def _owner(self) -> str | None:
        """An archive of an earlier version is identified by its base backup."""
        if self._database.exists():
            return self._database.read_text() or None
        bases = self._bases()
        return _identify(bases[-1]) if bases else None

    def _unwritable(self, error: OSError) -> StartupError:
        return StartupError(f"cannot write to {self._folder} ({error.strerror}): set FRONTDESK_ARCHIVE_DIR")

    def _archive_command(self) -> str:
        """Never replaces a file. After a crash PostgreSQL may send one again, which then has to be the same."""
        wal = _in_command(self.wal)
        target, new = f"{wal}/%f.gz", f"{wal}/%f.new"
        copy = f'gzip -1 -c "%p" > {new} && sync {new} && mv {new} {target} && sync {wal}'
        return f'if test -f {target}; then gzip -dc {target} | cmp -s - "%p"; else {copy}; fi'

    def recovery_settings(self, target: datetime | None) -> dict[str, str]:
        """For a server that reads the archive up to a moment, or to its end, and then goes on by itself.

        Until then it accepts no connections.
        """
        file = f"{_in_command(self.wal)}/%f.gz"
        read = f'test -f {file} && gzip -dc {file} > "%p"'
        settings = {"restore_command": read, "hot_standby": "off", "recovery_target_action": "promote"}
        return settings if target is None else settings | {"recovery_target_time": target.isoformat(sep=" ")}

    def find_base(self, target: datetime | None) -> Path:
        """The newest base backup that was complete at the moment."""
        bases = self._bases()
        if not bases:
            raise StartupError(f"there is no base backup in {self._base}: set FRONTDESK_ARCHIVE_DIR to the archive")
        found = [path for path in bases if target is None or _completed(path) <= target]
        if not found:
            raise StartupError(f"no base backup in {self._base} is old enough: choose a later time")
        return found[-1]

    def last_base(self) -> datetime | None:
        bases = self._bases()
        return _completed(bases[-1]) if bases else None

    def write_base(self, dsn: str, bin_dir: Path) -> Path:
        """It appears under its name, the time at which it was complete, when it is complete."""
        for leftover in self._base.glob(".new-*"):
            shutil.rmtree(leftover)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self._base))
        try:
            _run_base_backup([bin_dir / "pg_basebackup", f"--dbname={dsn}", f"--pgdata={fresh}", "--checkpoint=fast"])
            return fresh.rename(self._base / datetime.now(UTC).strftime(_NAME))
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise

    def remove_old(self, keep: int) -> tuple[int, int]:
        """Removes all base backups but the newest ones, and the log before them. How many of each."""
        bases = self._bases()
        for path in bases[:-keep]:
            shutil.rmtree(path)
        first = _first_segment(bases[-keep:][0])
        old = [path for path in self.wal.iterdir() if _SEGMENT.fullmatch(path.name) and path.name[8:24] < first[8:]]
        for path in old:
            path.unlink()
        return len(bases[:-keep]), len(old)

    def _bases(self) -> list[Path]:
        return sorted(path for path in self._base.glob("2*") if path.is_dir()) if self._base.is_dir() else []


def _identify(cluster: Path) -> str | None:
    """PostgreSQL's number of a cluster, which is the same in its base backups: the first eight bytes of this file."""
    control = cluster / "global" / "pg_control"
    return str(int.from_bytes(control.read_bytes()[:8], sys.byteorder)) if control.exists() else None


def _in_command(path: Path) -> str:
    """For a shell, in a setting in which % has a meaning."""
    return shlex.quote(str(path)).replace("%", "%%")


def _completed(base: Path) -> datetime:
    return datetime.strptime(base.name, _NAME).replace(tzinfo=UTC)


def _first_segment(base: Path) -> str:
    found = re.search(r"\(file ([0-9A-F]{24})\)", (base / "backup_label").read_text())
    if found is None:
        raise StartupError(f"{base} is damaged: remove it, and make another base backup")
    return found[1]


def _run_base_backup(command: list[Path | str]) -> None:
    process = subprocess.Popen(command, env=clean_environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)  # noqa: S603
    with process:
        _, errors = run_until_stop(process.communicate, process)
    if process.returncode:
        raise StartupError(f"the base backup failed ({last_error_line(errors.decode(errors='replace'))})")
