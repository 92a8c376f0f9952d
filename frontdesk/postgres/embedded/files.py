"""The files of the embedded database, and their owner and permissions."""

import contextlib
import fcntl
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.probe import SOCKET_NAME

POINTER = "elsewhere"
MAX_LOG_BYTES = 10 * 1024 * 1024
# Socket paths may have 103 bytes on macOS, 107 on Linux.
MAX_SOCKET_PATH = 103


@dataclass(frozen=True)
class Account:
    """The user that the server runs as; PostgreSQL refuses to run as root."""

    name: str
    uid: int
    gid: int

    @property
    def switched_uid(self) -> int | None:
        return None if self.uid == os.geteuid() else self.uid

    @property
    def switched_gid(self) -> int | None:
        return None if self.uid == os.geteuid() else self.gid

    @property
    def switched_groups(self) -> list[int] | None:
        return None if self.uid == os.geteuid() else []


def choose_unix_user(data_dir: Path) -> Account:
    """As root, keeps the owner of an existing cluster, so that one `sudo` does not lock its user out."""
    try:
        if os.geteuid() != 0:
            return _account(pwd.getpwuid(os.geteuid()))
        for cluster in (data_dir / POINTER / "pg", data_dir / "pg"):
            if cluster.exists() and cluster.stat().st_uid != 0:
                return _account(pwd.getpwuid(cluster.stat().st_uid))
        return _account(pwd.getpwnam("nobody"))
    except KeyError as error:
        raise StartupError(f"PostgreSQL needs a named user: add one to /etc/passwd ({error.args[0]})") from error


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def prepare_data_dir(data_dir: Path, account: Account) -> Path:
    """The folder that contains pg, run, lock and postgres.log: the data folder, if the server's user can access it.

    When run as root below a folder such as /root, that user cannot. We do not change the permissions of parent folders,
    and most containers lack namespaces and capabilities, so the files are then stored in /var/lib, and a link in the
    data folder points there.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    pointer = data_dir / POINTER
    if pointer.is_symlink():
        return _follow(pointer)
    allow_traversal(data_dir, account)
    if is_searchable(data_dir, account):
        return data_dir
    if (data_dir / "pg").exists():
        raise StartupError(f"User {account.name} can no longer reach {data_dir}/pg: open the folders above it")
    return _use_var_lib(pointer, account)


def find_cluster(data_dir: Path) -> Path | None:
    for cluster in (data_dir / POINTER / "pg", data_dir / "pg"):
        if os.path.exists(cluster / "PG_VERSION"):  # unlike Path.exists, False for a folder that is closed to us
            return cluster
    return None


def allow_traversal(folder: Path, account: Account) -> None:
    """Allows passing through, not listing; the contents keep their own modes."""
    status = folder.stat()
    if account.switched_uid is not None and status.st_uid == os.geteuid():
        folder.chmod(stat.S_IMODE(status.st_mode) | 0o011)


def is_searchable(folder: Path, account: Account) -> bool:
    """Tried as that user, because file modes do not show access lists and mount options."""
    if account.switched_uid is None:
        return True
    try:
        attempt = subprocess.run(  # noqa: S603 - the folder is an argument, not part of the command
            ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)],
            cwd="/",
            check=False,
            capture_output=True,
            user=account.switched_uid,
            group=account.switched_gid,
            extra_groups=account.switched_groups,
            start_new_session=True,  # Ctrl-C must not look like a folder that cannot be reached
        )
    except PermissionError as error:
        raise StartupError(f"root cannot switch to the user {account.name}: start as an ordinary user") from error
    return attempt.returncode == 0


def _follow(pointer: Path) -> Path:
    home = pointer.readlink()
    if not home.is_dir():
        raise StartupError(f"The database was in {home}, which is missing: restore it, or remove {pointer}")
    if os.geteuid() == 0 and home.stat().st_uid != 0:
        raise StartupError(f"{home} does not belong to root: remove {pointer} if it is not yours")
    return home


def _use_var_lib(pointer: Path, account: Account) -> Path:
    """The name is random, so that a new data folder does not find the database of a removed one."""
    parent = Path("/var/lib")
    parent.mkdir(mode=0o755, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix="frontdesk-", dir=parent))
    allow_traversal(home, account)
    try:
        pointer.symlink_to(home)
    except FileExistsError:
        home.rmdir()
    return _follow(pointer)


def make_private(folder: Path, account: Account) -> None:
    """Works on the file descriptor, so that a symbolic link in its place is not followed."""
    folder.mkdir(mode=0o700, exist_ok=True)
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if account.switched_uid is not None:
            os.fchown(fd, account.uid, account.gid)
        os.fchmod(fd, 0o700)
    finally:
        os.close(fd)


def find_socket_folder(home: Path) -> Path | None:
    """The folder of the socket of a server with these files, even if another process started it."""
    run = home / "run"
    return run.readlink() if run.is_symlink() else run if run.is_dir() else None


def prepare_socket_folder(home: Path, account: Account) -> Path:
    """If the path is too long for a socket, `run` is a link to a private folder with a random name."""
    run = home / "run"
    # A comma would separate two hosts in the connection string.
    if len(os.fsencode(run / SOCKET_NAME)) <= MAX_SOCKET_PATH and "," not in str(run):
        folder = run
        if run.is_symlink():
            run.unlink()
    elif run.is_symlink() and _is_private(run.readlink(), account):
        folder = run.readlink()
    else:
        _clear(run)
        folder = Path(tempfile.mkdtemp(prefix="frontdesk-", dir="/tmp"))
        run.symlink_to(folder)
    make_private(folder, account)
    for stale in (SOCKET_NAME, f"{SOCKET_NAME}.lock"):
        (folder / stale).unlink(missing_ok=True)
    return folder


def _clear(run: Path) -> None:
    """A data folder that was moved to a longer path still contains the old folder."""
    if run.is_symlink():
        run.unlink()
    elif run.is_dir():
        shutil.rmtree(run)


def _is_private(folder: Path, account: Account) -> bool:
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == account.uid and status.st_mode & 0o077 == 0


def drop_socket_folder(home: Path) -> None:
    run = home / "run"
    if run.is_symlink():
        with contextlib.suppress(OSError):
            run.readlink().rmdir()
        run.unlink()


def write_as(account: Account, path: Path, text: str) -> None:
    """Replaces the file. Writing to an existing name in a folder of another user could follow a link as root."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "w") as file:
        if account.switched_uid is not None:
            os.fchown(fd, account.uid, account.gid)
        file.write(text)
        file.flush()
        os.fsync(fd)
    fresh.rename(path)


def open_log(home: Path) -> int:
    log = home / "postgres.log"
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(home / "postgres.log.1")
    return os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)


def try_lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
