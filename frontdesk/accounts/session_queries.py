"""Statements for sessions."""

from datetime import timedelta
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.auth.types import CurrentTenant, Role, SessionInfo, SessionUser, UserSession, ValidSession
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection
from frontdesk.values.tenant_context import TenantContext


async def find_session(
    conn: Connection, token_hash: bytes, address: str, *, idle: timedelta, recent: timedelta
) -> UserSession | None:
    """The user, the current tenant and the current role in it. Updates the time of last use once a minute."""
    row = await conn.fetchrow("SELECT * FROM find_user_session($1, $2, $3, $4)", token_hash, address, idle, recent)
    if row is None:
        return None
    person = SessionUser(
        row["user_id"],
        row["email"],
        row["user_name"],
        row["language"],
        row["is_operator"],
        row["has_proven_email"],
        row["has_second_factor"],
    )
    return UserSession(row["session_id"], person, _current_tenant(row), row["tenant_count"], row["is_recent"])


_branches = msgspec.json.Decoder(list[tuple[UUID, str]])


def _current_tenant(row: Record) -> CurrentTenant | None:
    if row["tenant_id"] is None:
        return None
    return CurrentTenant(
        tenant=TenantContext(
            row["tenant_id"],
            row["timezone"],
            row["currency"],
            row["currency_decimals"],
            tuple(row["languages"]),
            row["grid_minutes"],
        ),
        name=row["business_name"],
        role=Role(row["role"]),
        staff_id=row["staff_id"],
        plan=row["plan"],
        is_sandbox=row["is_sandbox"],
        is_suspended=row["is_suspended"],
        requires_second_factor=row["requires_second_factor"],
        is_set_up=row["is_set_up"],
        last_event=row["last_event"],
        branches=_branches.decode(row["branches"] or "[]"),
        unseen=row["unseen"],
        clock_ahead=row["clock_ahead"],
    )


async def list_valid_sessions(conn: Connection, session_ids: list[UUID]) -> list[ValidSession]:
    """Those of the given sessions that may read the current tenant. It does not count as a use of the sessions."""
    rows = await conn.fetch(
        """
        WITH found AS (
            SELECT id, user_id, tenant_id FROM sessions
            WHERE id = ANY ($1) AND ended_at IS NULL AND expires_at > pg_catalog.now()
        )
        SELECT f.id, m.tenant_id, m.role, m.staff_id
        FROM found f JOIN users u ON u.id = f.user_id AND u.disabled_at IS NULL
        JOIN memberships m ON m.tenant_id = f.tenant_id AND m.user_id = u.id
        JOIN tenants n ON n.id = m.tenant_id AND n.suspended_at IS NULL
        """,
        session_ids,
    )
    return [ValidSession(row["id"], row["tenant_id"], Role(row["role"]), row["staff_id"]) for row in rows]


async def insert_session(
    conn: Connection,
    session_id: UUID,
    user_id: UUID,
    *,
    token_hash: bytes,
    remember_me: bool,
    lifetime: timedelta,
    address: str,
    user_agent: str,
    tenant_id: UUID | None,
    is_recent: bool,
) -> None:
    """A user who is a member of one tenant only has it as current tenant at once."""
    await conn.execute(
        """
        INSERT INTO sessions (id, user_id, token_hash, remember_me, expires_at, address, user_agent, tenant_id,
            authenticated_at)
        SELECT $1, $2, $3, $4, pg_catalog.now() + $5, $6, $7,
               coalesce($8::uuid, CASE WHEN count(*) = 1 THEN (array_agg(tenant_id))[1] END),
               CASE WHEN $9 THEN pg_catalog.now() ELSE '-infinity' END
        FROM memberships WHERE user_id = $2
        """,
        session_id,
        user_id,
        token_hash,
        remember_me,
        lifetime,
        address,
        user_agent,
        tenant_id,
        is_recent,
    )


async def is_in_use(conn: Connection, user_id: UUID, session_id: UUID) -> bool:
    """Whether the account may have been used before this session. Ended sessions are deleted after a month."""
    found: bool = await conn.fetchval(
        """
        SELECT created_at < pg_catalog.now() - interval '1 day'
            OR EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.id <> $2)
        FROM users u WHERE u.id = $1
        """,
        user_id,
        session_id,
    )
    return found


