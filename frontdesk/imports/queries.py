"""Statements for imports: their state, and the leases of the processes that work on them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.imports.problems import RunProblem
from frontdesk.imports.types import Import, ImportKind, ImportSettings, ImportStatus, Outcome, UploadedTable
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, or_not_found
from frontdesk.values.actor import Actor

UNDO_HOURS = 24
LEASE_SECONDS = 60
KEPT_DAYS = 30

_IMPORT = f"""
    SELECT i.*, t.languages, t.currency_decimals, u.name AS author,
           extract(epoch FROM clock_timestamp() - i.started_at)::float8 AS elapsed,
           i.status = 'done' AND i.finished_at > now() - interval '{UNDO_HOURS} hours' AS can_undo
    FROM imports i JOIN tenants t ON t.id = i.tenant_id LEFT JOIN users u ON u.id = i.created_by
    WHERE i.tenant_id = $1"""


async def insert_import(
    conn: Connection,
    tenant_id: UUID,
    import_id: UUID,
    table: UploadedTable,
    columns: Sequence[str],
    fields: Sequence[str],
) -> None:
    """Its rows follow in the same transaction."""
    await conn.execute(
        """
        INSERT INTO imports (tenant_id, id, kind, file_name, status, branch_id, country, columns, fields, total_rows,
                             last_row, leave_out_wrong, actor, created_by)
        VALUES ($1, $2, $3, $4, 'checking', $5, $6, $7, $8, 0, 0, $9, $10, $11)
        """,
        tenant_id,
        import_id,
        table.kind.value,
        table.file_name,
        table.branch_id,
        table.country,
        list(columns),
        list(fields),
        table.leave_out_wrong,
        _json(table.actor._asdict()),
        table.created_by,
    )


async def set_row_count(conn: Connection, tenant_id: UUID, import_id: UUID, total: int, last_row: int) -> None:
    await conn.execute(
        "UPDATE imports SET total_rows = $3, last_row = $4 WHERE tenant_id = $1 AND id = $2",
        tenant_id,
        import_id,
        total,
        last_row,
    )


async def find_remembered(conn: Connection, tenant_id: UUID, kind: ImportKind) -> Sequence[tuple[list[str], list[str]]]:
    """Columns and fields of the last imports of this kind, the oldest first."""
    rows = await conn.fetch(
        """
        SELECT columns, fields FROM imports WHERE tenant_id = $1 AND kind = $2 AND status IN ('done', 'undone')
        ORDER BY created_at DESC LIMIT 5
        """,
        tenant_id,
        kind.value,
    )
    return [(row["columns"], row["fields"]) for row in reversed(rows)]


async def get_import(conn: Connection, tenant_id: UUID, import_id: UUID) -> Import:
    row = or_not_found(await conn.fetchrow(f"{_IMPORT} AND i.id = $2", tenant_id, import_id), "import")
    return _import(row)


async def list_imports(conn: Connection, tenant_id: UUID, limit: int) -> list[Import]:
    rows = await conn.fetch(f"{_IMPORT} ORDER BY i.created_at DESC LIMIT $2", tenant_id, limit)
    return [_import(row) for row in rows]


def _import(row: Record) -> Import:
    values = {name: row[name] for name in Import.__struct_fields__ if name not in ("settings", "created", "actor")}
    values["failure"] = Problem(RunProblem[row["failure"]]) if row["failure"] else None
    values |= {"kind": ImportKind(row["kind"]), "status": ImportStatus(row["status"])}
    settings = ImportSettings(
        *(row[name] for name in ("branch_id", "country", "languages", "currency_decimals", "leave_out_wrong"))
    )
    created, actor = msgspec.json.decode(row["created"]), msgspec.json.decode(row["actor"])
    return Import(**values, settings=settings, created=created, actor=actor)


async def find_country(conn: Connection, tenant_id: UUID) -> str | None:
    """Where the business is, else where the phone of its first branch is."""
    country: str | None = await conn.fetchval(
        """
        SELECT coalesce(t.country, (
            SELECT b.phone_country FROM branches b WHERE b.tenant_id = $1 AND b.phone_country IS NOT NULL
            ORDER BY b.created_at, b.id LIMIT 1))
        FROM tenants t WHERE t.id = $1
        """,
        tenant_id,
    )
    return country


async def finish_check(
    conn: Connection, import_: Import, lease: UUID, counts: Mapping[str, int], created: Mapping[str, Any]
) -> None:
    """`counts`: rows by outcome, and those that are taken without a value as "left_out"."""
    await conn.execute(
        """
        UPDATE imports SET status = 'checked', lease = NULL, leased_until = NULL, new_rows = $4, changed_rows = $5,
            same_rows = $6, refused_rows = $7, left_out_rows = $8, created = $9, version = version + 1
        WHERE tenant_id = $1 AND id = $2 AND lease = $3 AND status = 'checking'
        """,
        import_.tenant_id,
        import_.id,
        lease,
        *(counts.get(outcome.value, 0) for outcome in (Outcome.NEW, Outcome.CHANGED, Outcome.SAME, Outcome.REFUSED)),
        counts.get("left_out", 0),
        _json(created),
    )


async def list_waiting(conn: Connection) -> list[tuple[UUID, UUID]]:
    """The oldest import of each tenant that no process is working on, the oldest of them first."""
    rows = await conn.fetch(
        """
        SELECT DISTINCT ON (tenant_id) tenant_id, id, created_at FROM imports
        WHERE (status IN ('checking', 'running', 'undoing') OR has_events)
          AND (leased_until IS NULL OR leased_until < now())
        ORDER BY tenant_id, created_at
        """
    )
    return [(row["tenant_id"], row["id"]) for row in sorted(rows, key=lambda row: row["created_at"])]


async def count_waiting(conn: Connection) -> tuple[int, float]:
    """The number of imports of all tenants that no process is working on, and the age of the oldest in seconds."""
    row = await conn.fetchrow(
        """
        SELECT count(*) AS many,
               coalesce(extract(epoch FROM now() - min(greatest(created_at, started_at))), 0)::float8 AS oldest
        FROM imports
        WHERE (status IN ('checking', 'running', 'undoing') OR has_events)
          AND (leased_until IS NULL OR leased_until < now()) AND tenant_id IS NOT NULL
        """
    )
    return (row["many"], row["oldest"]) if row else (0, 0.0)


async def claim_import(conn: Connection, tenant_id: UUID, import_id: UUID, lease: UUID) -> bool:
    claimed = await conn.fetchval(
        f"""
        UPDATE imports SET lease = $3, leased_until = now() + interval '{LEASE_SECONDS} seconds',
            progress = CASE WHEN has_events THEN progress ELSE 0 END, started_at = now()
        WHERE tenant_id = $1 AND id = $2 AND (status IN ('checking', 'running', 'undoing') OR has_events)
          AND (leased_until IS NULL OR leased_until < now())
        RETURNING id
        """,
        tenant_id,
        import_id,
        lease,
    )
    return claimed is not None


class LeaseLost(Exception):
    """The import was stopped, its columns were changed, or another process took it over."""


async def renew_lease(conn: Connection, import_: Import, lease: UUID, progress: int) -> None:
    renewed = await conn.fetchval(
        f"""
        UPDATE imports SET leased_until = now() + interval '{LEASE_SECONDS} seconds', progress = $4
        WHERE tenant_id = $1 AND id = $2 AND lease = $3 RETURNING id
        """,
        import_.tenant_id,
        import_.id,
        lease,
        progress,
    )
    if renewed is None:
        raise LeaseLost


async def release_lease(conn: Connection, import_: Import, lease: UUID) -> None:
    await conn.execute(
        "UPDATE imports SET lease = NULL, leased_until = NULL WHERE tenant_id = $1 AND id = $2 AND lease = $3",
        import_.tenant_id,
        import_.id,
        lease,
    )


async def end_events(conn: Connection, import_: Import, lease: UUID) -> None:
    await conn.execute(
        """
        UPDATE imports SET has_events = false, lease = NULL, leased_until = NULL
        WHERE tenant_id = $1 AND id = $2 AND lease = $3
        """,
        import_.tenant_id,
        import_.id,
        lease,
    )


async def set_status(
    conn: Connection, import_: Import, status: ImportStatus, lease: UUID, failure: RunProblem | None = None
) -> None:
    """Ends a step of the process that holds the lease."""
    await conn.execute(
        """
        UPDATE imports SET status = $4, lease = NULL, leased_until = NULL, failure = $5, version = version + 1
        WHERE tenant_id = $1 AND id = $2 AND lease = $3
        """,
        import_.tenant_id,
        import_.id,
        lease,
        status.value,
        failure.name if failure else None,
    )


async def request_status(
    conn: Connection,
    import_: Import,
    status: ImportStatus,
    fields: Sequence[str] | None = None,
    country: str | None = None,
    leave_out_wrong: bool | None = None,
    actor: Actor | None = None,
) -> bool:
    """The action that was requested on the page. False if the import changed in between."""
    done = await conn.fetchval(
        """
        UPDATE imports SET status = $4, fields = coalesce($5, fields), country = coalesce($6, country), lease = NULL,
            leave_out_wrong = coalesce($7, leave_out_wrong), actor = coalesce($8::jsonb, actor), leased_until = NULL,
            progress = 0, failure = NULL, version = version + 1
        WHERE tenant_id = $1 AND id = $2 AND version = $3 RETURNING id
        """,
        import_.tenant_id,
        import_.id,
        import_.version,
        status.value,
        None if fields is None else list(fields),
        country,
        leave_out_wrong,
        None if actor is None else _json(actor._asdict()),
    )
    return done is not None


async def call_function(conn: Connection, import_: Import, function: str, argument: Mapping[str, object]) -> Any:  # noqa: ANN401 - of the function
    """`function` is a constant of run.py or of a kind."""
    return await conn.fetchval(f"SELECT {function}($1, $2::jsonb)", import_.tenant_id, _json(argument))


async def discard_plans(conn: Connection) -> None:
    """Plans that were made while a table was small choose any index that begins with the tenant.

    Foreign keys are checked with such plans too. Only new statistics would invalidate them, and none are collected
    while one transaction fills the tables.
    """
    await conn.execute("DISCARD PLANS")


def _json(values: Mapping[str, object]) -> str:
    return msgspec.json.encode(values, enc_hook=str).decode()


async def delete_old_imports(conn: Connection, limit: int) -> int:
    """Uploaded rows contain personal data, so they are deleted after KEPT_DAYS."""
    old = f"SELECT tenant_id, id FROM imports WHERE created_at < now() - interval '{KEPT_DAYS} days'"
    condition = f"(tenant_id, import_id) IN ({old})"
    deleted = await delete_batch(conn, "import_rows", condition, limit)
    return deleted or await delete_batch(conn, "import_outcomes", condition, limit)
