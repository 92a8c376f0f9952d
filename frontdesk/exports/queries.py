"""Reads the rows of a list in batches."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from frontdesk.exports.lists import LISTS, ListName
from frontdesk.postgres.pool import Connection

BATCH = 500
_PERIOD = """AND ($4::date IS NULL OR o.created_at >= day_start($4::date, t.timezone))
          AND ($5::date IS NULL OR o.created_at < day_start($5::date + 1, t.timezone))"""


async def read_batch(
    conn: Connection, tenant_id: UUID, name: ListName, after: object, period: tuple[date | None, date | None]
) -> tuple[object, list[Sequence[Any]]]:
    """The key of the last row, and the rows without their keys. Empty at the end."""
    exported = LISTS[name]
    sql = exported.sql.replace("{period}", _PERIOD)
    rows = await conn.fetch(sql, tenant_id, after, BATCH, *(period if exported.has_period else ()))
    return (rows[-1][0] if rows else after), [tuple(row)[1:] for row in rows]
