import pytest

from frontdesk.exports.csv_lines import csv_lines


@pytest.mark.parametrize("cell", ["=1+1", "+966501234567", "-x", "@sum", "\tx", "\rx", "\n=1+1"])
def test_a_cell_that_a_spreadsheet_would_run_is_text(cell: str) -> None:
    assert csv_lines([[cell]]).strip(b'"\r\n').startswith(b"'")


@pytest.mark.parametrize("cell", ["-12.50", "12", "Sara"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert csv_lines([[cell]]) == f"{cell}\r\n".encode()
