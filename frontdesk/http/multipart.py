"""Forms with files (multipart/form-data, RFC 7578), as browsers send them. Parsed in one pass, in linear time."""

import base64
import re

from frontdesk.http.problems import BodyProblem
from frontdesk.problems import Problem

_MAX_PARTS = 500
MAX_HEAD_BYTES = 4096  # of the headers of one part; the longest file name takes a quarter of it
_PARAMETER = re.compile(rb'; *([a-z*]+)="([^"]*)" *', re.IGNORECASE)


def is_multipart(raw: bytes) -> bool:
    """A percent-encoded form has no line breaks, so it cannot begin like this."""
    return raw.startswith(b"--") and b"\r\n" in raw[:200]


def read_multipart(raw: bytes) -> list[tuple[str, str]]:
    """Name and value of each part. The content of a file is encoded as base64."""
    boundary, found, rest = raw.partition(b"\r\n")
    parts = (b"\r\n" + rest).split(b"\r\n" + boundary, _MAX_PARTS)
    if not found or len(parts) < 2 or len(parts) > _MAX_PARTS or not parts[-1].startswith(b"--"):
        raise malformed_form()
    return [_read_part(part.removeprefix(b"\r\n")) for part in parts[:-1]]


def _read_part(part: bytes) -> tuple[str, str]:
    end = part.find(b"\r\n\r\n", 0, MAX_HEAD_BYTES)
    if end < 0:
        raise malformed_form()
    parameters = read_disposition(part[:end])
    content = part[end + 4 :]
    try:
        name = parameters[b"name"].decode()
        is_file = not parameters.keys().isdisjoint((b"filename", b"filename*"))
        return name, base64.b64encode(content).decode() if is_file else content.decode()
    except (KeyError, UnicodeDecodeError):
        raise malformed_form() from None


def read_disposition(head: bytes) -> dict[bytes, bytes]:
    """The parameters of Content-Disposition; browsers write a quote inside a value as %22."""
    for line in head.split(b"\r\n"):
        header, _, value = line.partition(b":")
        kind, semicolon, rest = value.partition(b";")
        if header.strip().lower() == b"content-disposition" and kind.strip().lower() == b"form-data":
            return _read_parameters(semicolon + rest)
    raise malformed_form()


def _read_parameters(text: bytes) -> dict[bytes, bytes]:
    parameters, position = {}, 0
    while found := _PARAMETER.match(text, position):
        parameters[found[1].lower()] = found[2]
        position = found.end()
    return parameters


def malformed_form() -> Problem:
    return Problem(BodyProblem.MALFORMED_PARTS)
