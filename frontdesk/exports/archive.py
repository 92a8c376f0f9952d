"""The whole business as one file: a zip archive with a file of JSON lines for each table, the pictures, and a manifest.

It holds no secrets: tables of sign-ins, keys, tokens and webhooks are left out, and so are columns that refer to them.
The ids of records and the numbers of events stay the same in a business that is made from it; only the id of the
business is new.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from tempfile import TemporaryFile
from typing import IO, BinaryIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import msgspec
import structlog

from frontdesk import __version__
from frontdesk.activity.record import record_activity
from frontdesk.exports.archive_queries import copy_table, list_pictures, list_tables, read_tenant
from frontdesk.exports.problems import ArchiveProblem
from frontdesk.pictures.bucket import get_both
from frontdesk.pictures.bucket_queries import BucketPicture, list_bucket_pictures
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import begin_snapshot
from frontdesk.problems import Problem
from frontdesk.storage.store import ObjectStore, StorageFailed
from frontdesk.values.actor import Actor

ARCHIVE_TYPE = "application/zip"
FORMAT = 1
PICTURES = "pictures"
ROWS = ".jsonl"  # how the file of a table ends
MANIFEST = "manifest.json"
_RETRY_SECONDS = 60
_BLOCK = 256 * 1024  # bytes that are packed at once
_log = structlog.get_logger("frontdesk.exports")

Report = Callable[[str, int], None]
Connect = Callable[[], AbstractAsyncContextManager[Connection]]


class Manifest(msgspec.Struct):
    format: int
    frontdesk: str  # the version that wrote it
    tenant: dict[str, object]
    tables: dict[str, list[str]]  # the columns of each table, in the order in which they can be inserted


def no_report(_table: str, _rows: int) -> None:
    pass


async def archive_file(connect: Connect, tenant_id: UUID, actor: Actor, store: ObjectStore | None) -> BinaryIO:
    """A temporary file with the archive, at its beginning."""
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        await export_archive(connect, tenant_id, file, actor, store)
    except StorageFailed as error:
        file.close()
        _log.warning("archive not written", reason=str(error))
        raise Problem(ArchiveProblem.PICTURES_UNAVAILABLE, seconds=_RETRY_SECONDS) from error
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


async def export_archive(
    connect: Connect,
    tenant_id: UUID,
    file: BinaryIO,
    actor: Actor,
    store: ObjectStore | None,
    report: Report = no_report,
) -> None:
    """The archive holds personal data, so the activity says who has it."""
    await write_archive(connect, tenant_id, file, store, report)
    async with connect() as conn:
        await record_activity(conn, tenant_id, actor, "export.downloaded", None, "business", None, {"format": "zip"})


async def write_archive(
    connect: Connect, tenant_id: UUID, file: BinaryIO, store: ObjectStore | None = None, report: Report = no_report
) -> None:
    """From one snapshot of the database, while others write. Pictures in the bucket are fetched after it, without a
    connection: an object stays for an hour when its row goes. If one cannot be read, there is no archive: it would lose
    the picture in the other installation.
    """
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        async with connect() as conn, conn.transaction():
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
            in_bucket = await list_bucket_pictures(conn, tenant_id)
        for picture in in_bucket:
            await _write_picture(archive, picture.id, *await _fetch(store, picture))
        manifest = Manifest(FORMAT, __version__, tenant, {table.name: list(table.columns) for table in tables})
        archive.writestr(MANIFEST, msgspec.json.encode(manifest))


async def _write_pictures(conn: Connection, tenant_id: UUID, archive: ZipFile) -> None:
    async for picture_id, content, thumbnail in list_pictures(conn, tenant_id):
        await _write_picture(archive, picture_id, content, thumbnail)


async def _write_picture(archive: ZipFile, picture_id: UUID, content: bytes, thumbnail: bytes) -> None:
    await asyncio.to_thread(archive.writestr, f"{PICTURES}/{picture_id}", content, ZIP_STORED)
    await asyncio.to_thread(archive.writestr, f"{PICTURES}/{picture_id}.thumbnail", thumbnail, ZIP_STORED)


async def _fetch(store: ObjectStore | None, picture: BucketPicture) -> tuple[bytes, bytes]:
    if store is None:
        raise StorageFailed("there are pictures in a bucket: set FRONTDESK_STORAGE_ENDPOINT")
    return await get_both(store, picture.tenant_id, picture.object)


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
