"""Statements for the rows of an import and their outcomes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.imports.problems import RowProblem
from frontdesk.imports.table import Row
from frontdesk.imports.types import CheckedRow, Import, Outcome
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem, encode_problem, problem_of, stored_form

_COLUMNS = "number, outcome, name, detail, reason, subject_id, seen_at, before, after, undone, left_out"


async def insert_rows(conn: Connection, tenant_id: UUID, import_id: UUID, rows: Iterable[Row]) -> None:
    await conn.copy_rows(
        "import_rows",
        ("tenant_id", "import_id", "number", "cells"),
        [(tenant_id, import_id, row.number, row.cells) for row in rows],
    )


async def list_rows(conn: Connection, import_: Import, after: int, limit: int) -> list[Row]:
    rows = await conn.fetch(
        """
        SELECT number, cells FROM import_rows WHERE tenant_id = $1 AND import_id = $2 AND number > $3
        ORDER BY number LIMIT $4
        """,
        import_.tenant_id,
        import_.id,
        after,
        limit,
    )
    return [Row(row["number"], row["cells"]) for row in rows]


async def list_wrong(
    conn: Connection, import_: Import, after: int, limit: int, *, taken: bool
) -> list[tuple[Row, list[Problem]]]:
    """The refused rows with the reason, or the rows that are taken (`taken`) with why values of them are left out."""
    only = "o.left_out IS NOT NULL AND o.outcome <> 'refused'" if taken else "o.outcome = 'refused'"
    rows = await conn.fetch(
        f"""
        SELECT r.number, r.cells, o.reason, o.left_out FROM import_outcomes o
        JOIN import_rows r ON r.tenant_id = $1 AND r.import_id = $2 AND r.number = o.number
        WHERE o.tenant_id = $1 AND o.import_id = $2 AND {only} AND o.number > $3
        ORDER BY o.number LIMIT $4
        """,
        import_.tenant_id,
        import_.id,
        after,
        limit,
    )
    return [
        (Row(row["number"], row["cells"]), [*_problems(row["reason"]), *_problems(row["left_out"])]) for row in rows
    ]


def _problems(stored: str | None) -> list[Problem]:
    """Of a column that holds one problem, or a list."""
    found = msgspec.json.decode(stored) if stored else []
    return [problem_of(RowProblem, values) for values in (found if isinstance(found, list) else [found])]


async def list_outcomes(
    conn: Connection, import_: Import, outcome: Outcome | None, offset: int, limit: int, *, left_out: bool = False
) -> list[CheckedRow]:
    """A page of the preview, of all outcomes or of one, or of the rows that are taken without a value."""
    only = "" if outcome is None else "AND outcome = $5"
    only += " AND left_out IS NOT NULL AND outcome <> 'refused'" if left_out else ""
    rows = await conn.fetch(
        f"""
        SELECT {_COLUMNS} FROM import_outcomes
        WHERE tenant_id = $1 AND import_id = $2 {only} ORDER BY number OFFSET $3 LIMIT $4
        """,
        import_.tenant_id,
        import_.id,
        offset,
        limit,
        *([] if outcome is None else [outcome.value]),
    )
    return [_outcome(row) for row in rows]


async def list_kept(conn: Connection, import_: Import, limit: int) -> list[CheckedRow]:
    """The rows that could not be undone."""
    rows = await conn.fetch(
        f"""
        SELECT {_COLUMNS} FROM import_outcomes
        WHERE tenant_id = $1 AND import_id = $2 AND undone IN ('used', 'changed') ORDER BY number LIMIT $3
        """,
        import_.tenant_id,
        import_.id,
        limit,
    )
    return [_outcome(row) for row in rows]


def _outcome(row: Record) -> CheckedRow:
    before, after = (None if row[name] is None else msgspec.json.decode(row[name]) for name in ("before", "after"))
    reason = next(iter(_problems(row["reason"])), None)
    head = (row["number"], Outcome(row["outcome"]), row["name"], row["detail"], reason, row["subject_id"])
    return CheckedRow(*head, row["seen_at"], before, after, row["undone"], tuple(_problems(row["left_out"])))


async def delete_outcomes(conn: Connection, import_: Import) -> None:
    await conn.execute(
        "DELETE FROM import_outcomes WHERE tenant_id = $1 AND import_id = $2", import_.tenant_id, import_.id
    )


async def insert_outcomes(conn: Connection, import_: Import, rows: Sequence[CheckedRow]) -> None:
    columns = ("number", "outcome", "name", "detail", "reason", "subject_id", "seen_at", "before", "after", "left_out")
    await conn.copy_rows(
        "import_outcomes",
        ("tenant_id", "import_id", *columns),
        [
            (
                *(import_.tenant_id, import_.id, row.number, row.outcome.value, row.name, row.detail),
                encode_problem(row.reason) if row.reason else None,
                *(row.subject_id, row.seen_at, _json(row.before), _json(row.after)),
                msgspec.json.encode([stored_form(problem) for problem in row.left_out]).decode()
                if row.left_out
                else None,
            )
            for row in rows
        ],
    )


async def count_outcomes(conn: Connection, import_: Import) -> dict[str, int]:
    """Rows by outcome, and as "left_out" those that are taken without a value."""
    rows = await conn.fetch(
        """
        SELECT outcome, count(*), count(left_out) AS left_out FROM import_outcomes
        WHERE tenant_id = $1 AND import_id = $2 GROUP BY outcome
        """,
        import_.tenant_id,
        import_.id,
    )
    counts = {row["outcome"]: row["count"] for row in rows}
    return {**counts, "left_out": sum(row["left_out"] for row in rows if row["outcome"] != Outcome.REFUSED)}


def _json(values: Mapping[str, Any] | None) -> str | None:
    return None if values is None else msgspec.json.encode(values).decode()
