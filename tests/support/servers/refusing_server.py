"""A server that speaks just enough of PostgreSQL's protocol to be too old, or to refuse a password."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_NO_ENCRYPTION = b"N"
_READY = b"I"
_SSL_REQUEST = 80877103


@contextmanager
def server_of_version(version: str) -> Iterator[int]:
    """Its port."""
    greeting = [
        _message(b"R", struct.pack("!I", 0)),
        _message(b"S", b"server_version\0" + version.encode() + b"\0"),
        _message(b"S", b"client_encoding\0UTF8\0"),
        _message(b"K", struct.pack("!II", 1, 1)),
        _message(b"Z", _READY),
    ]
    with _answering(b"".join(greeting), b"") as port:
        yield port


@contextmanager
def server_that_refuses_passwords(user: str) -> Iterator[int]:
    refusal = f'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "{user}"\0\0'
    with _answering(_message(b"R", struct.pack("!I", 3)), _message(b"E", refusal.encode())) as port:
        yield port


@contextmanager
def _answering(first: bytes, second: bytes) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=_answer_each, args=(listening, first, second), daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def _answer_each(listening: socket.socket, first: bytes, second: bytes) -> None:
    while True:
        try:
            link, _ = listening.accept()
        except OSError:
            return
        with link:
            size, code = struct.unpack("!II", link.recv(8))
            if code == _SSL_REQUEST:
                link.sendall(_NO_ENCRYPTION)
                size, code = struct.unpack("!II", link.recv(8))
            link.recv(size - 8)
            link.sendall(first)
            link.recv(1024)
            link.sendall(second)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", len(body) + 4) + body
