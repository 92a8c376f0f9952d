"""A form with a file, received as multipart/form-data. The file goes to the disk while it arrives."""

from collections.abc import Awaitable, Callable
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Protocol

from python_multipart.multipart import parse_options_header

from frontdesk.http.body import ClientDisconnected
from frontdesk.http.multipart import MultipartReader, decode_text, malformed_form
from frontdesk.runtime.time_limits import time_limit

UPLOAD = "frontdesk.upload"  # in the scope: the protocol then allows more bytes and more time
MAX_FIELD_BYTES = 96 * 1024  # of all fields together
_CHUNK_SECONDS = 30.0
_ALL_SECONDS = 900.0
_BYTES_A_SECOND = 16 * 1024  # that a sender must reach on the whole, so that a small file does not hold a slot for long


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
    reader = _UploadReader(_boundary(sender.header(b"content-type")), upload, max_bytes)
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
    upload.file.seek(0)


def _seconds_allowed(length: str | None, max_bytes: int) -> float:
    size = int(length) if length and length.isdigit() else max_bytes
    return min(_ALL_SECONDS, _CHUNK_SECONDS + size / _BYTES_A_SECOND)


def _boundary(content_type: str | None) -> bytes:
    kind, parameters = parse_options_header(content_type)
    boundary = parameters.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise malformed_form()
    return boundary


class _UploadReader(MultipartReader):
    def __init__(self, boundary: bytes, upload: Upload, max_bytes: int) -> None:
        super().__init__(boundary)
        self._upload = upload
        self._max_bytes = max_bytes
        self._is_file = False
        self._text = bytearray()
        self._field_bytes = 0

    def begin_part(self, name: str, file_name: str | None) -> None:
        self._name, self._is_file = name, file_name is not None
        self._text.clear()
        if file_name is not None:
            self._upload.file_name = file_name

    def take(self, content: bytes) -> None:
        if self._is_file:
            self._upload.size += len(content)
            self._upload.is_too_large = self._upload.size > self._max_bytes
            if not self._upload.is_too_large:
                self._upload.file.write(content)
            return
        self._field_bytes += len(content)
        if self._field_bytes > MAX_FIELD_BYTES:
            raise malformed_form()
        self._text += content

    def end_part(self) -> None:
        if not self._is_file:
            text = decode_text(self._text).replace("\r\n", "\n")
            self._upload.fields.setdefault(self._name, []).append(text)
