"""Statements for second factors, recovery codes, and sign-ins that wait for one."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from asyncpg import UniqueViolationError

from frontdesk.accounts.passkeys import Credential, NewCredential
from frontdesk.auth.types import PendingSignIn, SecondFactor
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection

_CREDENTIAL = "SELECT id, user_id, credential_id, rp_id, public_key, sign_count FROM second_factors"


class App(NamedTuple):
    id: UUID
    secret: bytes
    last_step: int


async def list_factors(conn: Connection, user_id: UUID) -> list[SecondFactor]:
    rows = await conn.fetch(
        """
        SELECT id, kind, name, rp_id, created_at, last_used_at, version FROM second_factors
        WHERE user_id = $1 ORDER BY created_at, id
        """,
        user_id,
    )
    return [SecondFactor(*row) for row in rows]


async def lock_user(conn: Connection, user_id: UUID) -> bool:
    """Whether the user is an operator. Changes of one user's factors wait for each other."""
    is_operator: bool = await conn.fetchval("SELECT is_operator FROM users WHERE id = $1 FOR NO KEY UPDATE", user_id)
    return is_operator


async def insert_app(conn: Connection, factor_id: UUID, user_id: UUID, name: str, secret: bytes, step: int) -> None:
    await conn.execute(
        "INSERT INTO second_factors (id, user_id, kind, name, secret, last_step) VALUES ($1, $2, 'app', $3, $4, $5)",
        factor_id,
        user_id,
        name,
        secret,
        step,
    )


async def insert_passkey(conn: Connection, factor_id: UUID, user_id: UUID, name: str, new: NewCredential) -> bool:
    """False if this passkey is already stored."""
    try:
        async with conn.transaction():
            await conn.execute(
                """
                INSERT INTO second_factors
                    (id, user_id, kind, name, rp_id, credential_id, public_key, sign_count)
                VALUES ($1, $2, 'passkey', $3, $4, $5, $6, $7)
                """,
                factor_id,
                user_id,
                name,
                new.rp_id,
                new.credential_id,
                new.public_key,
                new.sign_count,
            )
    except UniqueViolationError:
        return False
    return True


async def rename_factor(conn: Connection, user_id: UUID, factor_id: UUID, name: str, version: int) -> bool:
    return await conn.execute_one(
        """
        UPDATE second_factors SET name = $3, version = version + 1
        WHERE user_id = $1 AND id = $2 AND version = $4
        """,
        user_id,
        factor_id,
        name,
        version,
    )


async def delete_factor(conn: Connection, user_id: UUID, factor_id: UUID) -> str | None:
    """Its name; None if there is none."""
    name: str | None = await conn.fetchval(
        "DELETE FROM second_factors WHERE user_id = $1 AND id = $2 RETURNING name", user_id, factor_id
    )
    return name


async def forget_factors(conn: Connection, user_id: UUID) -> bool:
    """All of them, with the recovery codes. False if there are none."""
    done = await conn.execute("DELETE FROM second_factors WHERE user_id = $1", user_id)
    await conn.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    return done != "DELETE 0"


async def raise_security_version(conn: Connection, user_id: UUID) -> None:
    """Ends the remembered devices, which skip the second factor."""
    await conn.execute("UPDATE users SET security_version = security_version + 1 WHERE id = $1", user_id)


# Codes of apps


async def list_apps(conn: Connection, user_id: UUID) -> list[App]:
    rows = await conn.fetch(
        "SELECT id, secret, last_step FROM second_factors WHERE user_id = $1 AND kind = 'app' ORDER BY id", user_id
    )
    return [App(*row) for row in rows]


async def use_step(conn: Connection, factor_id: UUID, step: int) -> bool:
    """False if a code of this step or a later one was accepted meanwhile."""
    return await conn.execute_one(
        "UPDATE second_factors SET last_step = $2, last_used_at = pg_catalog.now() WHERE id = $1 AND last_step < $2",
        factor_id,
        step,
    )


async def seconds_until_code(conn: Connection, user_id: UUID, free: int, longest: timedelta) -> int | None:
    """After some wrong codes in a row the wait doubles with each. None if a code may be tried."""
    wait: int | None = await conn.fetchval(
        """
        SELECT ceil(extract(epoch FROM code_failed_at - pg_catalog.now() + least(
            $3::interval, interval '1 second' * 2 ^ (code_failures - $2::integer + 2))))::integer
        FROM users WHERE id = $1 AND code_failures >= $2::integer
        """,
        user_id,
        free,
        longest,
    )
    return wait if wait is not None and wait > 0 else None


