"""CSV as spreadsheets read it: UTF-8 with a byte order mark, and no cell that they would run as a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from frontdesk.values.csv_injection import escape_formulas

CSV_TYPE = "text/csv; charset=utf-8"
_BYTE_ORDER_MARK = "\ufeff"  # without it, Excel reads Arabic as windows-1252


def csv_lines(rows: Iterable[Sequence[str]], *, first: bool = False) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([escape_formulas(cell) for cell in row] for row in rows)
    return ((_BYTE_ORDER_MARK if first else "") + text.getvalue()).encode()
