"""The embedded PostgreSQL server: started, supervised and stopped by the first process that needs it.

There are two locks. The process that owns the server holds `lock`; other processes attach. All processes of the server
inherit the lock on the cluster folder, so it shows whether an earlier server is still running, which a pid cannot show
after it is reused.
"""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.archive import Archive
from frontdesk.postgres.embedded.files import (
    Account,
    choose_unix_user,
    drop_socket_folder,
    find_socket_folder,
    open_log,
    prepare_data_dir,
    prepare_socket_folder,
    try_lock,
    write_as,
)
from frontdesk.postgres.embedded.probe import DATABASE, SUPERUSER, is_listening, is_ready
from frontdesk.postgres.embedded.programs import (
    ServerProcess,
    check_programs,
    find_bundled_binaries,
    initdb,
    last_error_line,
    reachable_programs,
    read_major,
    write_access_rules,
)
from frontdesk.runtime.stop_signals import check_stop, pause

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.02, 0.5
# Long enough for the crash recovery of the owner's server.
ATTACH_TIMEOUT = 600
ORPHAN_TIMEOUT = 120
ORPHAN_PATIENCE_SECONDS = 1  # for the statements that a killed owner has sent
ORPHAN_GRACE_SECONDS = 60
DEFAULTS = {
    "jit": "off",
    "log_checkpoints": "off",
    "log_min_messages": "warning",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "synchronous_commit": "on",
    "timezone": "UTC",
}


