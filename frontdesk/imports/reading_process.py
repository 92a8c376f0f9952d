"""The process that reads one table, with limits of its own; `reading.py` starts it.

The input is the file. The output is a line with what became of it, then a line of JSON for each row.
"""

import os
import sys

import msgspec

from frontdesk.imports.read_table import read_table
from frontdesk.imports.table import ReadResult
from frontdesk.problems import Problem
from frontdesk.runtime.limited_process import apply_limits

_PLACE = 4096  # bytes of the first line, which is written when the rest is


def main() -> None:
    apply_limits()
    encoder = msgspec.json.Encoder()
    with os.fdopen(sys.stdout.fileno(), "wb", closefd=False) as output:
        output.write(b" " * (_PLACE - 1) + b"\n")
        outcome = ReadResult()
        try:
            with os.fdopen(sys.stdin.fileno(), "rb", closefd=False) as file:
                for row in read_table(file):
                    output.write(encoder.encode(row) + b"\n")
        except Problem as problem:
            outcome = ReadResult(problem.kind.name, dict(problem.values))
        output.seek(0)
        output.write(encoder.encode(outcome)[: _PLACE - 1])


if __name__ == "__main__":
    main()
