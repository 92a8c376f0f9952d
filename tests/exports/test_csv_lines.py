import csv
from io import BytesIO, StringIO

import pytest

from frontdesk.exports.csv_lines import csv_lines
from frontdesk.imports.read_table import read_table

RUNS = "=HYPERLINK(1)", "@SUM(1)", "-2+cmd|' /C calc'!A0", "+cmd|'x'!A0"


@pytest.mark.parametrize("cell", ["=1+1", "+966501234567", "-x", "@sum", "\tx", "\rx", "\n=1+1", "\uff1d1+1"])
def test_a_cell_that_a_spreadsheet_would_run_is_text(cell: str) -> None:
    assert csv_lines([[cell]]).strip(b'"\r\n').startswith(b"'")


@pytest.mark.parametrize("cell", ["-12.50", "12", "Sara", "Sara;-)", "Short; 5 - 10 cm"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert csv_lines([[cell]]) == f"{cell}\r\n".encode()


@pytest.mark.parametrize("before", ["Sara;", "Sara; ", "Sara\n", "Sara\r\n", "Sara;;"])
@pytest.mark.parametrize("formula", RUNS)
def test_no_cell_is_run_where_the_semicolon_separates_cells(before: str, formula: str) -> None:
    """Excel takes the list separator of the country, whatever the file was written with."""
    written = csv_lines([["A", "B", "C", "D"], ["1", "2", "3", before + formula]], first=True)
    seen = csv.reader(StringIO(written.decode("utf-8-sig"), newline=""), delimiter=";")
    assert [cell for row in seen for cell in row if cell.strip(' "').startswith(("=", "+", "-", "@"))] == []
    assert [row.cells[-1] for row in read_table(BytesIO(written))] == ["D", before + formula]
