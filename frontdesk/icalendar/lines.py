"""Lines of an iCalendar file (RFC 5545, section 3.1): escaping and folding."""

import re

# Some programs split lines at these too.
_LINE_ENDS = re.compile("\r\n|[\r\n\u0085\u2028\u2029]")
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\ud800-\udfff]")  # no line may contain them
_UNQUOTED = str.maketrans({'"': "'", "\\": "/", "^": " "})
_MAX_OCTETS = 75


def text_line(name: str, text: str) -> str:
    text = _REFUSED.sub("", _LINE_ENDS.sub("\n", text))
    escaped = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")
    return f"{name}:{escaped}"


def parameter(text: str) -> str:
    """A quoted value cannot contain quotation marks, and programs differ in how they read what could escape them."""
    plain = _REFUSED.sub("", _LINE_ENDS.sub(" ", text)).translate(_UNQUOTED)
    return f'"{plain}"'


def uri_line(name: str, uri: str) -> str:
    return f"{name}:{_REFUSED.sub('', _LINE_ENDS.sub('', uri))}"


def join_lines(lines: list[str]) -> bytes:
    return b"".join(_fold(line.encode()) for line in lines)


def _fold(line: bytes) -> bytes:
    """A line has at most 75 octets. Each further one begins with a space, and no character is cut in two."""
    if len(line) <= _MAX_OCTETS:
        return line + b"\r\n"
    parts, start, room = list[bytes](), 0, _MAX_OCTETS
    while len(line) - start > room:
        end = start + room
        while line[end] & 0b1100_0000 == 0b1000_0000:  # the middle of a UTF-8 character
            end -= 1
        parts.append(line[start:end])
        start, room = end, _MAX_OCTETS - 1
    parts.append(line[start:])
    return b"\r\n ".join(parts) + b"\r\n"
