"""Backup and restore of a whole database with pg_dump, pg_restore and psql."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from frontdesk.errors import StartupError
from frontdesk.postgres.connect import primary_address
from frontdesk.postgres.embedded.programs import clean_environment, last_error_line
from frontdesk.runtime.stop_signals import run_until_stop

_MAGIC = b"PGDMP"
# Appended to the dump, because pg_restore may accept a truncated one. PostgreSQL's programs ignore what follows.
_CHECKSUM = b"FRONTDESK-SHA256"
# Part of the restore transaction, so that an unreadable backup changes nothing.
_CLEAR_SCHEMA = b"DROP SCHEMA IF EXISTS public CASCADE;\nCREATE SCHEMA public;\n"
# Written by programs since version 17, unknown to servers before 17.
_NEWER_SETTINGS = b"SET transaction_timeout = 0;\n"
# Part of the transaction too: a copy sends nothing before it is held.
_HOLD_SENDING = b"\nINSERT INTO public.held_sending DEFAULT VALUES ON CONFLICT DO NOTHING;\n"
_RESUME_SENDING = b"\nDELETE FROM public.held_sending;\n"
_END_OF_HEAD = b"SET row_security = off;\n"
_CONNECT_SECONDS = "5"  # for each host


def dump_database(dsn: str, folders: Sequence[Path], server_major: int, target: Path) -> int:
    """Returns the size of the file. It appears under its name only when complete, readable by its owner only."""
    program = _find_dump(folders, server_major)
    address, environment = program_address(dsn)
    options = ["--format=custom", "--no-owner", "--no-privileges", "--no-unlogged-table-data", f"--dbname={address}"]
    with _atomic_write(target) as file:
        process = subprocess.Popen([program, *options], env=environment, stdout=file, stderr=subprocess.PIPE)  # noqa: S603
        with process:
            _, errors = run_until_stop(process.communicate, process)
        if process.returncode:
            raise StartupError(f"the backup failed, nothing was written ({last_error_line(errors.decode())})")
    return target.stat().st_size


class BackupFile:
    """A file that `dump_database` wrote, and the programs that can read it."""

    def __init__(self, path: Path, folders: Sequence[Path]) -> None:
        self._path = path
        self._folder = _find_reader(path, folders)

    def rows_of(self, table: str) -> list[list[str]]:
        """The rows as text, for a small table that identifies the backup."""
        command = self._pg_restore("--data-only", f"--table={table}")
        done = subprocess.run(command, env=clean_environment(), capture_output=True, check=False)  # noqa: S603
        if done.returncode:
            raise self._damaged()
        found = re.search(rb"^COPY [^\n]* FROM stdin;\n(.*?)^\\\.$", done.stdout, re.DOTALL | re.MULTILINE)
        return [line.split("\t") for line in found[1].decode().splitlines()] if found else []

    def restore(self, dsn: str, *, sends: bool) -> None:
        """Replaces the contents of the database, or changes nothing. `sends`: it goes on sending mail and webhooks."""
        address, environment = program_address(dsn)
        reading = self._pg_restore("--no-owner", "--no-privileges")
        writing: list[Path | str] = [self._folder / "psql", "--no-psqlrc", "--quiet", f"--dbname={address}"]
        writing += ["--single-transaction", "--set=ON_ERROR_STOP=1"]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(reading, env=clean_environment(), stdout=pipe, stderr=null) as reader,  # noqa: S603
            subprocess.Popen(writing, env=environment, stdin=pipe, stdout=null, stderr=errors) as writer,  # noqa: S603
        ):
            last = _RESUME_SENDING if sends else _HOLD_SENDING
            if not run_until_stop(partial(_pipe, reader, writer, last), reader, writer):
                raise self._damaged()
            if writer.wait():
                errors.seek(0)
                reason = last_error_line(errors.read().decode(errors="replace"))
                raise StartupError(f"the restore failed; the database is unchanged ({reason})")

    def _pg_restore(self, *options: str) -> list[Path | str]:
        return [self._folder / "pg_restore", *options, "--file=-", self._path]

    def _damaged(self) -> StartupError:
        return StartupError(f"{self._path} is damaged: use another backup; the database is unchanged")


def _pipe(reader: "subprocess.Popen[bytes]", writer: "subprocess.Popen[bytes]", last: bytes) -> bool:
    """Whether the whole backup was read; if not, the writer is killed before it can commit."""
    source, target = reader.stdout, writer.stdin
    if source is None or target is None:
        raise RuntimeError("both were started with pipes")
    with suppress(BrokenPipeError):  # the writer failed and reports it
        target.write(_CLEAR_SCHEMA)
        for line in source:
            if line != _NEWER_SETTINGS:
                target.write(line)
            if line == _END_OF_HEAD:
                break
        shutil.copyfileobj(source, target, 1 << 20)
        if reader.wait():
            writer.kill()
        target.write(last)
    with suppress(BrokenPipeError):
        target.close()
    return writer.wait() >= 0


def _find_dump(folders: Sequence[Path], server_major: int) -> Path:
    for folder in folders:
        program = folder / "pg_dump"
        if program.is_file() and _major(program) >= server_major:
            return program
    raise StartupError(f"pg_dump of PostgreSQL {server_major} or newer was not found: install its client programs")


def _major(program: Path) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = re.search(r"\) (\d+)", output)
    return int(found[1]) if found else 0


def _find_reader(path: Path, folders: Sequence[Path]) -> Path:
    """pg_restore reads dumps of its own and of earlier versions."""
    _verify_checksum(path)
    for folder in folders:
        program = folder / "pg_restore"
        if program.is_file() and _can_read(program, path):
            return folder
    raise StartupError(f"{path} was made by a newer PostgreSQL: install its client programs")


def _verify_checksum(path: Path) -> None:
    try:
        size = path.stat().st_size - len(_CHECKSUM) - hashlib.sha256().digest_size
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
            file.seek(max(size, 0))
            checksum = file.read()
        if magic != _MAGIC:
            raise StartupError(f"{path} is not a backup: choose a file that `frontdesk backup` wrote")
        if checksum != _CHECKSUM + _digest(path, size):
            raise StartupError(f"{path} is damaged: use another backup")
    except OSError as error:
        raise StartupError(f"cannot read {path} ({error.strerror})") from error


def _digest(path: Path, size: int) -> bytes:
    """Of the first `size` bytes."""
    digest, remaining = hashlib.sha256(), size
    with path.open("rb") as file:
        while remaining > 0 and (part := file.read(min(remaining, 1 << 20))):
            digest.update(part)
            remaining -= len(part)
    return digest.digest()


def _can_read(program: Path, path: Path) -> bool:
    listed = subprocess.run([program, "--list", path], env=clean_environment(), capture_output=True, check=False)  # noqa: S603
    return listed.returncode == 0


@contextmanager
def _atomic_write(target: Path) -> Iterator[BinaryIO]:
    try:
        fd, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise StartupError(f"cannot write {target} ({error.strerror}): choose another folder") from error
    try:
        with os.fdopen(fd, "wb") as file:
            yield file
            size = file.seek(0, os.SEEK_END)  # pg_dump leaves the position at its table of contents
            file.write(_CHECKSUM + _digest(Path(name), size))
            file.flush()
            os.fsync(fd)
        os.link(name, target)  # unlike rename, it never replaces an existing file
    except FileExistsError as error:
        raise StartupError(f"{target} already exists: choose another name") from error
    finally:
        Path(name).unlink()


def program_address(dsn: str) -> tuple[str, dict[str, str]]:
    """For PostgreSQL's programs: they look for the primary as our connections do, and wait for no host that hangs.

    The password is in the environment, because other users can read command-line arguments.
    """
    parts = urlsplit(primary_address(dsn))
    login, at, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    query = {"connect_timeout": _CONNECT_SECONDS, **dict(parse_qsl(parts.query, keep_blank_values=True))}
    secret = unquote(password) or query.get("password", "")
    query.pop("password", None)
    environment = {**os.environ, **({"PGPASSWORD": secret} if secret else {})}
    text = urlencode(query, quote_via=quote)  # libpq does not decode + as a space
    return f"{parts.scheme}://{user}{at}{hosts}{parts.path}?{text}", environment  # urlunsplit drops // before no host
