"""Reads a table from an uploaded file, which is recognized by its content, not by its name."""

from collections.abc import Iterator
from typing import BinaryIO

from frontdesk.imports.problems import FileProblem
from frontdesk.imports.read_csv import read_csv
from frontdesk.imports.read_xlsx import read_xlsx
from frontdesk.imports.table import Row, clean_rows, unreadable

_ZIP = b"PK\x03\x04"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
_OTHERS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x05\x06", b"\x1f\x8b", b"{\\rtf")


def read_table(file: BinaryIO) -> Iterator[Row]:
    """The first row holds the names of the columns."""
    file.seek(0)
    head = file.read(8)
    file.seek(0)
    if head.startswith(_OLD_OFFICE):
        raise unreadable(FileProblem.OLD_WORKBOOK)
    if head.startswith(_OTHERS):
        raise unreadable(FileProblem.NOT_A_TABLE)
    return clean_rows(read_xlsx(file) if head.startswith(_ZIP) else read_csv(file))
