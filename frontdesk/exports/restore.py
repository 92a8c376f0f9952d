"""Makes a new business from an archive."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import IO, BinaryIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - a class

import asyncpg
import msgspec

from frontdesk.activity.record import record_activity
from frontdesk.exports.archive import FORMAT, MANIFEST, PICTURES, ROWS, Manifest, Report, no_report
from frontdesk.exports.archive_queries import (
    LEFT_OUT_OF_TENANTS,
    LEFT_OUT_TABLES,
    LEFT_OUT_WHEN_RESTORED,
    ArchivedTable,
    delete_external_busy_times,
    has_open_api,
    has_unreadable_activity,
    has_unreadable_events,
    insert_picture,
    insert_restored_tenant,
    insert_rows,
    list_tables,
    rebuild_copies,
)
from frontdesk.exports.archived_texts import clean, clean_lines
from frontdesk.exports.problems import ArchiveProblem
from frontdesk.invariants import events, sums
from frontdesk.invariants.check import find_broken
from frontdesk.pictures.encode import MAX_BYTES, is_encoded
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.snapshot import allow_an_hour
from frontdesk.postgres.time_zones import store_zone
from frontdesk.problems import Problem
from frontdesk.tenants.register import public_name, registration_problems
from frontdesk.tenants.types import NewTenant, Plan
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.money import currency_decimals
from frontdesk.values.text import without_controls

_BATCH_BYTES = 512 * 1024
_MAX_LINE = 16 * 1024 * 1024
_MAX_MANIFEST = 1024 * 1024
_COMPRESSIONS = {ZIP_STORED, ZIP_DEFLATED}
_ENCRYPTED = 1  # a flag of a file in a zip archive
_UNREADABLE_ERRORS = (BadZipFile, KeyError, msgspec.MsgspecError, EOFError, TypeError)
_DAMAGED_ERRORS = (
    ZlibError,
    ValueError,
    LookupError,
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
)


class _RestoredTenant(msgspec.Struct):
    name: str
    timezone: str
    currency: str
    currency_decimals: int
    languages: list[str]
    country: str | None = None


async def restore_archive(
    conn: Connection,
    file: BinaryIO,
    *,
    name: str | None = None,
    plan: Plan | None = None,
    report: Report = no_report,
    actor: Actor = SYSTEM,
) -> UUID:
    """A new business with everything in the archive, in one transaction. Returns its id.

    The archive may have been changed: sums, numbers and events are compared with the rows. It has the plan in the
    archive, unless another one is given.
    """
    try:
        with ZipFile(file) as archive:
            manifest = _read_manifest(archive)
            async with conn.transaction():
                return await _restore(conn, archive, manifest, name, plan, report, actor)
    except _UNREADABLE_ERRORS as error:
        raise Problem(ArchiveProblem.NOT_AN_ARCHIVE) from error
    except _DAMAGED_ERRORS as error:
        raise Problem(ArchiveProblem.DAMAGED) from error


async def _restore(
    conn: Connection,
    archive: ZipFile,
    manifest: Manifest,
    name: str | None,
    plan: Plan | None,
    report: Report,
    actor: Actor,
) -> UUID:
    tenant_id = uuid7()
    await allow_an_hour(conn)
    plan = plan or Plan(str(manifest.tenant["plan"]))
    await _restore_tenant(conn, tenant_id, manifest, name, plan)
    known = {table.name: table for table in await list_tables(conn)}
    counts = {}
    for table, columns in _in_order(manifest, known):
        counts[table.name] = await _restore_table(conn, tenant_id, archive, manifest, table, columns)
        report(table.name, counts[table.name])
    await delete_external_busy_times(conn, tenant_id)
    await _check(conn, tenant_id, has_events=bool(counts.get("events")))
    await rebuild_copies(conn, tenant_id)
    written = {"frontdesk": manifest.frontdesk, "plan": plan.value}
    shown = name or str(manifest.tenant["name"])
    await record_activity(conn, tenant_id, actor, "business.restored", tenant_id, shown, None, written)
    return tenant_id


async def _check(conn: Connection, tenant_id: UUID, *, has_events: bool) -> None:
    """Archives of earlier versions, and of businesses that were deleted, have no events."""
    rules = {**sums.RULES, **events.RULES} if has_events else sums.RULES
    if (
        await has_unreadable_activity(conn, tenant_id)
        or await has_unreadable_events(conn, tenant_id)
        or await find_broken(conn, tenant_id, rules)
    ):
        raise Problem(ArchiveProblem.DAMAGED)


def _read_manifest(archive: ZipFile) -> Manifest:
    if any(info.flag_bits & _ENCRYPTED or info.compress_type not in _COMPRESSIONS for info in archive.infolist()):
        raise Problem(ArchiveProblem.NOT_AN_ARCHIVE)
    if archive.getinfo(MANIFEST).file_size > _MAX_MANIFEST:
        raise Problem(ArchiveProblem.NOT_AN_ARCHIVE)
    manifest = msgspec.json.decode(archive.read(MANIFEST), type=Manifest)
    if manifest.format != FORMAT:
        raise Problem(ArchiveProblem.OTHER_FORMAT, format=manifest.format, known=FORMAT)
    if {f"{table}{ROWS}" for table in manifest.tables} != {n for n in archive.namelist() if n.endswith(ROWS)}:
        raise Problem(ArchiveProblem.DAMAGED)
    return manifest


async def _restore_tenant(conn: Connection, tenant_id: UUID, manifest: Manifest, name: str | None, plan: Plan) -> None:
    """An archive never makes a sandbox, which has fewer limits."""
    open_api = await has_open_api(conn, plan)
    decided = {"id": tenant_id, "plan": plan.value, "open_api": open_api, "is_sandbox": False}
    described = {key: clean(value) for key, value in manifest.tenant.items() if key not in LEFT_OUT_OF_TENANTS}
    tenant = {**described, "name": without_controls(name) if name else described["name"], **decided}
    _check_tenant(tenant)
    await store_zone(conn, str(tenant["timezone"]))
    await insert_restored_tenant(conn, tenant, public_name(str(tenant["name"]), tenant_id))


def _check_tenant(tenant: Mapping[str, object]) -> None:
    """As for a business that is registered here: name, country, currency and languages are used as they are."""
    found = msgspec.convert(tenant, _RestoredTenant)
    new = NewTenant(
        found.name, found.name, Plan.STARTER, found.timezone, found.currency, found.languages, country=found.country
    )
    if registration_problems(new) or found.currency_decimals != currency_decimals(found.currency):
        raise Problem(ArchiveProblem.DAMAGED)


def _in_order(manifest: Manifest, known: Mapping[str, ArchivedTable]) -> list[tuple[ArchivedTable, Sequence[str]]]:
    """Tables and columns that this version does not know are left out: the archive may be of another version."""
    return [
        (table, columns)
        for name, table in known.items()
        if name in manifest.tables
        and name not in LEFT_OUT_TABLES
        and (columns := [column for column in manifest.tables[name] if column in _restorable(table)])
    ]


def _restorable(table: ArchivedTable) -> Sequence[str]:
    left_out = LEFT_OUT_WHEN_RESTORED.get(table.name, ())
    return [column for column in table.columns if column not in left_out]


async def _restore_table(
    conn: Connection,
    tenant_id: UUID,
    archive: ZipFile,
    manifest: Manifest,
    table: ArchivedTable,
    columns: Sequence[str],
) -> int:
    described = frozenset(manifest.tables[table.name])
    rows = 0
    with archive.open(f"{table.name}{ROWS}") as member:
        while batch := await asyncio.to_thread(_take_lines, member):
            lines = await asyncio.to_thread(clean_lines, batch, described)
            if table.name == PICTURES:
                await _restore_pictures(conn, tenant_id, archive, columns, lines)
            else:
                await insert_rows(conn, tenant_id, table, columns, lines)
            rows += len(batch)
    return rows


async def _restore_pictures(
    conn: Connection, tenant_id: UUID, archive: ZipFile, columns: Sequence[str], lines: Sequence[bytes]
) -> None:
    for line in lines:
        row = msgspec.json.decode(line)
        name, media_type = str(UUID(str(row["id"]))), str(row["media_type"])
        content = _read_picture(archive, name, media_type)
        thumbnail = _read_picture(archive, f"{name}.thumbnail", media_type)
        await insert_picture(conn, tenant_id, columns, line, content, thumbnail)


def _read_picture(archive: ZipFile, name: str, media_type: str) -> bytes:
    """The size is that of the archive's directory, beyond which zipfile does not read."""
    member = archive.getinfo(f"{PICTURES}/{name}")
    if member.file_size > MAX_BYTES:
        raise Problem(ArchiveProblem.NOT_AN_ARCHIVE)
    content = archive.read(member)
    if not is_encoded(content, media_type):
        raise Problem(ArchiveProblem.DAMAGED)
    return content


def _take_lines(lines: IO[bytes]) -> list[bytes]:
    batch, size = [], 0
    while size < _BATCH_BYTES and (line := lines.readline(_MAX_LINE)):
        batch.append(line)
        size += len(line)
    return batch
