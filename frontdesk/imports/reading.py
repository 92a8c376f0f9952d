"""Reads an uploaded table in a process of its own, which writes the rows to a file.

A small workbook can take much time and memory. No database connection is held meanwhile. This module does not import
the library that reads workbooks, so that only that process loads it.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from tempfile import TemporaryFile
from typing import BinaryIO
from uuid import UUID

import msgspec

from frontdesk.imports.problems import FileProblem
from frontdesk.imports.table import ReadResult, Row, unreadable
from frontdesk.postgres.connection_guard import require_no_connection
from frontdesk.runtime.limited_process import Limits, ProcessFailed, run_limited
from frontdesk.runtime.slow_work import READING

LIMITS = Limits(cpu_seconds=90, seconds=300.0)  # 250,000 rows of 8 columns take 7 s of CPU time
_decode_row = msgspec.json.Decoder(Row).decode
_decode_outcome = msgspec.json.Decoder(ReadResult).decode


@asynccontextmanager
async def read_in_process(tenant_id: UUID, file: BinaryIO, limits: Limits = LIMITS) -> AsyncIterator[Iterator[Row]]:
    """The rows, the names of the columns first. Raises what `read_table` raises."""
    require_no_connection("the reading of a file")
    with TemporaryFile() as output:
        file.seek(0)
        async with READING.turn(tenant_id):
            try:
                await run_limited("frontdesk.imports.reading_process", limits, file=file, output=output)
            except ProcessFailed:
                raise unreadable(FileProblem.TOO_SLOW) from None
        output.seek(0)
        outcome = _decode_outcome(output.readline())
        if outcome.problem is not None:
            raise unreadable(FileProblem[outcome.problem], **outcome.values)
        yield map(_decode_row, output)
