"""Forms that carry files (multipart/form-data, RFC 7578), as browsers write them."""

import base64
import re

from frontdesk.errors import invalid

_MOST_PARTS = 100
_NAME = re.compile(rb'content-disposition: *form-data;.*?\bname="([^"\r\n]*)"', re.IGNORECASE)
_FILE = re.compile(rb"content-disposition:[^\r\n]*;\s*filename\*?=", re.IGNORECASE)


def is_multipart(raw: bytes) -> bool:
    """No other form begins so: what is percent-encoded has no line breaks."""
    return raw.startswith(b"--") and b"\r\n" in raw[:200]


def read_multipart(raw: bytes) -> list[tuple[str, str]]:
    """Name and value of each part; a file's content as base64, which is how text stands for bytes."""
    boundary, found, rest = raw.partition(b"\r\n")
    parts = (b"\r\n" + rest).split(b"\r\n" + boundary)
    if not found or len(parts) < 2 or len(parts) > _MOST_PARTS or not parts[-1].startswith(b"--"):
        raise _unreadable()
    return [_read_part(part.removeprefix(b"\r\n")) for part in parts[:-1]]


def _read_part(part: bytes) -> tuple[str, str]:
    head, found, content = part.partition(b"\r\n\r\n")
    named = _NAME.search(head)
    if not found or named is None:
        raise _unreadable()
    try:
        name = named[1].decode()
        return name, base64.b64encode(content).decode() if _FILE.search(head) else content.decode()
    except UnicodeDecodeError:
        raise _unreadable() from None


def _unreadable() -> Exception:
    return invalid({"": ["the form cannot be read: send it as multipart/form-data"]})
