"""Forms with files (multipart/form-data), as browsers send them, read by python-multipart within limits."""

import base64
from abc import ABC, abstractmethod

from python_multipart import MultipartParser
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import parse_options_header

from frontdesk.http.problems import BodyProblem
from frontdesk.problems import Problem

_MAX_PARTS = 500
_MAX_HEADERS = 8  # of one part
_MAX_HEADER_BYTES = 4096  # of each; the longest file name takes a quarter of it


class MultipartReader(ABC):
    """Calls the methods of its subclass while the form arrives. Keeps no more of it than a boundary and a header."""

    def __init__(self, boundary: bytes) -> None:
        self._count = 0
        self._header, self._value, self._disposition = bytearray(), bytearray(), b""
        self._ended = False
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_head,
                    "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
                    "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_head,
                    "on_part_data": lambda data, start, end: self.take(data[start:end]),
                    "on_part_end": self.end_part,
                    "on_end": self._end,
                },
                max_header_count=_MAX_HEADERS,
                max_header_size=_MAX_HEADER_BYTES,
            )
        except FormParserError:  # a long boundary
            raise malformed_form() from None

    @abstractmethod
    def begin_part(self, name: str, file_name: str | None) -> None: ...

    @abstractmethod
    def take(self, content: bytes) -> None: ...

    @abstractmethod
    def end_part(self) -> None: ...

    def feed(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError:
            raise malformed_form() from None

    def finish(self) -> None:
        if not self._ended:
            raise malformed_form()

    def _begin_head(self) -> None:
        self._count += 1
        self._disposition = b""
        if self._count > _MAX_PARTS:
            raise malformed_form()

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _end_head(self) -> None:
        """Browsers write a quote inside a value as %22."""
        kind, parameters = parse_options_header(self._disposition)
        name, file_name = parameters.get(b"name"), parameters.get(b"filename")
        if kind != b"form-data" or name is None:
            raise malformed_form()
        shown = None if file_name is None else file_name.decode(errors="replace").replace("%22", '"')
        self.begin_part(decode_text(name), shown)

    def _end(self) -> None:
        self._ended = True


class _WholeForm(MultipartReader):
    """A form that is in memory."""

    def __init__(self, boundary: bytes) -> None:
        super().__init__(boundary)
        self.parts: list[tuple[str, str]] = []
        self._name, self._is_file, self._content = "", False, bytearray()

    def begin_part(self, name: str, file_name: str | None) -> None:
        self._name, self._is_file = name, file_name is not None
        self._content.clear()

    def take(self, content: bytes) -> None:
        self._content += content

    def end_part(self) -> None:
        text = base64.b64encode(self._content).decode() if self._is_file else decode_text(self._content)
        self.parts.append((self._name, text))


def is_multipart(raw: bytes) -> bool:
    """A percent-encoded form has no line breaks, so it cannot begin like this."""
    return raw.startswith(b"--") and b"\r\n" in raw[:200]


def read_multipart(raw: bytes) -> list[tuple[str, str]]:
    """Name and value of each part. The content of a file is encoded as base64."""
    form = _WholeForm(raw[2 : raw.index(b"\r\n")])
    form.feed(raw)
    form.finish()
    return form.parts


def decode_text(raw: bytes | bytearray) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise malformed_form() from None


def malformed_form() -> Problem:
    return Problem(BodyProblem.MALFORMED_PARTS)