async def update_authenticated(conn: Connection, session_id: UUID) -> None:
    await conn.execute(
        "UPDATE sessions SET authenticated_at = pg_catalog.now(), challenge = NULL WHERE id = $1",
        session_id,
    )


async def update_challenge(conn: Connection, session_id: UUID, challenge: bytes) -> None:
    await conn.execute("UPDATE sessions SET challenge = $2 WHERE id = $1", session_id, challenge)


async def take_challenge(conn: Connection, session_id: UUID) -> bytes | None:
    """A challenge is used once."""
    challenge: bytes | None = await conn.fetchval(
        """
        WITH found AS (SELECT id, challenge FROM sessions WHERE id = $1 FOR UPDATE)
        UPDATE sessions s SET challenge = NULL FROM found f WHERE s.id = f.id RETURNING f.challenge
        """,
        session_id,
    )
    return challenge


async def find_session_info(conn: Connection, session_id: UUID) -> tuple[UUID, SessionInfo] | None:
    """A session that has not ended, and its user."""
    row = await conn.fetchrow(
        """
        SELECT user_id, id, address, user_agent, created_at, last_seen_at, expires_at FROM sessions
        WHERE id = $1 AND ended_at IS NULL AND expires_at > pg_catalog.now()
        """,
        session_id,
    )
    return None if row is None else (row["user_id"], SessionInfo(*row[1:]))


async def find_password(conn: Connection, user_id: UUID) -> str | None:
    password_hash: str | None = await conn.fetchval("SELECT password_hash FROM users WHERE id = $1", user_id)
    return password_hash


async def list_sessions(conn: Connection, user_id: UUID) -> list[SessionInfo]:
    """Active sessions, the most recently used one first."""
    rows = await conn.fetch(
        """
        SELECT id, address, user_agent, created_at, last_seen_at, expires_at FROM sessions
        WHERE user_id = $1 AND ended_at IS NULL AND expires_at > pg_catalog.now()
        ORDER BY last_seen_at DESC, id LIMIT 100
        """,
        user_id,
    )
    return [SessionInfo(*row) for row in rows]


async def delete_session(conn: Connection, user_id: UUID, session_id: UUID) -> bool:
    return await conn.execute_one(
        "UPDATE sessions SET ended_at = pg_catalog.now() WHERE user_id = $1 AND id = $2 AND ended_at IS NULL",
        user_id,
        session_id,
    )


async def delete_sessions(conn: Connection, user_id: UUID, *, but: UUID | None) -> None:
    """All sessions of a user except the given one."""
    await conn.execute(
        "UPDATE sessions SET ended_at = pg_catalog.now()"
        " WHERE user_id = $1 AND id IS DISTINCT FROM $2 AND ended_at IS NULL",
        user_id,
        but,
    )


async def update_tenant(conn: Connection, user_id: UUID, session_id: UUID, tenant_id: UUID) -> bool:
    """False if the user is not a member of the tenant."""
    return await conn.execute_one(
        """
        UPDATE sessions SET tenant_id = $3 WHERE user_id = $1 AND id = $2
        AND EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $3 AND m.user_id = $1)
        """,
        user_id,
        session_id,
        tenant_id,
    )


async def list_tenants(conn: Connection, user_id: UUID) -> list[tuple[UUID, str, Role]]:
    rows = await conn.fetch(
        """
        SELECT m.tenant_id, n.name, m.role FROM memberships m JOIN tenants n ON n.id = m.tenant_id
        WHERE m.user_id = $1 ORDER BY n.name, n.id
        """,
        user_id,
    )
    return [(row["tenant_id"], row["name"], Role(row["role"])) for row in rows]


async def update_language(conn: Connection, user_id: UUID, language: str) -> None:
    await conn.execute("UPDATE users SET language = $2, updated_at = pg_catalog.now() WHERE id = $1", user_id, language)


async def delete_expired_sessions(conn: Connection, limit: int) -> int:
    """Of all users: sessions that ended more than a month ago."""
    return await delete_batch(conn, "sessions", "least(ended_at, expires_at) < now() - interval '30 days'", limit)
