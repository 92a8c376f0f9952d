"""What is said of a fault when its load has ended: a row of the table, and what must never be."""

import sys

from tests.faults.check import check
from tests.faults.faults import NAMES
from tests.faults.load import Load
from tests.faults.table import Row, write_row

MAX_ANSWER = 16.0  # seconds; a request may take 15


async def conclude(load: Load, fault: str, runs: int) -> Row:
    lost, broken = await check(load, runs)
    row = Row(
        fault,
        runs,
        load.requests,
        load.refused,
        load.acknowledged,
        len(lost),
        len(broken),
        load.longest_answer,
        load.longest_pause,
    )
    write_row(row, NAMES)
    sys.stdout.write(f"{row.line()}\n")
    assert not lost + broken, "\n".join(["lost:", *lost, "broken:", *broken, *load.site.failures()])
    assert load.longest_answer <= MAX_ANSWER, load.slowest
    return row
