"""Statements for the acts of operators. They are read from the newest to the oldest."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7


class OperatorAct(msgspec.Struct, frozen=True):
    id: UUID
    created_at: datetime
    operator_id: UUID | None  # None: on the command line
    operator_name: str
    address: str | None
    action: str
    business_id: UUID | None
    user_id: UUID | None
    subject: str | None
    detail: str | None


class OperatorActFilter(NamedTuple):
    """None means no filter."""

    from_console: bool | None = None
    operator: str | None = None  # the name
    business_id: UUID | None = None
    nouns: tuple[str, ...] | None = None
    start: datetime | None = None
    end: datetime | None = None


async def find_name(
    conn: Connection, business_id: UUID | None, user_id: UUID | None, application_id: UUID | None
) -> str | None:
    name: str | None = None
    if user_id is not None:
        name = await conn.fetchval("SELECT email FROM users WHERE id = $1", user_id)
    elif application_id is not None:
        name = await conn.fetchval("SELECT name FROM applications WHERE id = $1", application_id)
    elif business_id is not None:
        name = await conn.fetchval("SELECT name FROM tenants WHERE id = $1", business_id)
    return name


async def insert_operator_act(
    conn: Connection,
    operator_id: UUID | None,
    operator_name: str,
    address: str | None,
    action: str,
    business_id: UUID | None,
    user_id: UUID | None,
    subject: str | None,
    detail: str | None,
) -> None:
    await conn.execute(
        """
        INSERT INTO operator_acts (id, operator_id, operator_name, address, action, business_id, user_id, subject,
            detail)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        uuid7(),
        operator_id,
        operator_name,
        address,
        action,
        business_id,
        user_id,
        subject,
        detail,
    )


async def can_record_acts(conn: Connection) -> bool:
    """Not before the migration that made the table, and not on a replica."""
    can: bool = await conn.fetchval(
        "SELECT to_regclass('operator_acts') IS NOT NULL AND NOT pg_is_in_recovery() "
        "AND NOT current_setting('transaction_read_only')::boolean"
    )
    return can


async def list_operator_acts(
    conn: Connection, filter_: OperatorActFilter, before: UUID | None, limit: int
) -> list[OperatorAct]:
    rows = await conn.fetch(
        """
        SELECT id, created_at, operator_id, operator_name, address, action, business_id, user_id, subject, detail
        FROM operator_acts
        WHERE ($1::boolean IS NULL OR (operator_id IS NOT NULL) = $1) AND ($2::text IS NULL OR operator_name = $2)
          AND ($3::uuid IS NULL OR business_id = $3)
          AND ($4::text[] IS NULL OR split_part(action, '.', 1) = ANY ($4))
          AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)
          AND ($7::uuid IS NULL OR id < $7)
        ORDER BY id DESC LIMIT $8
        """,
        *filter_,
        before,
        limit,
    )
    return [OperatorAct(*row) for row in rows]


async def list_operator_names(conn: Connection) -> list[str]:
    """Of all who did something."""
    rows = await conn.fetch("SELECT DISTINCT operator_name FROM operator_acts ORDER BY operator_name")
    return [row["operator_name"] for row in rows]


async def delete_old_operator_acts(conn: Connection, limit: int) -> int:
    deleted: int = await conn.fetchval("SELECT delete_old_operator_acts($1)", limit)
    return deleted
