"""Rows of an archive, which may have been changed: their columns, and the rule for texts that the APIs have too."""

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from frontdesk.values.text import without_controls

# What a text that may need cleaning has in a line of JSON: escapes, and the characters that `without_controls` removes.
_SUSPECT = re.compile(rb"\\[ubf]|\x7f|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")
_ROW = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VALUE = msgspec.json.Decoder(float_hook=Decimal)  # so that no digit is lost
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def clean_lines(lines: Sequence[bytes], columns: frozenset[str]) -> list[bytes]:
    """Raises a ValueError for a line that is not one row with columns of the manifest."""
    return [_clean_line(line, columns) for line in lines]


def _clean_line(line: bytes, columns: frozenset[str]) -> bytes:
    row = _ROW.decode(line)
    if not row.keys() <= columns:
        raise ValueError("a row has an unknown column")
    if not _SUSPECT.search(line):
        return line
    return _ENCODER.encode({name: clean(_VALUE.decode(value)) for name, value in row.items()})


def clean(value: object) -> object:
    """Without control characters and those that turn the direction of a text."""
    match value:
        case str():
            return without_controls(value)
        case list():
            return [clean(entry) for entry in value]
        case dict():
            return {without_controls(key): clean(entry) for key, entry in value.items()}
        case _:
            return value
