"""Reads saved views of the list of orders."""

from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Query, always


class StoredView(NamedTuple):
    id: UUID
    user_id: UUID | None  # None: for everybody
    name: str
    query: str
    version: int


class ViewToChange(NamedTuple):
    view: StoredView | None
    number: int  # views of that person, or of everybody


def view_to_change(view_id: UUID | None, user_id: UUID | None) -> Query[ViewToChange]:
    return Query(
        """
        SELECT v.id, v.user_id, v.name, v.query, v.version, (
            SELECT count(*) FROM order_views m
            WHERE m.tenant_id = $1 AND m.user_id IS NOT DISTINCT FROM $3::uuid) AS number
        FROM (SELECT $2::uuid AS wanted) w LEFT JOIN order_views v ON v.tenant_id = $1 AND v.id = w.wanted
        """,
        (view_id, user_id),
        always(_view_to_change),
    )


def _view_to_change(row: Record) -> ViewToChange:
    view = StoredView(row["id"], row["user_id"], row["name"], row["query"], row["version"]) if row["id"] else None
    return ViewToChange(view, row["number"])
