"""The embedded PostgreSQL: started, watched and stopped by the process that needs it first.

Two locks carry the whole scheme. `lock` is held by the process that owns the server; others attach. The lock on
the cluster folder is inherited by every process of the server, so it tells, where a pid could not after its reuse,
whether anything of an earlier server still lives.
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
from frontdesk.stop_signals import check_stop, pause

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.02, 0.5
# Long enough for the owner's crash recovery; after that it hangs.
ATTACH_LIMIT_SECONDS = 600
ORPHAN_LIMIT_SECONDS = 120
ORPHAN_PATIENCE_SECONDS = 60
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
    def __init__(self, data_dir: Path, bin_dir: Path | None = None, settings: Mapping[str, str] | None = None) -> None:
        self._data_dir = data_dir.absolute()
        self._bin_dir = bin_dir
        self._settings = DEFAULTS | dict(settings or {})
        self._home = self._data_dir
        self._owner_lock: int | None = None
        self._server: ServerProcess | None = None
        self._disowned = ""

    def start(self) -> str:
        try:
            return self._start()
        except OSError as error:
            self.stop()
            raise StartupError(self._folder_trouble(error)) from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Leaves a server alone that another process owns."""
        if self._server is not None:
            self._server.stop()
            self._server = None
            drop_socket_folder(self._home)
        self._give_up_lock()

    @property
    def is_owner(self) -> bool:
        """Whether the server was started here; another process's was only joined."""
        return self._server is not None

    def is_lost(self) -> bool:
        """Whether the server that was started has died, or the owner of the one that was joined is gone."""
        if self._server is not None:
            return self._server.has_ended
        opened = os.open(self._home / "lock", os.O_RDWR | os.O_NOFOLLOW)
        try:
            return try_lock(opened)
        finally:
            os.close(opened)

    def start_again(self) -> str:
        """For a server that is lost. The socket's folder is left alone, so that the address stays the same."""
        self._server = None
        self._give_up_lock()
        return self.start()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _give_up_lock(self) -> None:
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
        """Asks for the lock again and again, so that whoever waits takes over where the owner dies."""
        opened = os.open(self._home / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        deadline, pauses = time.monotonic() + ATTACH_LIMIT_SECONDS, _pauses()
        try:
            while not try_lock(opened):
                folder = find_socket_folder(self._home)
                if folder is not None and is_ready(folder):
                    return folder
                if time.monotonic() > deadline:
                    raise StartupError(f"The process that holds {self._home}/lock does not answer: stop it")
                pause(next(pauses))
            self._owner_lock, opened = opened, -1
        finally:
            if opened >= 0:
                os.close(opened)
        return None

    def _launch(self, bin_dir: Path, account: Account) -> Path:
        bin_dir = reachable_programs(bin_dir, self._home, account)
        cluster = self._ready_cluster(bin_dir, account)
        check_stop()
        held_lock = os.open(cluster, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            self._await_end_of_orphans(held_lock)
            self._disown_stale_pid(account)
            write_access_rules(cluster, pwd.getpwuid(os.geteuid()).pw_name, account)
            folder = prepare_socket_folder(self._home, account)
            return self._run_server(bin_dir, folder, account, held_lock)
        finally:
            os.close(held_lock)

    def _ready_cluster(self, bin_dir: Path, account: Account) -> Path:
        cluster, major = self._home / "pg", read_major(bin_dir, account)
        if not cluster.is_dir() or not any(cluster.iterdir()):
            initdb(self._home, bin_dir, major, account)
        version = cluster / "PG_VERSION"
        if not version.exists():
            raise StartupError(f"{cluster} holds something else than a database: move it away")
        made_by = version.read_text().strip()
        if made_by != str(major):
            raise StartupError(
                f"{cluster} was made by PostgreSQL {made_by}, but {bin_dir} holds {major}: "
                "set FRONTDESK_PG_BIN to its programs, or restore a backup into an empty folder"
            )
        if cluster.stat().st_uid != account.uid:
            raise StartupError(f"{cluster} belongs to another user than {account.name}: run as its owner")
        return cluster

    def _await_end_of_orphans(self, held_lock: int) -> None:
        """An owner killed with -9 leaves a server that is still shutting down, or on macOS one that runs on."""
        begun, pauses = time.monotonic(), _pauses()
        while not try_lock(held_lock):
            waited = time.monotonic() - begun
            folder = find_socket_folder(self._home)
            # Only an answer shows that the pid in the file is a server's and not some later process's.
            if folder is not None and is_listening(folder):
                self._signal_orphan(signal.SIGINT if waited < ORPHAN_PATIENCE_SECONDS else signal.SIGQUIT)
            if waited > ORPHAN_LIMIT_SECONDS:
                raise StartupError(f"Processes of an earlier server still use {self._home}/pg: end them")
            pause(next(pauses))

    def _signal_orphan(self, number: signal.Signals) -> None:
        try:
            os.kill(int((self._home / "pg" / "postmaster.pid").read_text().split()[0]), number)
        except (FileNotFoundError, ProcessLookupError, IndexError):
            return

    def _disown_stale_pid(self, account: Account) -> None:
        """PostgreSQL refuses to start while the pid of a crashed server belongs to some other living process.

        It takes its own parent's pid for stale, so ours goes in; removing the file would also remove the note
        about shared memory by which it notices a server that was started by hand.
        """
        path = self._home / "pg" / "postmaster.pid"
        if path.exists():
            self._disowned = path.read_text()
            rest = self._disowned.partition("\n")[2]
            write_as(account, path, f"{os.getpid()}\n{rest}")

    def _give_back_pid(self, account: Account) -> None:
        """A server started by hand ends itself within a minute of not finding its own pid there."""
        path = self._home / "pg" / "postmaster.pid"
        if self._disowned and path.exists() and path.read_text().split()[0] == str(os.getpid()):
            write_as(account, path, self._disowned)

    def _run_server(self, bin_dir: Path, folder: Path, account: Account, held_lock: int) -> Path:
        log = open_log(self._home)
        try:
            log_size = os.fstat(log).st_size
            command = _command(bin_dir, self._home / "pg", folder, self._settings)
            self._server = ServerProcess(command, account, log, held_lock)
        except subprocess.SubprocessError as error:
            raise StartupError(f"Cannot run {bin_dir}/postgres as {account.name}: {error}") from error
        finally:
            os.close(log)
        # No limit of time: crash recovery takes as long as it takes, and a server that gives up ends.
        pauses = _pauses()
        while not is_ready(folder):
            if self._server.has_ended:
                self._server = None
                self._give_back_pid(account)
                raise StartupError(self._server_trouble(log_size))
            pause(next(pauses))
        return folder

    def _server_trouble(self, log_size: int) -> str:
        path = self._home / "postgres.log"
        with path.open("rb") as log:
            log.seek(log_size)
            line = last_error_line(log.read().decode(errors="replace"))
        return f"PostgreSQL ended at start: {line} (see {path})"

    def _folder_trouble(self, error: OSError) -> str:
        what = "it is a file" if os.path.isfile(self._data_dir) else error.strerror or str(error)
        advice = "make that folder writable, or set FRONTDESK_DATA_DIR to another one"
        return f"Cannot keep the database in {self._data_dir} ({what}): {advice}"


def _pauses() -> Iterator[float]:
    """Growing, because every question during a long recovery is a line in the log."""
    pause = FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)


def _command(bin_dir: Path, cluster: Path, folder: Path, settings: Mapping[str, str]) -> list[str]:
    """What keeps the data safe and the doors shut comes last, where no setting can undo it."""
    listed = '"' + str(folder).replace('"', '""') + '"'
    fixed = {
        "fsync": "on",
        "listen_addresses": "",
        "port": "5432",
        "unix_socket_directories": listed,
        "unix_socket_permissions": "0700",
    }
    pairs = [f"{key}={value}" for key, value in (dict(settings) | fixed).items()]
    return [str(bin_dir / "postgres"), "-D", str(cluster), *(part for pair in pairs for part in ("-c", pair))]


def _address(folder: Path) -> str:
    """The port is named because PGPORT in the environment would otherwise move it."""
    return f"postgresql://{SUPERUSER}@/{DATABASE}?host={quote(str(folder), safe='')}&port=5432"
