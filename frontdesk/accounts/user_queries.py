"""Statements for users. E-mail addresses are passed in canonical form and compared byte by byte."""

from datetime import timedelta
from uuid import UUID

from asyncpg import Record, UniqueViolationError

from frontdesk.auth.types import Account, Membership, Person, ResetLink, Role, User
from frontdesk.net.email_domains import canonical_email
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.records import from_row
from frontdesk.values.pagination import PageRequest


async def insert_user(
    conn: Connection, user_id: UUID, email: str, name: str, password_hash: str, *, proven: bool
) -> bool:
    """False if the address is in use: a verified address by a verified account, an unverified one by any account."""
    return await conn.execute_one(
        """
        INSERT INTO users (id, email, name, password_hash, email_verified_at)
        SELECT $1, $2, $3, $4, CASE WHEN $5 THEN pg_catalog.now() END
        WHERE $5 OR NOT EXISTS (SELECT FROM users WHERE email = $2) ON CONFLICT DO NOTHING
        """,
        user_id,
        email,
        name,
        password_hash,
        proven,
    )


async def insert_membership(conn: Connection, tenant_id: UUID, user_id: UUID, role: Role) -> None:
    await conn.execute(
        """
        INSERT INTO memberships (tenant_id, user_id, role) VALUES ($1, $2, $3)
        ON CONFLICT (tenant_id, user_id) DO UPDATE SET role = excluded.role
        """,
        tenant_id,
        user_id,
        role,
    )


async def find_account(conn: Connection, email: str) -> Account | None:
    """The account with the verified address, else the one with the unverified address."""
    row = await conn.fetchrow(
        """
        SELECT id, password_hash, email_verified_at IS NOT NULL, disabled_at IS NOT NULL, security_version,
               EXISTS (SELECT FROM second_factors f WHERE f.user_id = users.id)
        FROM users WHERE email = $1 ORDER BY email_verified_at NULLS LAST LIMIT 1
        """,
        canonical_email(email),
    )
    return None if row is None else Account(*row)


async def find_security_version(conn: Connection, user_id: UUID) -> int:
    """0 if there is no such user."""
    found: int | None = await conn.fetchval("SELECT security_version FROM users WHERE id = $1", user_id)
    return found or 0


async def find_person(conn: Connection, user_id: UUID) -> Person | None:
    row = await conn.fetchrow("SELECT id, email, name, language FROM users WHERE id = $1", user_id)
    return None if row is None else Person(*row)


async def update_reset(conn: Connection, user_id: UUID, token_hash: bytes, lifetime: timedelta) -> bool:
    return await conn.execute_one(
        "UPDATE users SET reset_hash = $2, reset_until = pg_catalog.now() + $3 WHERE id = $1",
        user_id,
        token_hash,
        lifetime,
    )


async def find_reset(conn: Connection, token_hash: bytes) -> ResetLink | None:
    row = await conn.fetchrow(
        """
        SELECT id, email, name FROM users
        WHERE reset_hash = $1 AND reset_until > pg_catalog.now() AND disabled_at IS NULL
        """,
        token_hash,
    )
    return None if row is None else ResetLink(*row)


async def use_reset(conn: Connection, user_id: UUID, token_hash: bytes) -> bool:
    """False if the link was used meanwhile."""
    return await conn.execute_one(
        """
        UPDATE users SET reset_hash = NULL, reset_until = NULL
        WHERE id = $1 AND reset_hash = $2 AND reset_until > pg_catalog.now()
        """,
        user_id,
        token_hash,
    )


async def verify_email(conn: Connection, user_id: UUID) -> bool:
    """False if another account has verified the address."""
    try:
        async with conn.transaction():
            await conn.execute(
                """
                UPDATE users SET email_verified_at = pg_catalog.now(), email_proof_hash = NULL, email_proof_until = NULL
                WHERE id = $1 AND email_verified_at IS NULL
                """,
                user_id,
            )
    except UniqueViolationError:
        return False
    return True


async def update_email_verification(
    conn: Connection, user_id: UUID, new_email: str | None, proof_hash: bytes, lifetime: timedelta
) -> None:
    """`new_email`: replaces the address when the link is opened."""
    await conn.execute(
        "UPDATE users SET new_email = $2, email_proof_hash = $3, email_proof_until = pg_catalog.now() + $4"
        " WHERE id = $1",
        user_id,
        new_email,
        proof_hash,
        lifetime,
    )


async def find_new_email(conn: Connection, user_id: UUID) -> str | None:
    """The address that waits for its link to be opened."""
    email: str | None = await conn.fetchval("SELECT new_email FROM users WHERE id = $1", user_id)
    return email


