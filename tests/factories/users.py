"""People who sign in to the dashboard."""

from typing import Any
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import assignments
from tests.factories.tenant_rows import TenantRows


async def owner_of(rows: TenantRows) -> UUID:
    found = await rows.sql(
        "SELECT user_id FROM memberships WHERE tenant_id = $1 AND role = 'owner' ORDER BY created_at"
    )
    user_id: UUID = found[0]["user_id"]
    return user_id


async def make_user(rows: TenantRows, role: Role | None, *, operator: bool = False, name: str = "Nora Tester") -> UUID:
    """A member of the tenant, or of none without a role. They have no password. An operator has a second factor."""
    user_id = uuid7()
    await rows.sql(
        """
        WITH made AS (
            INSERT INTO users (id, email, name, is_operator, email_verified_at) VALUES ($2, $3, $4, $5, now())
            RETURNING id
        )
        INSERT INTO memberships (tenant_id, user_id, role) SELECT $1, id, $6 FROM made WHERE $6::text IS NOT NULL
        """,
        user_id,
        f"{user_id.hex}@people.example",
        name,
        operator,
        role,
    )
    if operator:
        await give_second_factor(rows, user_id)
    return user_id


async def add_member(rows: TenantRows, user_id: UUID, role: Role) -> None:
    """A user who exists already, of one business more."""
    await rows.sql("INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, $3)", user_id, role)


async def make_developer(rows: TenantRows, user_id: UUID) -> None:
    """Whose sandbox this is."""
    await rows.sql("INSERT INTO developers (user_id, name, sandbox_id) VALUES ($2, 'Qabas Software', $1)", user_id)


async def give_second_factor(rows: TenantRows, user_id: UUID) -> None:
    """A passkey, so that the pages of an operator open. Nobody can sign in with it."""
    await rows.sql(
        """
        INSERT INTO second_factors (id, user_id, kind, name, credential_id, rp_id, public_key, sign_count)
        SELECT $2, $2, 'passkey', 'Phone', uuid_send($2), 'desk.example', '', 0 WHERE $1::uuid IS NOT NULL
        ON CONFLICT DO NOTHING
        """,
        user_id,
    )


async def make_invitation(rows: TenantRows) -> UUID:
    invitation_id = uuid7()
    await rows.sql(
        "INSERT INTO invitations (tenant_id, id, token_hash, email, role, expires_at) "
        "VALUES ($1, $2, $3, 'guest@people.example', 'receptionist', now() + interval '1 day')",
        invitation_id,
        invitation_id.bytes,
    )
    return invitation_id


async def make_session(rows: TenantRows, user_id: UUID) -> UUID:
    """Of another browser: nobody has its cookie."""
    session_id = uuid7()
    await rows.sql(
        "INSERT INTO sessions (id, token_hash, user_id, remember_me, address, user_agent, expires_at) "
        "SELECT $2, $3, $4, false, '', '', now() + interval '1 day' WHERE $1::uuid IS NOT NULL",
        session_id,
        session_id.bytes,
        user_id,
    )
    return session_id


async def change_user(rows: TenantRows, user_id: UUID, **columns: Any) -> None:
    """What no act of the product sets to such a value."""
    statement = f"UPDATE users SET {assignments(columns, 3)} WHERE id = $2 AND $1::uuid IS NOT NULL"
    await rows.sql(statement, user_id, *columns.values())


async def change_sessions(rows: TenantRows, user_id: UUID, **columns: Any) -> None:
    statement = f"UPDATE sessions SET {assignments(columns, 3)} WHERE user_id = $2 AND $1::uuid IS NOT NULL"
    await rows.sql(statement, user_id, *columns.values())


async def link_to_staff(rows: TenantRows, user_id: UUID, staff_id: UUID) -> None:
    """The member is this staff member from now on."""
    await rows.sql("UPDATE memberships SET staff_id = $3 WHERE tenant_id = $1 AND user_id = $2", user_id, staff_id)
