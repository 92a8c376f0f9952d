"""What a table from a file is, with its limits."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from frontdesk.imports.problems import FileProblem
from frontdesk.problems import Problem
from frontdesk.values.csv_injection import unescape_formulas

MAX_FILE_BYTES = 50 * 1024 * 1024
MAX_ROWS = 250_000
MAX_COLUMNS = 100
MAX_CELL_LENGTH = 10_000

_CONTROL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])  # PostgreSQL stores no NUL; the others are invisible


class Row(NamedTuple):
    number: int  # in the file, as a spreadsheet counts: the first line is 1
    cells: list[str]


class ReadResult(msgspec.Struct):
    """What became of a file that a process reads."""

    problem: str | None = None  # the kind of `FileProblem`, if the file cannot be read
    values: dict[str, int] = {}  # of the problem


def unreadable(kind: FileProblem, **values: int) -> Problem:
    return Problem(kind, "file", **values)


def clean_rows(rows: Iterator[Row]) -> Iterator[Row]:
    """Without empty rows, without empty cells at the end, and within the limits. The first row holds the names."""
    count = 0
    for number, cells in rows:
        cleaned = [_clean(cell) for cell in cells]
        while cleaned and not cleaned[-1]:
            cleaned.pop()
        if not cleaned:
            continue
        count += 1
        if count > MAX_ROWS + 1:
            raise unreadable(FileProblem.TOO_MANY_ROWS, most=MAX_ROWS)
        if len(cleaned) > MAX_COLUMNS:
            raise unreadable(FileProblem.TOO_MANY_COLUMNS, most=MAX_COLUMNS)
        if any(len(cell) > MAX_CELL_LENGTH for cell in cleaned):
            raise unreadable(FileProblem.CELL_TOO_LONG, row=number, most=MAX_CELL_LENGTH)
        yield Row(number, cleaned)


def _clean(cell: str) -> str:
    """An exported text that looked like a formula, such as a phone number, has an apostrophe before it, or is written
    as ="0501234567"."""
    cell = cell.translate(_CONTROL).strip()
    if cell.startswith('="') and cell.endswith('"') and '"' not in cell[2:-1]:
        return cell[2:-1].strip()
    return unescape_formulas(cell)
