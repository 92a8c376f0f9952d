"""Stores an uploaded table as a new import, whose check then begins in the background."""

import asyncio
from collections.abc import Iterator
from itertools import chain, islice
from typing import BinaryIO, NamedTuple
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.imports.fields import guess_fields, remember
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.queries import NewImport, find_remembered, insert_import, insert_rows, set_row_count
from frontdesk.imports.read_table import read_table
from frontdesk.imports.table import Row, unreadable
from frontdesk.imports.types import ImportKind
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.quotas import Quota, lock_quotas, require_within
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7

_BATCH = 2000
_SAMPLE = 50
MAX_FILE_NAME_LENGTH = 200


class UploadedTable(NamedTuple):
    kind: ImportKind
    branch_id: UUID
    country: str
    file_name: str
    actor: Actor
    created_by: UUID


async def store_upload(conn: Connection, tenant_id: UUID, table: UploadedTable, file: BinaryIO) -> UUID:
    """The file is read in a thread, batch by batch; the rows wait in the database, not in memory."""
    rows = await asyncio.to_thread(read_table, file)
    head = await _take(rows, 1)
    sample = await _take(rows, _SAMPLE)
    if not head or not sample:
        raise unreadable("This file has no rows below the names of the columns.")
    columns = head[0].cells
    import_id = uuid7()
    async with conn.transaction():
        limits = await lock_quotas(conn, tenant_id)
        remembered: dict[str, str] = {}
        for names, chosen in await find_remembered(conn, tenant_id, table.kind):
            remembered |= remember(names, chosen)
        fields = guess_fields(KINDS[table.kind].fields, columns, [row.cells for row in sample], remembered)
        name = table.file_name[-MAX_FILE_NAME_LENGTH:] or "table"
        new = NewImport(
            import_id,
            table.kind,
            name,
            table.branch_id,
            table.country,
            columns,
            fields,
            table.actor._asdict(),
            table.created_by,
        )
        await insert_import(conn, tenant_id, new)
        await require_within(conn, tenant_id, limits, Quota.IMPORTS)
        count = await _store_rows(conn, tenant_id, import_id, chain(sample, rows))
        uploaded = {"kind": table.kind, "rows": count}
        await record_activity(conn, tenant_id, table.actor, "import.uploaded", import_id, name, None, uploaded)
    return import_id


async def _store_rows(conn: Connection, tenant_id: UUID, import_id: UUID, rows: Iterator[Row]) -> int:
    total, last = 0, 0
    while batch := await _take(rows, _BATCH):
        await insert_rows(conn, tenant_id, import_id, batch)
        total, last = total + len(batch), batch[-1].number
    await set_row_count(conn, tenant_id, import_id, total, last)
    return total


async def _take(rows: Iterator[Row], count: int) -> list[Row]:
    return await asyncio.to_thread(lambda: list(islice(rows, count)))
