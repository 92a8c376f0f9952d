"""The whole business as one file: a zip archive with a file of JSON lines for each table, the pictures, and a manifest.

It holds no secrets: tables of sign-ins, keys, tokens and webhooks are left out, and so are columns that refer to them.
The ids of records and the numbers of events stay the same in a business that is made from it; only the id of the
business is new.
"""

import asyncio
from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO, BinaryIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import msgspec

from frontdesk import __version__
from frontdesk.activity.record import record_activity
from frontdesk.exports.archive_queries import copy_table, list_pictures, list_tables, read_tenant
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import begin_snapshot
from frontdesk.values.actor import Actor

ARCHIVE_TYPE = "application/zip"
FORMAT = 1
PICTURES = "pictures"
ROWS = ".jsonl"  # how the file of a table ends
MANIFEST = "manifest.json"
_BLOCK = 256 * 1024  # bytes that are packed at once

Report = Callable[[str, int], None]


class Manifest(msgspec.Struct):
    format: int
    frontdesk: str  # the version that wrote it
    tenant: dict[str, object]
    tables: dict[str, list[str]]  # the columns of each table, in the order in which they can be inserted


def no_report(_table: str, _rows: int) -> None:
    pass


async def archive_file(conn: Connection, tenant_id: UUID, actor: Actor) -> BinaryIO:
    """A temporary file with the archive, at its beginning."""
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        await export_archive(conn, tenant_id, file, actor)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


async def export_archive(
    conn: Connection, tenant_id: UUID, file: BinaryIO, actor: Actor, report: Report = no_report
) -> None:
    """The archive holds personal data, so the activity says who has it."""
    await write_archive(conn, tenant_id, file, report)
    await record_activity(conn, tenant_id, actor, "export.downloaded", None, "business", None, {"format": "zip"})


async def write_archive(conn: Connection, tenant_id: UUID, file: BinaryIO, report: Report = no_report) -> None:
    """From one snapshot of the database, while others write."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        async with conn.transaction():
            await begin_snapshot(conn)
            tenant = await read_tenant(conn, tenant_id)
            tables = await list_tables(conn)
            for table in tables:
                with archive.open(f"{table.name}{ROWS}", "w", force_zip64=True) as member:
                    lines = _Lines(member)
                    await copy_table(conn, tenant_id, table, lines.write)
                    await lines.flush()
                report(table.name, lines.count)
            await _write_pictures(conn, tenant_id, archive)
        manifest = Manifest(FORMAT, __version__, tenant, {table.name: list(table.columns) for table in tables})
        archive.writestr(MANIFEST, msgspec.json.encode(manifest))


async def _write_pictures(conn: Connection, tenant_id: UUID, archive: ZipFile) -> None:
    async for picture_id, content, thumbnail in list_pictures(conn, tenant_id):
        await asyncio.to_thread(archive.writestr, f"{PICTURES}/{picture_id}", content, ZIP_STORED)
        await asyncio.to_thread(archive.writestr, f"{PICTURES}/{picture_id}.thumbnail", thumbnail, ZIP_STORED)


class _Lines:
    """Lines of COPY in its text format, which doubles each backslash."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = member
        self._chunks: list[bytes] = []
        self._size = 0
        self.count = 0

    async def write(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._size >= _BLOCK:
            await self.flush()

    async def flush(self) -> None:
        """Packed in a thread: other requests are answered meanwhile."""
        whole, _, rest = b"".join(self._chunks).rpartition(b"\n")
        self._chunks, self._size = [rest], len(rest)
        if whole:
            await asyncio.to_thread(self._pack, whole + b"\n")

    def _pack(self, lines: bytes) -> None:
        self._member.write(lines.replace(b"\\\\", b"\\"))
        self.count += lines.count(b"\n")
