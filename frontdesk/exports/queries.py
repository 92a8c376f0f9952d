"""Reads the rows of a list in batches, with the filters of the page that it is exported from."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from frontdesk.exports.lists import LISTS, ListName
from frontdesk.postgres.pool import Connection

BATCH = 500
Conditions = Sequence[tuple[str, object]]  # SQL on the columns of the list's table, with $? for the value


def in_period(name: ListName, from_date: date | None, to_date: date | None) -> Conditions:
    time = LISTS[name].time
    tests = (
        (f"a.{time} >= day_start($?::date, context.timezone)", from_date),
        (f"a.{time} < day_start($?::date + 1, context.timezone)", to_date),
    )
    return [(test, day) for test, day in tests if time and day is not None]


async def read_batch(
    conn: Connection, tenant_id: UUID, name: ListName, after: object, conditions: Conditions
) -> tuple[object, list[Sequence[Any]]]:
    """The key of the last row, and the rows without their keys. Empty at the end."""
    exported = LISTS[name]
    where = "".join(f" AND {test.replace('?', str(place))}" for place, (test, _) in enumerate(conditions, 4))
    key, type_ = exported.key, "uuid" if exported.key == "id" else "bigint"
    rows = f"""(
        SELECT a.* FROM {exported.table} a CROSS JOIN (SELECT timezone FROM tenants WHERE id = $1) AS context
        WHERE a.tenant_id = $1 AND a.{key} > $2::{type_}{exported.only}{where} ORDER BY a.{key} LIMIT $3)"""
    sql = exported.sql.replace("{rows}", rows)
    found = await conn.fetch(sql, tenant_id, after, BATCH, *(value for _, value in conditions))
    return (found[-1][0] if found else after), [tuple(row)[1:] for row in found]
