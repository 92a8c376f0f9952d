"""Statements for the activity. Entries are read from the newest to the oldest."""

from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.activity.types import ActivityEntry, ActivityFilter, EntryPage
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query

_ENTRY = """json_build_object('id', a.id, 'created_at', a.created_at, 'actor_type', a.actor_type,
    'actor_id', a.actor_id, 'actor_name', CASE a.actor_type
        WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = a.actor_id)
        WHEN 'app' THEN (SELECT c.name FROM api_clients c WHERE c.tenant_id = $1 AND c.id = a.actor_id)
        WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id = a.actor_id) END,
    'approver_name', (SELECT u.name FROM users u WHERE u.id = a.approved_by), 'approval_reason', a.approval_reason,
    'address', a.address, 'action', a.action, 'subject_id', a.subject_id, 'subject', a.subject, 'before', a.before,
    'after', a.after, 'names', (SELECT coalesce(json_object_agg(n.id, n.name), '{}') FROM (
        SELECT id, to_jsonb(name) AS name FROM branches
        WHERE tenant_id = $1 AND id IN ((a.before ->> 'branch_id')::uuid, (a.after ->> 'branch_id')::uuid)
        UNION ALL SELECT id, name FROM categories
        WHERE tenant_id = $1 AND
            id IN (a.subject_id, (a.before ->> 'category_id')::uuid, (a.after ->> 'category_id')::uuid)
        UNION ALL SELECT id, name FROM tax_classes
        WHERE tenant_id = $1 AND
            id IN (a.subject_id, (a.before ->> 'tax_class_id')::uuid, (a.after ->> 'tax_class_id')::uuid)
        UNION ALL SELECT id, name FROM payment_methods
        WHERE tenant_id = $1 AND id IN (a.subject_id, (a.after ->> 'method_id')::uuid)
        UNION ALL SELECT id, name FROM items WHERE tenant_id = $1 AND id = a.subject_id
        UNION ALL SELECT id, name FROM packages WHERE tenant_id = $1 AND id = a.subject_id) n))"""


def last_change(subject_id: UUID) -> Query[ActivityEntry | None]:
    """The latest change of a record."""
    return Query(
        f"""
        SELECT {_ENTRY}::text AS entry FROM activity a WHERE a.tenant_id = $1 AND a.subject_id = $2
        ORDER BY a.id DESC LIMIT 1
        """,
        (subject_id,),
        lambda row: None if row is None else msgspec.json.decode(row["entry"], type=ActivityEntry),
    )


def list_activity(filter_: ActivityFilter, before: UUID | None, limit: int) -> Query[EntryPage]:
    """Entries before a given one. No total: counting a year of entries costs more than the page."""
    where, values = _conditions(filter_, before)
    return Query(
        f"""
        SELECT coalesce(json_agg(entry), '[]')::text AS entries FROM (
            SELECT {_ENTRY} AS entry FROM activity a WHERE a.tenant_id = $1{where}
            ORDER BY a.id DESC LIMIT ${len(values) + 2}
        ) newest
        """,
        (*values, limit + 1),
        lambda row: _page(row, limit),
    )


def activity_conditions(filter_: ActivityFilter, before: UUID | None = None) -> dict[str, Any]:
    """Conditions on `activity a`, as SQL with `$?` for the value."""
    day_start = "day_start($?::date, context.timezone)"
    tests: dict[str, Any] = {
        "a.actor_type = ANY ($?::text[])": filter_.actor_types,
        "a.actor_id = $?": filter_.actor_id,
        "a.subject_id = $?": filter_.subject_id,
        "split_part(a.action, '.', 1) = ANY ($?::text[])": filter_.nouns,
        f"a.created_at >= {day_start}": filter_.from_date,
        f"a.created_at < {day_start.replace('$?::date', '$?::date + 1')}": filter_.to_date,
        "a.id < $?": before,
    }
    return {test: value for test, value in tests.items() if value is not None}


def _conditions(filter_: ActivityFilter, before: UUID | None) -> tuple[str, list[Any]]:
    used = activity_conditions(filter_, before)
    where = "".join(f" AND {test.replace('?', str(number))}" for number, test in enumerate(used, 2))
    return where, list(used.values())


def _page(row: Record | None, limit: int) -> EntryPage:
    entries = [] if row is None else msgspec.json.decode(row["entries"], type=list[ActivityEntry])
    return EntryPage(entries[:limit], has_older=len(entries) > limit)


async def count_online_acts(conn: Connection, tenant_id: UUID, address: str) -> int:
    """The bookings and entries of the waiting list that customers have made from a network address in the last hour.

    Ids begin with their time.
    """
    found: int = await conn.fetchval(
        """
        SELECT count(*) FROM activity
        WHERE tenant_id = $1 AND id > uuid_v7(clock_timestamp() - interval '1 hour') AND actor_type = 'customer'
          AND address = $2 AND action IN ('order.created', 'customer.waiting_added')
        """,
        tenant_id,
        address,
    )
    return found


async def delete_old_activity(conn: Connection, limit: int) -> int:
    deleted: int = await conn.fetchval("SELECT delete_old_activity($1)", limit)
    return deleted
