"""Stores an uploaded table as a new import, whose check then begins in the background."""

import asyncio
from collections.abc import Iterator
from itertools import chain, islice
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.imports.fields import guess_fields, remember
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.problems import FileProblem
from frontdesk.imports.queries import find_remembered, insert_import, set_row_count
from frontdesk.imports.row_queries import insert_rows
from frontdesk.imports.table import Row, unreadable
from frontdesk.imports.types import UploadedTable
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.ids import uuid7

_BATCH = 2000
_BATCH_CHARACTERS = 4_000_000  # a row can have a million
_SAMPLE = 50
MAX_FILE_NAME_LENGTH = 200


async def store_upload(conn: Connection, tenant_id: UUID, table: UploadedTable, rows: Iterator[Row]) -> UUID:
    """Batch by batch, so that memory stays flat. The first row holds the names of the columns."""
    head = next(rows, None)
    sample = list(islice(rows, _SAMPLE))
    if head is None or not sample:
        raise unreadable(FileProblem.NO_ROWS)
    columns = head.cells
    import_id = uuid7()
    table = table._replace(file_name=table.file_name[-MAX_FILE_NAME_LENGTH:] or "table")
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        remembered: dict[str, str] = {}
        for names, chosen in await find_remembered(conn, tenant_id, table.kind):
            remembered |= remember(names, chosen)
        fields = guess_fields(KINDS[table.kind].fields, columns, [row.cells for row in sample], remembered)
        await insert_import(conn, tenant_id, import_id, table, columns, fields)
        await require_within(conn, tenant_id, limits, Quota.IMPORTS)
        count = await _store_rows(conn, tenant_id, import_id, chain(sample, rows))
        uploaded = {"kind": table.kind, "rows": count}
        await record_activity(
            conn, tenant_id, table.actor, "import.uploaded", import_id, table.file_name, None, uploaded
        )
    return import_id


async def _store_rows(conn: Connection, tenant_id: UUID, import_id: UUID, rows: Iterator[Row]) -> int:
    total, last = 0, 0
    while batch := await _take(rows, _BATCH):
        await insert_rows(conn, tenant_id, import_id, batch)
        total, last = total + len(batch), batch[-1].number
    await set_row_count(conn, tenant_id, import_id, total, last)
    return total


async def _take(rows: Iterator[Row], count: int) -> list[Row]:
    """The next rows, fewer if they are long."""
    return await asyncio.to_thread(lambda: list(_within_limit(islice(rows, count))))


def _within_limit(rows: Iterator[Row]) -> Iterator[Row]:
    size = 0
    for row in rows:
        yield row
        size += sum(map(len, row.cells))
        if size > _BATCH_CHARACTERS:
            return
