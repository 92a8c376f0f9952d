"""Sends one statement to PostgreSQL over its Unix socket, with a minimal implementation of the wire protocol.

asyncpg cannot be used: the supervisor runs before there is an event loop, and in tests inside a running one.
"""

import socket
import struct
from pathlib import Path
from typing import BinaryIO

from frontdesk.errors import StartupError

SOCKET_NAME = ".s.PGSQL.5432"
SUPERUSER = "postgres"
SERVICE_ROLE = "frontdesk_service"  # serves requests, see service_role.py
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
    """Raises OSError if there is no response. A server is alive only if it responds; a pid or a file is no proof."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(socket_folder / SOCKET_NAME))
        with link.makefile("rb") as stream:
            link.sendall(_startup_message(database))
            _read_until_ready(stream)
            link.sendall(b"Q" + _with_length(sql.encode() + b"\0"))
            _read_until_ready(stream)
            link.sendall(b"X" + _with_length(b""))


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
    except ServerRejectedError as error:
        return _is_usable(folder, error)
    return True


def _is_usable(folder: Path, error: ServerRejectedError) -> bool:
    if error.code == NO_SUCH_DATABASE:
        _create_database(folder)
        return False
    if error.code.startswith(STARTING_OR_STOPPING):
        return False
    if error.code == TOO_MANY_CONNECTIONS:
        return True
    raise StartupError(f"The database at {folder} rejects the connection: {error}")


def _create_database(folder: Path) -> None:
    """The owner and attached processes may both try; the second one finds it exists."""
    try:
        run_statement(folder, "postgres", f"CREATE DATABASE {DATABASE} TEMPLATE template0")
    except OSError:
        return
    except ServerRejectedError as error:
        if error.code not in DUPLICATE_DATABASE and not error.code.startswith(STARTING_OR_STOPPING):
            raise StartupError(f"Cannot create the database {DATABASE}: {error}") from error


def _startup_message(database: str) -> bytes:
    pairs = f"user\0{SUPERUSER}\0database\0{database}\0\0".encode()
    return _with_length(struct.pack("!HH", 3, 0) + pairs)


def _with_length(body: bytes) -> bytes:
    return struct.pack("!I", len(body) + 4) + body


def _read_until_ready(stream: BinaryIO) -> None:
    kind = b""
    while kind != b"Z":
        kind, length = struct.unpack("!cI", _read_exactly(stream, 5))
        body = _read_exactly(stream, length - 4)
        if kind == b"E":
            raise _error_response(body)
        if kind == b"R" and body != b"\0\0\0\0":
            raise ServerRejectedError("28000", "the server requires a password")


def _read_exactly(stream: BinaryIO, count: int) -> bytes:
    body = stream.read(count)
    if len(body) < count:
        raise ConnectionError("the server closed the connection")
    return body


def _error_response(body: bytes) -> ServerRejectedError:
    fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0") if part}
    return ServerRejectedError(fields.get(b"C", ""), fields.get(b"M", ""))
