"""The files of migrations and of database functions: their names, heads and statements.

The first line of a migration says what it does to programs that run:

    -- migration: expand                            programs of the version before this one go on
    -- migration: expand in batches                 as above; one statement, repeated until it changes no row
    -- migration: contract, programs from 0.2.0     no program before that version runs afterwards
"""

import hashlib
import re
from pathlib import Path

import msgspec

from frontdesk.errors import StartupError

_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")
_HEAD = re.compile(r"-- migration: (?:expand( in batches)?|contract, programs from (\d+(?:\.\d+){1,2}))\n")
_CONCURRENTLY = re.compile(r"(CREATE\s+(UNIQUE\s+)?|DROP\s+)INDEX\s+CONCURRENTLY\s")
# Text in quotes, a comment, or the end of a statement.
_PART = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\w*)\$.*?\$\1\$|(--[^\n]*|/\*.*?\*/)|(;)", re.DOTALL)


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    sql: str  # without the head
    digest: bytes
    programs_from: str | None = None  # the first version that runs after a contract
    in_batches: bool = False

    @property
    def statements(self) -> list[str]:
        return split_statements(self.sql)

    @property
    def is_concurrent(self) -> bool:
        """Then each of its statements is: they run outside a transaction."""
        return any(_CONCURRENTLY.match(statement) for statement in self.statements)


class Function(msgspec.Struct, frozen=True):
    name: str
    sql: str
    digest: bytes


def read_migrations(folder: Path) -> list[Migration]:
    found = [_read_migration(path) for path in sorted(folder.glob("*.sql"))]
    if not found:
        raise StartupError(f"{folder} contains no migrations: reinstall Frontdesk")
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise StartupError(f"the migrations in {folder} are not numbered 0001, 0002, … without a gap")
    return found


def _read_migration(path: Path) -> Migration:
    """The digest is that of the text after the head: the first files were applied before there were heads."""
    match = _NAME.match(path.name)
    if not match:
        raise StartupError(f"{path.name} is not a migration: name it NNNN_what_it_does.sql")
    text = path.read_text("utf-8")
    head = _HEAD.match(text)
    if not head:
        raise StartupError(
            f"{path.name} has no head: its first line must be “-- migration: expand”, “-- migration: expand in "
            "batches” or “-- migration: contract, programs from 0.2.0”"
        )
    sql = text[head.end() :]
    return Migration(int(match[1]), path.name, sql, _digest(sql), head[2], head[1] is not None)


def read_functions(folder: Path) -> list[Function]:
    """One CREATE OR REPLACE FUNCTION per file; the file is named after the function."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.sql"))}
    return [make_function(name, sql) for name, sql in texts.items()]


def make_function(name: str, sql: str) -> Function:
    return Function(name, sql, _digest(sql))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def split_statements(sql: str) -> list[str]:
    """Without comments."""
    statements, text, start = [], "", 0
    for part in _PART.finditer(sql):
        text += sql[start : part.start()] + ("" if part[2] or part[3] else part[0])
        start = part.end()
        if part[3]:
            statements.append(text)
            text = ""
    statements.append(text + sql[start:])
    return [statement.strip() for statement in statements if statement.strip()]


def version_key(version: str) -> tuple[int, ...]:
    """Versions in their order: 0.9.1 is before 0.10.0."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
