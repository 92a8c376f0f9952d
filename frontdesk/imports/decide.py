"""What the page of an import requests: other columns, a run, a stop, an undo."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.imports.fields import LEFT_OUT
from frontdesk.imports.kinds.all_kinds import KINDS
from frontdesk.imports.problems import ImportProblem
from frontdesk.imports.queries import get_import, request_status
from frontdesk.imports.types import Import, ImportStatus
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor

_OPEN = (ImportStatus.CHECKING, ImportStatus.CHECKED, ImportStatus.FAILED)
_Values = dict[str, object]


async def change_columns(
    conn: Connection,
    tenant_id: UUID,
    import_id: UUID,
    version: int,
    fields: Sequence[str],
    country: str,
    actor: Actor,
    *,
    leave_out_wrong: bool,
) -> None:
    """What each column becomes. The rows are then checked again."""
    import_ = await _get(conn, tenant_id, import_id, _OPEN)
    known = {field.name for field in KINDS[import_.kind].fields}
    if (
        import_.version != version
        or len(fields) != len(import_.columns)
        or any(field not in known for field in fields if field != LEFT_OUT)
    ):
        raise Problem(ImportProblem.CHANGED)
    chosen = [field for field in fields if field != LEFT_OUT]
    twice = next((field for field in chosen if chosen.count(field) > 1), None)
    if twice is not None:
        raise Problem(ImportProblem.COLUMN_TWICE, "columns", fields.index(twice))
    async with conn.transaction():
        await _request(conn, import_, ImportStatus.CHECKING, fields, country, leave_out_wrong)
        before, after = _changed(import_, fields, country)
        if leave_out_wrong != import_.settings.leave_out_wrong:
            before["leave_out_wrong"], after["leave_out_wrong"] = not leave_out_wrong, leave_out_wrong
        await _record(conn, import_, actor, "import.columns_changed", before, after)


async def start_run(conn: Connection, tenant_id: UUID, import_id: UUID, version: int, actor: Actor) -> None:
    import_ = await _get(conn, tenant_id, import_id, (ImportStatus.CHECKED,))
    if import_.version != version:
        raise Problem(ImportProblem.CHANGED)
    if missing_fields(import_) or not import_.writable_rows:
        raise Problem(ImportProblem.NO_ROW)
    await _request(conn, import_, ImportStatus.RUNNING, actor=actor)


async def stop_run(conn: Connection, tenant_id: UUID, import_id: UUID, actor: Actor) -> None:
    """The process that runs it notices that its lease is gone, and rolls everything back."""
    import_ = await _get(conn, tenant_id, import_id, (ImportStatus.RUNNING,))
    async with conn.transaction():
        await _request(conn, import_, ImportStatus.CHECKED)
        await _record(conn, import_, actor, "import.stopped", None, {"kind": import_.kind})


async def start_undo(conn: Connection, tenant_id: UUID, import_id: UUID, actor: Actor) -> None:
    import_ = await _get(conn, tenant_id, import_id, (ImportStatus.DONE,))
    if not import_.can_undo:
        raise Problem(ImportProblem.UNDO_TOO_LATE)
    await _request(conn, import_, ImportStatus.UNDOING, actor=actor)


def _changed(import_: Import, fields: Sequence[str], country: str) -> tuple[_Values, _Values]:
    """The columns that become something else, each with the field; and the country of phone numbers."""
    pairs = [pair for pair in zip(import_.columns, import_.fields, fields, strict=True) if pair[1] != pair[2]]
    before: _Values = {"columns": [(name, old) for name, old, _ in pairs]}
    after: _Values = {"columns": [(name, new) for name, _, new in pairs]}
    if country != import_.settings.country:
        before["country"], after["country"] = import_.settings.country, country
    return before, after


async def _record(
    conn: Connection, import_: Import, actor: Actor, action: str, before: _Values | None, after: _Values
) -> None:
    await record_activity(conn, import_.tenant_id, actor, action, import_.id, import_.file_name, before, after)


def missing_fields(import_: Import) -> list[tuple[str, ...]]:
    """Groups of fields of which one is needed, and no column becomes it."""
    return [group for group in KINDS[import_.kind].needed if not set(group) & set(import_.fields)]


async def _get(conn: Connection, tenant_id: UUID, import_id: UUID, allowed: Sequence[ImportStatus]) -> Import:
    import_ = await get_import(conn, tenant_id, import_id)
    if import_.status not in allowed:
        raise Problem(ImportProblem.CHANGED)
    return import_


async def _request(
    conn: Connection,
    import_: Import,
    status: ImportStatus,
    fields: Sequence[str] | None = None,
    country: str | None = None,
    leave_out_wrong: bool | None = None,
    actor: Actor | None = None,
) -> None:
    """`actor` runs or undoes it, and may be another person than the one who uploaded the file."""
    if not await request_status(conn, import_, status, fields, country, leave_out_wrong, actor):
        raise Problem(ImportProblem.CHANGED)
