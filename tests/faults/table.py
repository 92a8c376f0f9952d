"""The table of docs/reliability.md: a run replaces the rows that it measured. People write the text around it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

DOCUMENT = Path(__file__).parents[2] / "docs" / "reliability.md"
_RULE = "|---|"


class Row(NamedTuple):
    fault: str
    runs: int
    requests: int
    refused: int
    acknowledged: int
    lost: int
    broken: int
    longest_answer: float  # seconds
    longest_pause: float

    def line(self) -> str:
        *counts, answer, pause = self
        cells = [
            *(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in counts),
            f"{answer:.1f} s",
            f"{pause:.1f} s",
        ]
        return f"| {' | '.join(cells)} |"


def with_row(text: str, row: Row, faults: Sequence[str]) -> str:
    """The rows are in the order of the faults. Rows of faults that are not known any more go."""
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(_RULE)) + 1
    last = next((number for number in range(first, len(lines)) if not lines[number].startswith("|")), len(lines))
    measured = {line.split(" | ")[0].removeprefix("| "): line for line in lines[first:last]} | {row.fault: row.line()}
    rows = [measured[fault] for fault in faults if fault in measured]
    return "\n".join([*lines[:first], *rows, *lines[last:]]) + "\n"


def write_row(row: Row, faults: Sequence[str]) -> None:
    DOCUMENT.write_text(with_row(DOCUMENT.read_text("utf-8"), row, faults), "utf-8")
