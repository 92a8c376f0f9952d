"""Queries for authorization codes."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


class StoredCode(NamedTuple):
    """A code with the install that it is for and the API client of that install."""

    application_id: UUID
    install_id: UUID
    redirect_uri: str
    code_challenge: str
    is_used: bool
    is_expired: bool
    issued_version: int | None  # of the secret that it issued
    client_id: UUID
    name: str
    scopes: list[str]
    secret_version: int
    is_disconnected: bool
    is_suspended: bool  # the business
    has_open_api: bool  # its plan


async def insert_code(
    conn: Connection,
    tenant_id: UUID,
    code_hash: bytes,
    install_id: UUID,
    redirect_uri: str,
    code_challenge: str,
    lifetime: timedelta,
) -> None:
    await conn.execute(
        """
        INSERT INTO authorization_codes (tenant_id, code_hash, install_id, redirect_uri, code_challenge, expires_at)
        VALUES ($1, $2, $3, $4, $5, now() + $6)
        """,
        tenant_id,
        code_hash,
        install_id,
        redirect_uri,
        code_challenge,
        lifetime,
    )


async def lock_code(conn: Connection, tenant_id: UUID, code_hash: bytes) -> StoredCode | None:
    """Locks the code and then the client, so that of two exchanges the second sees that the code is used."""
    row = await conn.fetchrow(
        """
        SELECT i.application_id, k.install_id, k.redirect_uri, k.code_challenge, k.used_at IS NOT NULL AS is_used,
               k.expires_at <= now() AS is_expired, k.secret_version AS issued_version, c.id AS client_id, c.name,
               c.scopes, c.secret_version, c.disconnected_at IS NOT NULL AS is_disconnected,
               n.suspended_at IS NOT NULL AS is_suspended, n.open_api AS has_open_api
        FROM authorization_codes k
        JOIN installs i ON i.tenant_id = $1 AND i.id = k.install_id
        JOIN api_clients c ON c.tenant_id = $1 AND c.install_id = i.id
        JOIN tenants n ON n.id = $1
        WHERE k.tenant_id = $1 AND k.code_hash = $2 FOR NO KEY UPDATE OF k, c
        """,
        tenant_id,
        code_hash,
    )
    return None if row is None else StoredCode(*row)


async def mark_code_used(conn: Connection, tenant_id: UUID, code_hash: bytes, secret_version: int) -> None:
    await conn.execute(
        "UPDATE authorization_codes SET used_at = now(), secret_version = $3 WHERE tenant_id = $1 AND code_hash = $2",
        tenant_id,
        code_hash,
        secret_version,
    )


async def delete_expired_codes(conn: Connection, limit: int) -> int:
    """Of all tenants. They are kept for a day, so that a second use is noticed."""
    return await delete_batch(conn, "authorization_codes", "expires_at < now() - interval '1 day'", limit)
