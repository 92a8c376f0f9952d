"""Restores the embedded database to a moment: a base backup, and the archived log up to that moment."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.archive import Archive
from frontdesk.postgres.embedded.files import Account, try_lock
from frontdesk.postgres.embedded.server import EmbeddedPostgres

_SEGMENT = re.compile(r"[0-9A-F]{24}")


@contextmanager
def recovered_server(
    data_dir: Path, bin_dir: Path | None, archive_dir: Path, target: datetime | None, *, force: bool
) -> Iterator[str]:
    """The address of the restored database. If it cannot be restored, the files are as they were."""
    server = _RecoveringPostgres(data_dir, bin_dir, archive_dir, target, force=force)
    try:
        dsn = server.start()
        if not server.is_owner:
            raise StartupError("Frontdesk is running on this database: stop it first")
        yield dsn
    finally:
        server.stop()


class _RecoveringPostgres(EmbeddedPostgres):
    def __init__(
        self, data_dir: Path, bin_dir: Path | None, archive_dir: Path, target: datetime | None, *, force: bool
    ) -> None:
        archive = Archive(archive_dir)
        super().__init__(data_dir, bin_dir, archive.recovery_settings(target), archive_dir)
        self._base = archive.find_base(target)
        self._wal = archive.wal
        self._force = force
        self._earlier: Path | None = None

    def start(self) -> str:
        try:
            return super().start()
        except BaseException:
            self._put_back()
            raise

    def _prepare_cluster(self, bin_dir: Path, account: Account) -> Path:
        cluster = self._home / "pg"
        self._set_aside(cluster)
        shutil.copytree(self._base, cluster, symlinks=True)
        if self._earlier is not None:
            self._copy_unarchived(self._earlier / "pg_wal", cluster / "pg_wal")
        (cluster / "recovery.signal").touch()
        _give_to(cluster, account)
        return super()._prepare_cluster(bin_dir, account)

    def _set_aside(self, cluster: Path) -> None:
        """The earlier files stay: a restore to the wrong moment can be repeated."""
        if not cluster.is_dir() or not any(cluster.iterdir()):
            shutil.rmtree(cluster, ignore_errors=True)
            return
        if not self._force:
            raise StartupError("the database is not empty: choose another one, or replace its contents with --force")
        self._claim_archive(cluster)  # the log of another database would end the recovery
        fd = os.open(cluster, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if not try_lock(fd):
                raise StartupError(f"Processes of an earlier server still use {cluster}: stop them")
        finally:
            os.close(fd)
        self._earlier = cluster.rename(self._home / f"pg.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")

    def _copy_unarchived(self, source: Path, target: Path) -> None:
        """What a server that crashed had not archived yet. PostgreSQL looks here for what the archive does not have."""
        for path in source.iterdir():
            if _SEGMENT.fullmatch(path.name) and not (self._wal / f"{path.name}.gz").exists():
                shutil.copyfile(path, target / path.name)

    def _put_back(self) -> None:
        if self._earlier is not None and self._earlier.is_dir():
            shutil.rmtree(self._home / "pg", ignore_errors=True)
            self._earlier.rename(self._home / "pg")


def _give_to(cluster: Path, account: Account) -> None:
    if account.switched_uid is None:
        return
    for folder, _, files in os.walk(cluster):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            os.chown(path, account.uid, account.gid, follow_symlinks=False)