async def count_code_failure(conn: Connection, user_id: UUID) -> None:
    await conn.execute(
        "UPDATE users SET code_failures = least(code_failures + 1, 100), code_failed_at = pg_catalog.now()"
        " WHERE id = $1",
        user_id,
    )


async def clear_code_failures(conn: Connection, user_id: UUID) -> None:
    await conn.execute("UPDATE users SET code_failures = 0 WHERE id = $1 AND code_failures > 0", user_id)


# Passkeys


async def list_credential_ids(conn: Connection, user_id: UUID, rp_id: str) -> list[bytes]:
    rows = await conn.fetch(
        "SELECT credential_id FROM second_factors WHERE user_id = $1 AND rp_id = $2 ORDER BY created_at, id",
        user_id,
        rp_id,
    )
    return [row["credential_id"] for row in rows]


async def find_credential(conn: Connection, credential_id: bytes) -> Credential | None:
    """Of a user who may sign in."""
    row = await conn.fetchrow(
        f"""{_CREDENTIAL} WHERE credential_id = $1
            AND user_id IN (SELECT id FROM users WHERE disabled_at IS NULL)""",
        credential_id,
    )
    return None if row is None else Credential(*row)


async def use_credential(conn: Connection, factor_id: UUID, before: int, after: int) -> bool:
    """False if it was used meanwhile."""
    return await conn.execute_one(
        """
        UPDATE second_factors SET sign_count = $3, last_used_at = pg_catalog.now() WHERE id = $1 AND sign_count = $2
        """,
        factor_id,
        before,
        after,
    )


# Recovery codes


async def replace_recovery_codes(conn: Connection, user_id: UUID, hashes: list[bytes]) -> None:
    await conn.execute("DELETE FROM recovery_codes WHERE user_id = $1", user_id)
    await conn.execute(
        "INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])", user_id, hashes
    )


async def use_recovery_code(conn: Connection, user_id: UUID, code_hash: bytes) -> bool:
    return await conn.execute_one(
        "UPDATE recovery_codes SET used_at = pg_catalog.now()"
        " WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL",
        user_id,
        code_hash,
    )


async def find_recovery(conn: Connection, user_id: UUID) -> tuple[int, str | None]:
    """The number of recovery codes that are not used, and the address that waits for its link to be opened."""
    row = await conn.fetchrow(
        """
        SELECT (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL), u.new_email
        FROM users u WHERE u.id = $1
        """,
        user_id,
    )
    return (0, None) if row is None else (row[0], row[1])


# Sign-ins that wait


async def insert_pending(
    conn: Connection,
    pending_id: UUID,
    token_hash: bytes,
    user_id: UUID | None,
    *,
    challenge: bytes,
    tenant_id: UUID | None,
    remember_me: bool,
    next_path: str,
    lifetime: timedelta,
) -> None:
    await conn.execute(
        """
        INSERT INTO pending_sign_ins
            (id, token_hash, user_id, challenge, tenant_id, remember_me, next_path, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, pg_catalog.now() + $8)
        """,
        pending_id,
        token_hash,
        user_id,
        challenge,
        tenant_id,
        remember_me,
        next_path,
        lifetime,
    )


async def find_pending(conn: Connection, token_hash: bytes, max_failures: int) -> PendingSignIn | None:
    row = await conn.fetchrow(
        """
        SELECT p.id, p.user_id, u.email, p.challenge, p.tenant_id, p.remember_me, p.next_path
        FROM pending_sign_ins p LEFT JOIN users u ON u.id = p.user_id
        WHERE p.token_hash = $1 AND p.expires_at > pg_catalog.now() AND p.failures < $2 AND u.disabled_at IS NULL
        """,
        token_hash,
        max_failures,
    )
    return None if row is None else PendingSignIn(*row)


async def delete_pending(conn: Connection, pending_id: UUID) -> bool:
    """False if it was completed meanwhile."""
    return await conn.execute("DELETE FROM pending_sign_ins WHERE id = $1", pending_id) == "DELETE 1"


async def count_pending_failure(conn: Connection, pending_id: UUID) -> None:
    await conn.execute("UPDATE pending_sign_ins SET failures = failures + 1 WHERE id = $1", pending_id)


async def delete_pending_of(conn: Connection, user_id: UUID) -> None:
    await conn.execute("DELETE FROM pending_sign_ins WHERE user_id = $1", user_id)


async def delete_expired_pending(conn: Connection, limit: int) -> int:
    """Of all users."""
    return await delete_batch(conn, "pending_sign_ins", "expires_at < pg_catalog.now()", limit)
