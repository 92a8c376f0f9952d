"""Statements for the PINs of owners and managers."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection


class Approver(NamedTuple):
    id: UUID
    name: str
    role: Role


class PinState(NamedTuple):
    """`hash` is None if none is set."""

    hash: str | None
    failures: int
    seconds_left: int  # of the pause since the last try


async def list_approvers(conn: Connection, tenant_id: UUID, max_failures: int) -> list[Approver]:
    """Owners and managers with a PIN that works."""
    rows = await conn.fetch(
        """
        SELECT u.id, u.name, m.role FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1 AND m.role IN ('owner', 'manager') AND u.pin_hash IS NOT NULL AND u.disabled_at IS NULL
          AND u.pin_failures < $2
        ORDER BY m.role DESC, m.created_at, u.id
        """,
        tenant_id,
        max_failures,
    )
    return [Approver(row["id"], row["name"], Role(row["role"])) for row in rows]


async def find_approver(conn: Connection, tenant_id: UUID, user_id: UUID) -> str | None:
    """The name of an owner or manager who may sign in."""
    name: str | None = await conn.fetchval(
        """
        SELECT u.name FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.role IN ('owner', 'manager') AND u.disabled_at IS NULL
        """,
        tenant_id,
        user_id,
    )
    return name


async def find_pin(conn: Connection, user_id: UUID, pause: timedelta) -> PinState:
    row = await conn.fetchrow(
        """
        SELECT pin_hash, pin_failures,
               coalesce(extract(epoch FROM pin_tried_at + $2::interval - pg_catalog.now()), 0)::integer
        FROM users WHERE id = $1
        """,
        user_id,
        pause,
    )
    return PinState(None, 0, 0) if row is None else PinState(*row)


async def has_pin(conn: Connection, user_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM users WHERE id = $1 AND pin_hash IS NOT NULL)", user_id
    )
    return found


async def count_pin_try(conn: Connection, user_id: UUID, free: int, most: int, pause: timedelta) -> PinState | None:
    """Counts a try as wrong before it is compared, so that tries at the same time cannot exceed the limits.

    None if none is allowed now.
    """
    row = await conn.fetchrow(
        """
        UPDATE users SET pin_failures = pin_failures + 1, pin_tried_at = pg_catalog.now()
        WHERE id = $1 AND pin_hash IS NOT NULL AND pin_failures < $3::integer
          AND (pin_failures < $2::integer OR pin_tried_at < pg_catalog.now() - $4::interval)
        RETURNING pin_hash, pin_failures, ceil(extract(epoch FROM $4::interval))::integer
        """,
        user_id,
        free,
        most,
        pause,
    )
    return None if row is None else PinState(*row)


async def take_pin_failures_back(conn: Connection, user_id: UUID, number: int) -> None:
    await conn.execute("UPDATE users SET pin_failures = greatest(pin_failures - $2, 0) WHERE id = $1", user_id, number)


async def update_pin(conn: Connection, user_id: UUID, pin_hash: str | None) -> None:
    await conn.execute(
        "UPDATE users SET pin_hash = $2, pin_failures = 0, pin_tried_at = NULL, updated_at = pg_catalog.now()"
        " WHERE id = $1",
        user_id,
        pin_hash,
    )
