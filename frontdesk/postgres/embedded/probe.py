"""One statement to a PostgreSQL server over its unix socket, spoken in the wire protocol itself.

The supervisor runs before any event loop, and in tests inside one, where asyncpg could not be waited for.
"""

import socket
import struct
from pathlib import Path
from typing import BinaryIO

from frontdesk.errors import StartupError

SOCKET_NAME = ".s.PGSQL.5432"
SUPERUSER = "postgres"
DATABASE = "frontdesk"
STARTING_OR_STOPPING = "57"
NO_SUCH_DATABASE = "3D000"
TOO_MANY_CONNECTIONS = "53300"
DUPLICATE_DATABASE = {"42P04", "23505"}


class ServerRejectedError(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def run_statement(socket_folder: Path, database: str, sql: str) -> None:
    """Raises OSError where nobody answers, so "alive" always means an answer and never a pid or a file."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(socket_folder / SOCKET_NAME))
        with link.makefile("rb") as replies:
            link.sendall(_startup_message(database))
            _read_until_ready(replies)
            link.sendall(b"Q" + _counted(sql.encode() + b"\0"))
            _read_until_ready(replies)
            link.sendall(b"X" + _counted(b""))


def is_listening(folder: Path) -> bool:
    try:
        run_statement(folder, DATABASE, "SELECT 1")
    except OSError:
        return False
    except ServerRejectedError:
        return True
    return True


def is_ready(folder: Path) -> bool:
    try:
        run_statement(folder, DATABASE, "SELECT 1")
    except OSError:
        return False
    except ServerRejectedError as refusal:
        return _judge(folder, refusal)
    return True


def _judge(folder: Path, refusal: ServerRejectedError) -> bool:
    if refusal.code == NO_SUCH_DATABASE:
        _create_database(folder)
        return False
    if refusal.code.startswith(STARTING_OR_STOPPING):
        return False
    if refusal.code == TOO_MANY_CONNECTIONS:
        return True
    raise StartupError(f"The database at {folder} refuses us: {refusal}")


def _create_database(folder: Path) -> None:
    """Owner and attached processes may both try; whoever comes second finds it there."""
    try:
        run_statement(folder, "postgres", f"CREATE DATABASE {DATABASE} TEMPLATE template0")
    except OSError:
        return
    except ServerRejectedError as refusal:
        if refusal.code not in DUPLICATE_DATABASE and not refusal.code.startswith(STARTING_OR_STOPPING):
            raise StartupError(f"Cannot create the database {DATABASE}: {refusal}") from refusal


def _startup_message(database: str) -> bytes:
    pairs = f"user\0{SUPERUSER}\0database\0{database}\0\0".encode()
    return _counted(struct.pack("!HH", 3, 0) + pairs)


def _counted(body: bytes) -> bytes:
    return struct.pack("!I", len(body) + 4) + body


def _read_until_ready(replies: BinaryIO) -> None:
    kind = b""
    while kind != b"Z":
        kind, length = struct.unpack("!cI", _read_exactly(replies, 5))
        body = _read_exactly(replies, length - 4)
        if kind == b"E":
            raise _error_response(body)
        if kind == b"R" and body != b"\0\0\0\0":
            raise ServerRejectedError("28000", "the server asks for a password")


def _read_exactly(replies: BinaryIO, count: int) -> bytes:
    body = replies.read(count)
    if len(body) < count:
        raise ConnectionError("the server closed the connection")
    return body


def _error_response(body: bytes) -> ServerRejectedError:
    fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0") if part}
    return ServerRejectedError(fields.get(b"C", ""), fields.get(b"M", ""))
