"""Statements for members and invitations."""

from datetime import timedelta
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.auth.types import Invitation, Member, PendingInvitation, Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor

_encode = msgspec.json.Encoder().encode

_INVITATION = """
    SELECT i.id, i.email, i.role, i.created_at, i.expires_at, m.role AS sender_role
    FROM invitations i LEFT JOIN memberships m ON m.tenant_id = i.tenant_id AND m.user_id = i.invited_by
    WHERE i.tenant_id = $1 AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL"""


async def list_members(conn: Connection, tenant_id: UUID) -> list[Member]:
    rows = await conn.fetch(
        """
        SELECT u.id, u.name, u.email, m.role, last_seen_at(u.id) AS last_seen_at, m.staff_id,
               s.name AS staff_name
        FROM memberships m JOIN users u ON u.id = m.user_id
        LEFT JOIN staff s ON s.tenant_id = m.tenant_id AND s.id = m.staff_id
        WHERE m.tenant_id = $1 ORDER BY m.created_at, u.id
        """,
        tenant_id,
    )
    return [Member(row["id"], row["name"], row["email"], Role(row["role"]), *row[4:]) for row in rows]


async def find_member(conn: Connection, tenant_id: UUID, user_id: UUID) -> Member | None:
    row = await conn.fetchrow(
        """
        SELECT u.id, u.name, u.email, m.role, NULL
        FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = $1 AND m.user_id = $2
        """,
        tenant_id,
        user_id,
    )
    return None if row is None else Member(row["id"], row["name"], row["email"], Role(row["role"]), *row[4:])


async def lock_owners(conn: Connection, tenant_id: UUID) -> set[UUID]:
    """Locked until the transaction ends, so that two owners who remove each other cannot both succeed."""
    rows = await conn.fetch(
        """
        SELECT user_id FROM memberships WHERE tenant_id = $1 AND role = 'owner' ORDER BY user_id FOR UPDATE
        """,
        tenant_id,
    )
    return {row["user_id"] for row in rows}


async def lock_role(conn: Connection, tenant_id: UUID, user_id: UUID) -> Role | None:
    """The role of a member, locked until the transaction ends."""
    role = await conn.fetchval(
        "SELECT role FROM memberships WHERE tenant_id = $1 AND user_id = $2 FOR SHARE", tenant_id, user_id
    )
    return None if role is None else Role(role)


async def update_role(conn: Connection, tenant_id: UUID, user_id: UUID, role: Role) -> None:
    await conn.execute(
        "UPDATE memberships SET role = $3 WHERE tenant_id = $1 AND user_id = $2", tenant_id, user_id, role
    )


async def delete_member(conn: Connection, tenant_id: UUID, member: Member, actor: Actor) -> None:
    argument = {"user_id": member.id, "name": member.name, "role": member.role, "actor": actor._asdict()}
    await conn.execute("SELECT delete_member($1, $2::jsonb)", tenant_id, _encode(argument).decode())


async def insert_invitation(
    conn: Connection,
    tenant_id: UUID,
    invitation_id: UUID,
    *,
    token_hash: bytes,
    email: str,
    role: Role,
    invited_by: UUID,
    lifetime: timedelta,
) -> bool:
    """False if the form was already submitted."""
    return await conn.execute_one(
        """
        INSERT INTO invitations (tenant_id, id, token_hash, email, role, invited_by, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, now() + $7) ON CONFLICT (tenant_id, id) DO NOTHING
        """,
        tenant_id,
        invitation_id,
        token_hash,
        email,
        role,
        invited_by,
        lifetime,
    )


async def list_invitations(conn: Connection, tenant_id: UUID) -> list[Invitation]:
    """Those that can still be accepted."""
    rows = await conn.fetch(f"{_INVITATION} AND i.expires_at > now() ORDER BY i.created_at DESC, i.id", tenant_id)
    return [_invitation(row) for row in rows]


async def lock_invitations_to(conn: Connection, tenant_id: UUID, email: str) -> list[Invitation]:
    """Those that can still be accepted."""
    rows = await conn.fetch(
        f"{_INVITATION} AND i.email = $2 AND i.expires_at > now() ORDER BY i.id FOR NO KEY UPDATE OF i",
        tenant_id,
        email,
    )
    return [_invitation(row) for row in rows]


async def is_member(conn: Connection, tenant_id: UUID, email: str) -> bool:
    found: bool = await conn.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.tenant_id = $1 AND u.email = $2)
        """,
        tenant_id,
        email,
    )
    return found


async def lock_invitation(conn: Connection, tenant_id: UUID, invitation_id: UUID) -> Invitation | None:
    row = await conn.fetchrow(f"{_INVITATION} AND i.id = $2 FOR NO KEY UPDATE OF i", tenant_id, invitation_id)
    return None if row is None else _invitation(row)


def _invitation(row: Record) -> Invitation:
    sender = row["sender_role"]
    return Invitation(
        row["id"],
        row["email"],
        Role(row["role"]),
        row["created_at"],
        row["expires_at"],
        None if sender is None else Role(sender),
    )


async def withdraw_invitations_of(conn: Connection, tenant_id: UUID, sender_id: UUID, roles: list[Role]) -> None:
    """The invitations that a user sent for these roles."""
    await conn.execute(
        """
        UPDATE invitations SET withdrawn_at = now()
        WHERE tenant_id = $1 AND invited_by = $2 AND role = ANY($3) AND accepted_at IS NULL AND withdrawn_at IS NULL
        """,
        tenant_id,
        sender_id,
        roles,
    )


async def withdraw_invitation(conn: Connection, tenant_id: UUID, invitation_id: UUID) -> None:
    await conn.execute(
        """
        UPDATE invitations SET withdrawn_at = now()
        WHERE tenant_id = $1 AND id = $2 AND accepted_at IS NULL AND withdrawn_at IS NULL
        """,
        tenant_id,
        invitation_id,
    )


async def find_invitation(conn: Connection, tenant_id: UUID, token_hash: bytes) -> PendingInvitation | None:
    row = await conn.fetchrow(
        """
        SELECT i.id, i.tenant_id, n.name, i.email, i.role, NOT n.is_sandbox AS proves_email
        FROM invitations i JOIN tenants n ON n.id = i.tenant_id
        LEFT JOIN users s ON s.id = i.invited_by
        WHERE i.tenant_id = $1 AND i.token_hash = $2
          AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > now() AND s.disabled_at IS NULL
        """,
        tenant_id,
        token_hash,
    )
    if row is None:
        return None
    return PendingInvitation(
        row["id"], row["tenant_id"], row["name"], row["email"], Role(row["role"]), row["proves_email"]
    )


async def accept_invitation(conn: Connection, tenant_id: UUID, invitation_id: UUID) -> bool:
    """False if it was already accepted."""
    return await conn.execute_one(
        """
        UPDATE invitations SET accepted_at = now()
        WHERE tenant_id = $1 AND id = $2
          AND accepted_at IS NULL AND withdrawn_at IS NULL AND expires_at > now()
        """,
        tenant_id,
        invitation_id,
    )
