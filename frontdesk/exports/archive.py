"""The whole business as one file: a zip archive with a file of JSON lines for each table, the pictures, and a manifest.

It holds no secrets: tables of sign-ins, keys, tokens and webhooks are left out, and so are columns that refer to them.
The ids of records stay the same in a business that is made from it; only the id of the business is new.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from tempfile import TemporaryFile
from typing import IO, BinaryIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - a class

import asyncpg
import msgspec

from frontdesk import __version__
from frontdesk.activity.record import record_activity
from frontdesk.errors import invalid
from frontdesk.exports.archive_queries import (
    LEFT_OUT_OF_TENANTS,
    LEFT_OUT_TABLES,
    ArchivedTable,
    begin_restore,
    begin_snapshot,
    copy_table,
    forget_outside_times,
    has_contradictions,
    has_open_api,
    insert_picture,
    insert_restored_tenant,
    insert_rows,
    list_pictures,
    list_tables,
    read_tenant,
    rebuild_copies,
)
from frontdesk.pictures.encode import MAX_BYTES, is_encoded
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.time_zones import store_zone
from frontdesk.tenants.register import public_name
from frontdesk.tenants.types import Plan
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7

ARCHIVE_TYPE = "application/zip"
FORMAT = 1
PICTURES = "pictures"
_ROWS = ".jsonl"  # how the file of a table ends
_BATCH_BYTES = 512 * 1024
_MAX_LINE = 16 * 1024 * 1024
_MAX_MANIFEST = 1024 * 1024
_PACKINGS = {ZIP_STORED, ZIP_DEFLATED}
_ENCRYPTED = 1  # a flag of a file in a zip archive
_UNREADABLE = "This file is not an archive of a business."
_DAMAGED_ROWS = "This archive is damaged. Nothing was created."
_DAMAGED = (BadZipFile, KeyError, msgspec.MsgspecError, EOFError, TypeError)
_CONTRADICTORY = (
    ZlibError,
    ValueError,
    LookupError,
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
)

Report = Callable[[str, int], None]


class Manifest(msgspec.Struct):
    format: int
    frontdesk: str  # the version that wrote it
    tenant: dict[str, object]
    tables: dict[str, list[str]]  # the columns of each table, in the order in which they can be inserted


def _ignore(_table: str, _rows: int) -> None:
    pass


async def archive_file(database: Pool, tenant_id: UUID, actor: Actor) -> BinaryIO:
    """A temporary file with the archive, at its beginning."""
    file: BinaryIO = TemporaryFile()  # noqa: SIM115 - the caller closes it
    try:
        async with database.connection() as conn:
            await export_archive(conn, tenant_id, file, actor)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


async def export_archive(
    conn: Connection, tenant_id: UUID, file: BinaryIO, actor: Actor, report: Report = _ignore
) -> None:
    """The archive holds personal data, so the activity says who has it."""
    await write_archive(conn, tenant_id, file, report)
    await record_activity(conn, tenant_id, actor, "export.downloaded", None, "business", None, {"format": "zip"})


async def write_archive(conn: Connection, tenant_id: UUID, file: BinaryIO, report: Report = _ignore) -> None:
    """One snapshot of the database, although other people go on working."""
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        async with conn.transaction():
            await begin_snapshot(conn)
            tenant = await read_tenant(conn, tenant_id)
            tables = await list_tables(conn)
            for table in tables:
                with archive.open(f"{table.name}{_ROWS}", "w", force_zip64=True) as member:
                    lines = _Lines(member)
                    await copy_table(conn, tenant_id, table, lines.write)
                report(table.name, lines.count)
            async for picture_id, content, thumbnail in list_pictures(conn, tenant_id):
                for name, picture in ((str(picture_id), content), (f"{picture_id}.thumbnail", thumbnail)):
                    archive.writestr(f"{PICTURES}/{name}", picture, ZIP_STORED)
        manifest = Manifest(FORMAT, __version__, tenant, {table.name: list(table.columns) for table in tables})
        archive.writestr("manifest.json", msgspec.json.encode(manifest))


class _Lines:
    """Lines of COPY in its text format, which doubles each backslash."""

    def __init__(self, member: IO[bytes]) -> None:
        self._member = member
        self._rest = b""
        self.count = 0

    async def write(self, chunk: bytes) -> None:
        whole, _, self._rest = (self._rest + chunk).rpartition(b"\n")
        if whole:
            self._member.write(whole.replace(b"\\\\", b"\\") + b"\n")
            self.count += whole.count(b"\n") + 1


async def restore_archive(
    conn: Connection,
    file: BinaryIO,
    *,
    name: str | None = None,
    plan: Plan = Plan.PROFESSIONAL,
    report: Report = _ignore,
    actor: Actor = SYSTEM,
) -> UUID:
    """A new business with everything in the archive, in one transaction. Returns its id.

    The archive may have been changed: sums and numbers are compared with the rows, and an operator chooses the plan.
    """
    try:
        with ZipFile(file) as archive:
            manifest = _read_manifest(archive)
            tenant_id = uuid7()
            async with conn.transaction():
                await begin_restore(conn)
                await _restore_tenant(conn, tenant_id, manifest, name, plan)
                known = {table.name: table for table in await list_tables(conn)}
                for table, columns in _in_order(manifest, known):
                    rows = await _restore_table(conn, tenant_id, archive, table, columns)
                    report(table.name, rows)
                await forget_outside_times(conn, tenant_id)
                if await has_contradictions(conn, tenant_id):
                    raise invalid({"": [_DAMAGED_ROWS]})
                await rebuild_copies(conn, tenant_id)
                written = {"frontdesk": manifest.frontdesk}
                shown = name or str(manifest.tenant["name"])
                await record_activity(conn, tenant_id, actor, "business.restored", tenant_id, shown, None, written)
            return tenant_id
    except _DAMAGED as error:
        raise invalid({"": [_UNREADABLE]}) from error
    except _CONTRADICTORY as error:
        raise invalid({"": [_DAMAGED_ROWS]}) from error


def _read_manifest(archive: ZipFile) -> Manifest:
    if any(info.flag_bits & _ENCRYPTED or info.compress_type not in _PACKINGS for info in archive.infolist()):
        raise invalid({"": [_UNREADABLE]})
    if archive.getinfo("manifest.json").file_size > _MAX_MANIFEST:
        raise invalid({"": [_UNREADABLE]})
    manifest = msgspec.json.decode(archive.read("manifest.json"), type=Manifest)
    if manifest.format != FORMAT:
        raise invalid({"": [f"This archive has the format {manifest.format}; this version reads {FORMAT}."]})
    if {f"{table}{_ROWS}" for table in manifest.tables} != {n for n in archive.namelist() if n.endswith(_ROWS)}:
        raise invalid({"": [_DAMAGED_ROWS]})
    return manifest


async def _restore_tenant(conn: Connection, tenant_id: UUID, manifest: Manifest, name: str | None, plan: Plan) -> None:
    decided = {"id": tenant_id, "plan": plan.value, "open_api": await has_open_api(conn, plan)}
    described = {key: value for key, value in manifest.tenant.items() if key not in LEFT_OUT_OF_TENANTS}
    tenant = {**described, "name": name or manifest.tenant["name"], **decided}
    await store_zone(conn, str(tenant["timezone"]))
    await insert_restored_tenant(conn, tenant, public_name(str(tenant["name"]), tenant_id))


def _in_order(manifest: Manifest, known: Mapping[str, ArchivedTable]) -> list[tuple[ArchivedTable, Sequence[str]]]:
    """Tables and columns that this version does not know are left out: the archive may be of another version."""
    return [
        (table, columns)
        for name, table in known.items()
        if name in manifest.tables
        and name not in LEFT_OUT_TABLES
        and (columns := [column for column in manifest.tables[name] if column in table.columns])
    ]


async def _restore_table(
    conn: Connection, tenant_id: UUID, archive: ZipFile, table: ArchivedTable, columns: Sequence[str]
) -> int:
    rows = 0
    with archive.open(f"{table.name}{_ROWS}") as member:
        while batch := await asyncio.to_thread(_take_lines, member):
            if table.name == PICTURES:
                for line in batch:
                    row = msgspec.json.decode(line)
                    name = str(UUID(str(row["id"])))
                    content, thumbnail = (
                        _read_picture(archive, file, str(row["media_type"])) for file in (name, f"{name}.thumbnail")
                    )
                    await insert_picture(conn, tenant_id, columns, line, content, thumbnail)
            else:
                await insert_rows(conn, tenant_id, table, columns, batch)
            rows += len(batch)
    return rows


def _read_picture(archive: ZipFile, name: str, media_type: str) -> bytes:
    """The size is that of the archive's directory, beyond which zipfile does not read."""
    member = archive.getinfo(f"{PICTURES}/{name}")
    if member.file_size > MAX_BYTES:
        raise invalid({"": [_UNREADABLE]})
    content = archive.read(member)
    if not is_encoded(content, media_type):
        raise invalid({"": [_DAMAGED_ROWS]})
    return content


def _take_lines(lines: IO[bytes]) -> list[bytes]:
    batch, size = [], 0
    while size < _BATCH_BYTES and (line := lines.readline(_MAX_LINE)):
        batch.append(line)
        size += len(line)
    return batch
