"""Statements for the API clients of installed applications, which change only with their install."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.auth.client_queries import find_own_rate
from frontdesk.postgres.pool import Connection


async def insert_installed_client(
    conn: Connection,
    tenant_id: UUID,
    client_id: UUID,
    install_id: UUID,
    name: str,
    secret_hash: bytes,
    scopes: Sequence[str],
) -> None:
    await conn.execute(
        """
        INSERT INTO api_clients (tenant_id, id, install_id, name, secret_hash, scopes, rate_limit)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        tenant_id,
        client_id,
        install_id,
        name,
        secret_hash,
        list(scopes),
        await find_own_rate(conn, tenant_id),
    )


async def update_installed_scopes(conn: Connection, tenant_id: UUID, client_id: UUID, scopes: Sequence[str]) -> None:
    await conn.execute(
        """
        UPDATE api_clients SET scopes = $3, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND install_id IS NOT NULL
        """,
        tenant_id,
        client_id,
        list(scopes),
    )


async def update_installed_name(conn: Connection, tenant_id: UUID, client_id: UUID, name: str) -> None:
    await conn.execute(
        "UPDATE api_clients SET name = $3 WHERE tenant_id = $1 AND id = $2 AND install_id IS NOT NULL",
        tenant_id,
        client_id,
        name,
    )


async def revoke_installed_secret(
    conn: Connection, tenant_id: UUID, client_id: UUID, version: int, unknown_hash: bytes
) -> bool:
    """Ends the secret of that version and its tokens, and any secret before it. False if it ended before.

    A current secret is replaced by a random one that is not returned. A previous one, which a rotation left valid, is
    removed.
    """
    return await conn.execute_one(
        """
        UPDATE api_clients
        SET secret_hash = CASE WHEN secret_version = $3 THEN $4 ELSE secret_hash END,
            secret_version = secret_version + CASE WHEN secret_version = $3 THEN 1 ELSE 0 END,
            previous_secret_hash = NULL, previous_secret_until = NULL, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND install_id IS NOT NULL
          AND (secret_version = $3 OR secret_version = $3 + 1 AND previous_secret_until > now())
        """,
        tenant_id,
        client_id,
        version,
        unknown_hash,
    )
