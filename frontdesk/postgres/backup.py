"""A copy of a whole database, and a database from a copy, by PostgreSQL's own programs."""

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
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded.programs import clean_environment, last_error_line
from frontdesk.stop_signals import finish

_MAGIC = b"PGDMP"
# Behind the copy, where PostgreSQL's programs do not look: some of them take a copy that was cut short for a whole one.
_CHECKSUM = b"FRONTDESK-SHA256"
# In the transaction that fills the database again, so that a copy that cannot be read changes nothing.
_CLEARED = b"DROP SCHEMA IF EXISTS public CASCADE;\nCREATE SCHEMA public;\n"
# Programs since 17 write it, and servers before 17 do not know it.
_NEWER_SETTINGS = b"SET transaction_timeout = 0;\n"
_END_OF_HEAD = b"SET row_security = off;\n"


def dump_database(dsn: str, folders: Sequence[Path], server_major: int, target: Path) -> int:
    """Its size. Only its owner may read it, and under its name it is whole or not there at all."""
    program = _find_dump(folders, server_major)
    address, environment = _split_password(dsn)
    options = ["--format=custom", "--no-owner", "--no-privileges", "--no-unlogged-table-data", f"--dbname={address}"]
    with _atomic_write(target) as file:
        dumping = subprocess.Popen([program, *options], env=environment, stdout=file, stderr=subprocess.PIPE)  # noqa: S603
        with dumping:
            _, said = finish(dumping.communicate, dumping)
        if dumping.returncode:
            raise StartupError(f"the backup failed, nothing was written ({last_error_line(said.decode())})")
    return target.stat().st_size


class BackupFile:
    """A file that `write_copy` wrote, and the programs that can read it."""

    def __init__(self, path: Path, folders: Sequence[Path]) -> None:
        self._path = path
        self._folder = _find_reader(path, folders)

    def rows_of(self, table: str) -> list[list[str]]:
        """As text; for a small table by which the copy is recognised."""
        command = self._reading("--data-only", f"--table={table}")
        done = subprocess.run(command, env=clean_environment(), capture_output=True, check=False)  # noqa: S603
        if done.returncode:
            raise self._damaged()
        found = re.search(rb"^COPY [^\n]* FROM stdin;\n(.*?)^\\\.$", done.stdout, re.DOTALL | re.MULTILINE)
        return [line.split("\t") for line in found[1].decode().splitlines()] if found else []

    def restore(self, dsn: str) -> None:
        """Replaces everything in the database, or changes nothing."""
        address, environment = _split_password(dsn)
        reading = self._reading("--no-owner", "--no-privileges")
        writing: list[Path | str] = [self._folder / "psql", "--no-psqlrc", "--quiet", f"--dbname={address}"]
        writing += ["--single-transaction", "--set=ON_ERROR_STOP=1"]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(reading, env=clean_environment(), stdout=pipe, stderr=null) as reader,  # noqa: S603
            subprocess.Popen(writing, env=environment, stdin=pipe, stdout=null, stderr=said) as writer,  # noqa: S603
        ):
            if not finish(partial(_pipe, reader, writer), reader, writer):
                raise self._damaged()
            if writer.wait():
                said.seek(0)
                reason = last_error_line(said.read().decode(errors="replace"))
                raise StartupError(f"the restore failed, and the database is as it was ({reason})")

    def _reading(self, *options: str) -> list[Path | str]:
        return [self._folder / "pg_restore", *options, "--file=-", self._path]

    def _damaged(self) -> StartupError:
        return StartupError(f"{self._path} is damaged: use another backup; the database is as it was")


def _pipe(reader: "subprocess.Popen[bytes]", writer: "subprocess.Popen[bytes]") -> bool:
    """Whether the copy could be read to its end; where not, the writer is killed before it takes the end for one."""
    source, target = reader.stdout, writer.stdin
    if source is None or target is None:
        raise RuntimeError("both were started with pipes")
    with suppress(BrokenPipeError):  # the writer has found an error and says it
        target.write(_CLEARED)
        for line in source:
            if line != _NEWER_SETTINGS:
                target.write(line)
            if line == _END_OF_HEAD:
                break
        shutil.copyfileobj(source, target, 1 << 20)
        if reader.wait():
            writer.kill()
    with suppress(BrokenPipeError):
        target.close()
    return writer.wait() >= 0


def _find_dump(folders: Sequence[Path], server_major: int) -> Path:
    for folder in folders:
        program = folder / "pg_dump"
        if program.is_file() and _major(program) >= server_major:
            return program
    raise StartupError(f"no pg_dump of PostgreSQL {server_major} or newer is here: install its client programs")


def _major(program: Path) -> int:
    words = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = re.search(r"\) (\d+)", words)
    return int(found[1]) if found else 0


def _find_reader(path: Path, folders: Sequence[Path]) -> Path:
    """Programs read the copies of their own and of earlier versions."""
    _verify_checksum(path)
    for folder in folders:
        program = folder / "pg_restore"
        if program.is_file() and _can_read(program, path):
            return folder
    raise StartupError(f"{path} was made by a newer PostgreSQL than any here: install its client programs")


def _verify_checksum(path: Path) -> None:
    try:
        size = path.stat().st_size - len(_CHECKSUM) - hashlib.sha256().digest_size
        with path.open("rb") as file:
            begins = file.read(len(_MAGIC))
            file.seek(max(size, 0))
            seal = file.read()
        if begins != _MAGIC:
            raise StartupError(f"{path} is no backup: name a file that `frontdesk backup` wrote")
        if seal != _CHECKSUM + _digest(path, size):
            raise StartupError(f"{path} is damaged: use another backup")
    except OSError as failure:
        raise StartupError(f"cannot read {path} ({failure.strerror})") from failure


def _digest(path: Path, size: int) -> bytes:
    """Of the first `size` bytes."""
    digest, left = hashlib.sha256(), size
    with path.open("rb") as file:
        while left > 0 and (part := file.read(min(left, 1 << 20))):
            digest.update(part)
            left -= len(part)
    return digest.digest()


def _can_read(program: Path, path: Path) -> bool:
    listed = subprocess.run([program, "--list", path], env=clean_environment(), capture_output=True, check=False)  # noqa: S603
    return listed.returncode == 0


@contextmanager
def _atomic_write(target: Path) -> Iterator[BinaryIO]:
    try:
        opened, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as failure:
        raise StartupError(f"cannot write {target} ({failure.strerror}): choose another place") from failure
    try:
        with os.fdopen(opened, "wb") as file:
            yield file
            size = file.seek(0, os.SEEK_END)  # the program left it where it corrected its table of contents
            file.write(_CHECKSUM + _digest(Path(name), size))
            file.flush()
            os.fsync(opened)
        os.link(name, target)  # unlike a rename it never replaces a file that has come meanwhile
    except FileExistsError as failure:
        raise StartupError(f"{target} is already there: choose another name") from failure
    finally:
        Path(name).unlink()


def _split_password(dsn: str) -> tuple[str, dict[str, str]]:
    """The password goes into the environment, because everybody on the machine can read arguments."""
    parts = urlsplit(dsn)
    login, at, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = urlencode([pair for pair in pairs if pair[0] != "password"], quote_via=quote)  # a + is no space to libpq
    secret = unquote(password) or dict(pairs).get("password", "")
    environment = {**os.environ, **({"PGPASSWORD": secret} if secret else {})}
    return urlunsplit(parts._replace(netloc=f"{user}{at}{hosts}", query=kept)), environment
