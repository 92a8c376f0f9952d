"""A form with a file, received as multipart/form-data. The file goes to the disk while it arrives."""

import re
from collections.abc import Awaitable, Callable
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Protocol

from frontdesk.http.body import ClientDisconnected
from frontdesk.http.multipart import MAX_HEAD_BYTES, malformed_form, read_disposition
from frontdesk.values.time_limits import time_limit

UPLOAD = "frontdesk.upload"  # in the scope: the protocol then allows more bytes and more time
MAX_FIELD_BYTES = 96 * 1024  # of all fields together
_CHUNK_SECONDS = 30.0
_ALL_SECONDS = 900.0
_BYTES_A_SECOND = 16 * 1024  # that a sender must reach on the whole, so that a small file does not hold a slot for long
_BOUNDARY = re.compile(r'boundary="?([^";,]{1,70})"?')


class Upload:
    """The fields of a form and its file."""

    def __init__(self) -> None:
        self.fields: dict[str, list[str]] = {}
        self.file: BinaryIO = TemporaryFile()  # noqa: SIM115 - closed with the request
        self.file_name = ""
        self.size = 0
        self.is_too_large = False  # the rest is read and discarded, so that the browser reads the response

    def close(self) -> None:
        self.file.close()


class Sender(Protocol):
    """A request whose body is the form."""

    receive: Callable[[], Awaitable[Any]]

    def header(self, name: bytes) -> str | None: ...


async def receive_upload(sender: Sender, upload: Upload, max_bytes: int) -> None:
    reader = _MultipartReader(_boundary(sender.header(b"content-type")), upload, max_bytes)
    receive = sender.receive
    with time_limit(_seconds_allowed(sender.header(b"content-length"), max_bytes)):
        while True:
            with time_limit(_CHUNK_SECONDS):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnected
            reader.feed(message.get("body", b""))
            if not message.get("more_body"):
                break
    reader.finish()


def _seconds_allowed(length: str | None, max_bytes: int) -> float:
    size = int(length) if length and length.isdigit() else max_bytes
    return min(_ALL_SECONDS, _CHUNK_SECONDS + size / _BYTES_A_SECOND)


def _boundary(content_type: str | None) -> bytes:
    found = _BOUNDARY.search(content_type or "")
    if not (content_type or "").lower().startswith("multipart/form-data") or found is None:
        raise malformed_form()
    return b"\r\n--" + found[1].encode("latin-1")


class _MultipartReader:
    """Keeps no more than a chunk and the length of the boundary."""

    def __init__(self, delimiter: bytes, upload: Upload, max_bytes: int) -> None:
        self._delimiter = delimiter
        self._upload = upload
        self._max_bytes = max_bytes
        self._buffer = b"\r\n"  # so that the first boundary looks like the others
        self._in_head = False
        self._name: str | None = None  # of the field whose value arrives
        self._value = bytearray()
        self._is_file = False
        self._field_bytes = 0
        self._ended = False

    def feed(self, chunk: bytes) -> None:
        self._buffer += chunk
        while not self._ended and (self._read_head() if self._in_head else self._read_content()):
            pass
        if self._ended:
            self._buffer = b""

    def finish(self) -> None:
        if not self._ended:
            raise malformed_form()
        self._upload.file.seek(0)

    def _read_head(self) -> bool:
        if self._buffer.startswith(b"--"):
            self._ended = True
            return False
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > MAX_HEAD_BYTES:
                raise malformed_form()
            return False
        self._begin_part(self._buffer[:end].lstrip(b"\r\n"))
        self._buffer = self._buffer[end + 4 :]
        self._in_head = False
        return True

    def _begin_part(self, head: bytes) -> None:
        parameters = read_disposition(head)
        try:
            self._name = parameters[b"name"].decode()
            file_name = parameters.get(b"filename")
            self._is_file = file_name is not None
            if file_name is not None:
                self._upload.file_name = file_name.decode(errors="replace").replace("%22", '"')
        except (KeyError, UnicodeDecodeError):
            raise malformed_form() from None
        self._value.clear()

    def _read_content(self) -> bool:
        end = self._buffer.find(self._delimiter)
        if end < 0:
            keep = len(self._delimiter) - 1
            self._take(self._buffer[:-keep])
            self._buffer = self._buffer[-keep:]
            return False
        self._take(self._buffer[:end])
        self._end_part()
        self._buffer = self._buffer[end + len(self._delimiter) :]
        self._in_head = True
        return True

    def _take(self, content: bytes) -> None:
        if self._name is None:  # before the first boundary
            return
        if self._is_file:
            self._upload.size += len(content)
            self._upload.is_too_large = self._upload.size > self._max_bytes
            if not self._upload.is_too_large:
                self._upload.file.write(content)
            return
        self._field_bytes += len(content)
        if self._field_bytes > MAX_FIELD_BYTES:
            raise malformed_form()
        self._value += content

    def _end_part(self) -> None:
        if self._name is not None and not self._is_file:
            try:
                text = self._value.decode().replace("\r\n", "\n")
            except UnicodeDecodeError:
                raise malformed_form() from None
            self._upload.fields.setdefault(self._name, []).append(text)
