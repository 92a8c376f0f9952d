"""The run writes its numbers into the table, and nothing else."""

from tests.faults.faults import NAMES
from tests.faults.table import DOCUMENT, Row, with_row

TEXT = "# Reliability\n\nBefore.\n\n| fault | runs |\n|---|---|\n| one | 1 |\n| gone | 2 |\n| three | 3 |\n\nAfter.\n"
ROW = Row("two", 4, 12_345, 6, 789, 0, 0, 15.04, 18.96)


def test_a_measured_row_is_put_in_its_place_and_unknown_ones_go() -> None:
    faults = ["one", "two", "three", "never measured"]
    once = with_row(TEXT, ROW, faults)
    line = "| two | 4 | 12,345 | 6 | 789 | 0 | 0 | 15.0 s | 19.0 s |"
    assert once == TEXT.replace("| gone | 2 |", line)
    assert with_row(once, ROW._replace(runs=5), faults) == once.replace("| two | 4 |", "| two | 5 |")


def test_the_document_has_rows_of_known_faults_only() -> None:
    rows = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    assert {row.split(" | ")[0].removeprefix("| ") for row in rows} <= set(NAMES)
