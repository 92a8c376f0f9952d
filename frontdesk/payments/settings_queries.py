"""Statements for the payment methods of a business, as its settings page shows them."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Lock, Query, found
from frontdesk.postgres.records import from_row


class MethodRow(msgspec.Struct, frozen=True):
    id: UUID
    type: str
    name: dict[str, str]  # by language
    active: bool
    version: int
    application: str | None  # that provides it
    connected: bool  # the application is still installed
    has_transactions: bool  # or tips


class MethodToRename(NamedTuple):
    method: MethodRow
    other_names: list[dict[str, str]]  # of the other methods


_METHOD = """
    SELECT m.id, m.type, m.name, m.active, m.version, a.name AS application,
           i.disconnected_at IS NULL AS connected,
           EXISTS (SELECT FROM transactions t WHERE t.tenant_id = $1 AND t.payment_method_id = m.id)
           OR EXISTS (SELECT FROM tips t WHERE t.tenant_id = $1 AND t.payment_method_id = m.id) AS has_transactions
    FROM payment_methods m
    LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
    LEFT JOIN applications a ON a.id = i.application_id
    WHERE m.tenant_id = $1
"""


async def list_methods(conn: Connection, tenant_id: UUID) -> list[MethodRow]:
    rows = await conn.fetch(f"{_METHOD} ORDER BY m.sort_order, m.created_at, m.id", tenant_id)
    return [_read(row) for row in rows]


def get_method(method_id: UUID) -> Query[MethodRow]:

    return Query(f"{_METHOD} AND m.id = $2", (method_id,), found("payment method", _read))


def method_to_rename(method_id: UUID) -> Query[MethodToRename]:
    sql = f"""
        SELECT method.*, (SELECT coalesce(jsonb_agg(name), '[]')::text FROM payment_methods
            WHERE tenant_id = $1 AND id <> $2) AS other_names
        FROM ({_METHOD} AND m.id = $2) method
    """
    return Query(sql, (method_id,), found("payment method", _to_rename))


def _to_rename(row: Record) -> MethodToRename:
    return MethodToRename(_read(row), msgspec.json.decode(row["other_names"], type=list[dict[str, str]]))


def method_order() -> Query[list[UUID]]:
    sql = "SELECT ARRAY(SELECT id FROM payment_methods WHERE tenant_id = $1 ORDER BY sort_order, created_at, id) AS ids"
    return Query(sql, (), lambda row: [] if row is None else row["ids"])


def _read(row: Record) -> MethodRow:
    return from_row(MethodRow, row, name=msgspec.json.decode(row["name"], type=dict[str, str]))


def method_names() -> Query[Mapping[UUID, Mapping[str, str]]]:
    """Of all methods, by language."""
    return Query(
        "SELECT coalesce(jsonb_object_agg(id, name), '{}')::text AS names FROM payment_methods WHERE tenant_id = $1",
        (),
        _names,
    )


def _names(row: Record | None) -> Mapping[UUID, Mapping[str, str]]:
    return {} if row is None else msgspec.json.decode(row["names"], type=dict[UUID, dict[str, str]])


def lock_methods() -> Lock:
    return Lock("SELECT FROM payment_methods WHERE tenant_id = $1 FOR UPDATE", ())
