"""CSV as spreadsheets read it: UTF-8 with a byte order mark, and no cell that they would run as a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

CSV_TYPE = "text/csv; charset=utf-8"
_BYTE_ORDER_MARK = "\ufeff"  # without it, Excel reads Arabic as windows-1252
_FORMULA = re.compile(r"[=+\-@\t\r\n]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")


def csv_lines(rows: Iterable[Sequence[str]], *, first: bool = False) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_guard(cell) for cell in row] for row in rows)
    return ((_BYTE_ORDER_MARK if first else "") + text.getvalue()).encode()


def _guard(cell: str) -> str:
    """A text that begins like a formula gets an apostrophe, also a phone number, so that it stays text."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
