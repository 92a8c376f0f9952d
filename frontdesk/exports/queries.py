"""Reads the rows of a list in batches, with the filters of the page that it is exported from."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from frontdesk.exports.list_types import ListName
from frontdesk.exports.lists import LISTS
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


def of_item(item_id: UUID | None) -> Conditions:
    """Movements of its stock."""
    return [("a.item_id = $?", item_id)] if item_id else []


def of_branch(branch_id: UUID | None) -> Conditions:
    return [("a.branch_id = $?", branch_id)] if branch_id else []


def of_drawer(branch_id: UUID | None) -> Conditions:
    """Movements of the cash of a branch."""
    test = "a.session_id IN (SELECT s.id FROM drawer_sessions s WHERE s.tenant_id = $1 AND s.branch_id = $?)"
    return [(test, branch_id)] if branch_id else []


def refused_messages() -> Conditions:
    return [("a.state = $? AND a.sent_again_at IS NULL", "failed")]


async def read_batch(
    conn: Connection, tenant_id: UUID, name: ListName, after: object, conditions: Conditions
) -> tuple[object, list[Sequence[Any]]]:
    """The key of the last row, and the rows without their keys. Empty at the end."""
    exported = LISTS[name]
    where = "".join(f" AND {test.replace('?', str(number))}" for number, (test, _) in enumerate(conditions, 4))
    key = exported.key
    rows = f"""(
        SELECT a.* FROM {exported.table} a CROSS JOIN (SELECT timezone FROM tenants WHERE id = $1) AS context
        WHERE a.tenant_id = $1 AND a.{key} > $2::{exported.key_type}{exported.only}{where} ORDER BY a.{key} LIMIT $3)"""
    sql = exported.sql.replace("{rows}", rows)
    found = await conn.fetch(sql, tenant_id, after, BATCH, *(value for _, value in conditions))
    return (found[-1][0] if found else after), [tuple(row)[1:] for row in found]