class EmbeddedPostgres:
    def __init__(
        self,
        data_dir: Path,
        bin_dir: Path | None = None,
        settings: Mapping[str, str] | None = None,
        archive_dir: Path | None = None,
    ) -> None:
        self._data_dir = data_dir.absolute()
        self._bin_dir = bin_dir
        self._settings = DEFAULTS | dict(settings or {})
        self._archive = Archive(archive_dir) if archive_dir else None
        self._home = self._data_dir
        self._owner_lock: int | None = None
        self._server: ServerProcess | None = None
        self._stale_pid_file = ""

    def start(self) -> str:
        try:
            return self._start()
        except OSError as error:
            self.stop()
            raise StartupError(self._folder_error(error)) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Does not stop a server that another process owns."""
        if self._server is not None:
            self._server.stop()
            self._server = None
            drop_socket_folder(self._home)
        self._release_lock()

    @property
    def is_owner(self) -> bool:
        """Whether this process started the server, instead of attaching to one."""
        return self._server is not None

    def is_lost(self) -> bool:
        """Whether our server has died, or the owner of the server that we are attached to is gone."""
        if self._server is not None:
            return self._server.has_ended
        fd = os.open(self._home / "lock", os.O_RDWR | os.O_NOFOLLOW)
        try:
            return try_lock(fd)
        finally:
            os.close(fd)

    def restart(self) -> str:
        """After the server was lost. Keeps the socket folder, so that the address stays the same."""
        self._server = None
        self._release_lock()
        return self.start()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _release_lock(self) -> None:
        if self._owner_lock is not None:
            os.close(self._owner_lock)
            self._owner_lock = None

    def _start(self) -> str:
        bin_dir = find_bundled_binaries() if self._bin_dir is None else self._bin_dir.absolute()
        check_programs(bin_dir)
        account = choose_unix_user(self._data_dir)
        self._home = prepare_data_dir(self._data_dir, account)
        check_stop()
        attached = self._own_or_attach()
        if attached is not None:
            return _address(attached)
        return _address(self._launch(bin_dir, account))

    def _own_or_attach(self) -> Path | None:
        """Polls the lock, so that a waiting process takes over if the owner dies."""
        fd = os.open(self._home / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        deadline, pauses = time.monotonic() + ATTACH_TIMEOUT, _pauses()
        try:
            while not try_lock(fd):
                folder = find_socket_folder(self._home)
                if folder is not None and is_ready(folder):
                    return folder
                if time.monotonic() > deadline:
                    raise StartupError(f"The process that holds {self._home}/lock does not respond: stop it")
                pause(next(pauses))
            self._owner_lock, fd = fd, -1
        finally:
            if fd >= 0:
                os.close(fd)
        return None

    def _launch(self, bin_dir: Path, account: Account) -> Path:
        bin_dir = reachable_programs(bin_dir, self._home, account)
        archiving = self._archive.prepare(account) if self._archive else {}
        cluster = self._prepare_cluster(bin_dir, account)
        self._claim_archive(cluster)
        check_stop()
        held_lock = os.open(cluster, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            self._wait_for_orphans(held_lock)
            self._replace_stale_pid(account)
            write_access_rules(cluster, pwd.getpwuid(os.geteuid()).pw_name, account)
            folder = prepare_socket_folder(self._home, account)
            command = _command(bin_dir, cluster, folder, self._settings | archiving)
            return self._run_server(command, folder, account, held_lock)
        finally:
            os.close(held_lock)

    def _prepare_cluster(self, bin_dir: Path, account: Account) -> Path:
        cluster, major = self._home / "pg", read_major(bin_dir, account)
        if not cluster.is_dir() or not any(cluster.iterdir()):
            self._claim_archive(cluster)
            initdb(self._home, bin_dir, major, account)
        version = cluster / "PG_VERSION"
        if not version.exists():
            raise StartupError(f"{cluster} is not a database cluster: move it away")
        created_by = version.read_text().strip()
        if created_by != str(major):
            raise StartupError(
                f"{cluster} was created by PostgreSQL {created_by}, but {bin_dir} contains {major}: "
                "set FRONTDESK_PG_BIN to its programs, or restore a backup into an empty folder"
            )
        if cluster.stat().st_uid != account.uid:
            raise StartupError(f"{cluster} does not belong to the user {account.name}: run as its owner")
        return cluster

    def _claim_archive(self, cluster: Path) -> None:
        if self._archive:
            self._archive.claim(cluster)

    def _wait_for_orphans(self, held_lock: int) -> None:
        """After the owner was killed with SIGKILL, its server may still be shutting down, or on macOS still running."""
        started_at, pauses = time.monotonic(), _pauses()
        while not try_lock(held_lock):
            waited = time.monotonic() - started_at
            folder = find_socket_folder(self._home)
            # Only a response proves that the pid in the file belongs to the server.
            if waited > ORPHAN_PATIENCE_SECONDS and folder is not None and is_listening(folder):
                self._signal_orphan(signal.SIGINT if waited < ORPHAN_GRACE_SECONDS else signal.SIGQUIT)
            if waited > ORPHAN_TIMEOUT:
                raise StartupError(f"Processes of an earlier server still use {self._home}/pg: stop them")
            pause(next(pauses))

    def _signal_orphan(self, number: signal.Signals) -> None:
        try:
            os.kill(int((self._home / "pg" / "postmaster.pid").read_text().split()[0]), number)
        except (FileNotFoundError, ProcessLookupError, IndexError):
            return

    def _replace_stale_pid(self, account: Account) -> None:
        """PostgreSQL does not start if the pid of a crashed server belongs to another running process.

        It ignores the pid of its own parent, so our pid is written into the file. The file is not removed, because it
        also contains the shared memory key by which PostgreSQL detects a server that was started manually.
        """
        path = self._home / "pg" / "postmaster.pid"
        if path.exists():
            self._stale_pid_file = path.read_text()
            rest = self._stale_pid_file.partition("\n")[2]
            write_as(account, path, f"{os.getpid()}\n{rest}")

    def _restore_pid_file(self, account: Account) -> None:
        """A server that was started manually stops within a minute if its pid is not in the file."""
        path = self._home / "pg" / "postmaster.pid"
        if self._stale_pid_file and path.exists() and path.read_text().split()[0] == str(os.getpid()):
            write_as(account, path, self._stale_pid_file)

    def _run_server(self, command: list[str], folder: Path, account: Account, held_lock: int) -> Path:
        log = open_log(self._home)
        try:
            log_size = os.fstat(log).st_size
            self._server = ServerProcess(command, account, log, held_lock)
        except subprocess.SubprocessError as error:
            raise StartupError(f"Cannot run {command[0]} as {account.name}: {error}") from error
        finally:
            os.close(log)
        # No timeout: crash recovery may take long, and a server that fails exits.
        pauses = _pauses()
        while not is_ready(folder):
            if self._server.has_ended:
                self._server = None
                self._restore_pid_file(account)
                raise StartupError(self._server_error(log_size))
            pause(next(pauses))
        return folder

    def _server_error(self, log_size: int) -> str:
        path = self._home / "postgres.log"
        with path.open("rb") as log:
            log.seek(log_size)
            line = last_error_line(log.read().decode(errors="replace"))
        return f"PostgreSQL stopped at start: {line} (see {path})"

    def _folder_error(self, error: OSError) -> str:
        reason = "it is a file" if os.path.isfile(self._data_dir) else error.strerror or str(error)
        advice = "make that folder writable, or set FRONTDESK_DATA_DIR to another one"
        return f"Cannot store the database in {self._data_dir} ({reason}): {advice}"


def _pauses() -> Iterator[float]:
    """Increasing, because each connection during a long recovery writes a line to the log."""
    pause = MIN_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(pause * 1.5, MAX_PAUSE_SECONDS)


def _command(bin_dir: Path, cluster: Path, folder: Path, settings: Mapping[str, str]) -> list[str]:
    """The settings for durability and access come last, so that they cannot be overridden."""
    quoted_folder = '"' + str(folder).replace('"', '""') + '"'
    fixed = {
        "fsync": "on",
        "listen_addresses": "",
        "port": "5432",
        "unix_socket_directories": quoted_folder,
        "unix_socket_permissions": "0700",
    }
    pairs = [f"{key}={value}" for key, value in (dict(settings) | fixed).items()]
    return [str(bin_dir / "postgres"), "-D", str(cluster), *(part for pair in pairs for part in ("-c", pair))]


def _address(folder: Path) -> str:
    """Contains the port, because PGPORT in the environment would otherwise change it."""
    return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(folder), safe='')}&port=5432"