async def verify_email_by_link(conn: Connection, user_id: UUID, proof_hash: bytes) -> bool | None:
    """False if it is not a link of this account; None if another account has verified the address."""
    try:
        async with conn.transaction():
            done = await conn.execute(
                """
                UPDATE users SET email = coalesce(new_email, email), new_email = NULL,
                                 email_verified_at = pg_catalog.now(),
                                 email_proof_hash = NULL, email_proof_until = NULL,
                                 reset_hash = NULL, reset_until = NULL, updated_at = pg_catalog.now()
                WHERE id = $1 AND email_proof_hash = $2 AND email_proof_until > pg_catalog.now()
                """,
                user_id,
                proof_hash,
            )
    except UniqueViolationError:
        return None
    return done == "UPDATE 1"


async def update_password(conn: Connection, user_id: UUID, password_hash: str) -> None:
    """Also withdraws a new address that waits for its link: a person who knew the old password may have entered it."""
    await conn.execute(
        """
        UPDATE users SET password_hash = $2, security_version = security_version + 1, reset_hash = NULL,
                         reset_until = NULL, updated_at = pg_catalog.now(), new_email = NULL,
                         email_proof_hash = CASE WHEN new_email IS NULL THEN email_proof_hash END
        WHERE id = $1
        """,
        user_id,
        password_hash,
    )


async def update_operator(conn: Connection, user_id: UUID, *, is_operator: bool) -> None:
    await conn.execute(
        "UPDATE users SET is_operator = $2, updated_at = pg_catalog.now() WHERE id = $1",
        user_id,
        is_operator,
    )


async def update_disabled(conn: Connection, user_id: UUID, *, disabled: bool) -> bool:
    """Disabling a disabled user does not change the time."""
    disabled_at = "least(disabled_at, pg_catalog.now())" if disabled else "NULL"
    return await conn.execute_one(
        f"UPDATE users SET disabled_at = {disabled_at}, updated_at = pg_catalog.now() WHERE id = $1", user_id
    )


async def lock_operators(conn: Connection) -> list[UUID]:
    """Operators who can sign in, locked by id, so that concurrent removals see each other."""
    rows = await conn.fetch(
        "SELECT id FROM users WHERE is_operator AND disabled_at IS NULL ORDER BY id FOR NO KEY UPDATE"
    )
    return [row["id"] for row in rows]


_USER = """
    SELECT u.id, u.email, u.name, u.is_operator, u.disabled_at, u.created_at, u.email_verified_at,
           coalesce(max(f.number), 0) AS second_factors,
           array_remove(array_agg(m.tenant_id ORDER BY m.created_at, m.tenant_id), NULL) AS tenant_ids,
           array_remove(array_agg(m.role ORDER BY m.created_at, m.tenant_id), NULL) AS roles
    FROM users u LEFT JOIN memberships m ON m.user_id = u.id
    LEFT JOIN (SELECT user_id, count(*) AS number FROM second_factors GROUP BY user_id) f ON f.user_id = u.id"""


async def list_users(conn: Connection) -> list[User]:
    """All users, with their tenants."""
    rows = await conn.fetch(f"{_USER} GROUP BY u.id ORDER BY u.created_at, u.id")
    return [_user(row) for row in rows]


async def find_user(conn: Connection, user_id: UUID) -> User | None:
    row = await conn.fetchrow(f"{_USER} WHERE u.id = $1 GROUP BY u.id", user_id)
    return None if row is None else _user(row)


async def search_users(conn: Connection, text: str, page_request: PageRequest) -> tuple[list[User], int]:
    """Users whose e-mail address or name contains the text, newest first, and their number."""
    total = await conn.fetchval(
        "SELECT count(*) FROM users WHERE position(lower($1::text) IN email || ' ' || lower(name)) > 0", text
    )
    rows = await conn.fetch(
        f"""
        {_USER} WHERE u.id IN (
            SELECT f.id FROM users f WHERE position(lower($1::text) IN f.email || ' ' || lower(f.name)) > 0
            ORDER BY f.created_at DESC, f.id DESC OFFSET $2 LIMIT $3)
        GROUP BY u.id ORDER BY u.created_at DESC, u.id DESC
        """,
        text,
        page_request.offset,
        page_request.per_page,
    )
    return [_user(row) for row in rows], total


def _user(row: Record) -> User:
    return from_row(
        User,
        row,
        memberships=[Membership(*pair) for pair in zip(row["tenant_ids"], map(Role, row["roles"]), strict=True)],
    )
