"""Statements for clients and tokens."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.auth.scopes import effective_scopes
from frontdesk.auth.types import Client
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


async def find_client(conn: Connection, tenant_id: UUID, client_id: UUID, secret_hash: bytes) -> Client | None:
    """The client, if the secret is correct; after a rotation the previous secret may still be valid."""
    row = await conn.fetchrow(
        """
        SELECT c.scopes, n.suspended_at IS NOT NULL AS is_suspended, n.open_api, n.clock_ahead, n.has_faults,
               c.secret_version - CASE WHEN c.secret_hash = $3 THEN 0 ELSE 1 END AS secret_version
        FROM api_clients c JOIN tenants n ON n.id = c.tenant_id
        LEFT JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        WHERE c.tenant_id = $1 AND c.id = $2 AND c.disabled_at IS NULL AND i.disconnected_at IS NULL
          AND (c.secret_hash = $3 OR c.previous_secret_hash = $3 AND c.previous_secret_until
               > now() + make_interval(secs => coalesce(n.clock_ahead, 0)))
        """,
        tenant_id,
        client_id,
        secret_hash,
    )
    if row is None:
        return None
    return Client(
        tenant_id,
        client_id,
        frozenset(row["scopes"]),
        row["secret_version"],
        is_suspended=row["is_suspended"],
        has_open_api=row["open_api"],
        clock_ahead=row["clock_ahead"],
        has_faults=row["has_faults"],
    )


async def insert_token(
    conn: Connection,
    tenant_id: UUID,
    client: Client,
    *,
    token_hash: bytes,
    scopes: list[str] | None,
    lifetime: timedelta,
) -> int:
    """Returns the number of active tokens that the client had before."""
    before: int = await conn.fetchval(
        "SELECT insert_token($1, $2, $3, $4, $5, $6)",
        tenant_id,
        token_hash,
        client.id,
        client.secret_version,
        scopes,
        lifetime,
    )
    return before


async def revoke_surplus_tokens(conn: Connection, tenant_id: UUID, client_id: UUID, limit: int) -> None:
    """Revokes the least recently used ones, so that `limit` are left.

    Uses arrays of keys instead of joins, so that a plan that was cached for a small table suits a large one.
    """
    await conn.execute(
        """
        WITH surplus AS MATERIALIZED (
            SELECT token_hash FROM access_tokens
            WHERE tenant_id = $1 AND client_id = $2 AND revoked_at IS NULL AND expires_at > now()
            ORDER BY greatest(last_used_at, created_at) DESC, token_hash OFFSET $3
        ), locked AS MATERIALIZED (
            SELECT token_hash FROM access_tokens
            WHERE tenant_id = $1 AND token_hash = ANY (ARRAY(SELECT token_hash FROM surplus))
            ORDER BY token_hash FOR NO KEY UPDATE
        )
        UPDATE access_tokens SET revoked_at = now()
        WHERE tenant_id = $1 AND token_hash = ANY (ARRAY(SELECT token_hash FROM locked))
        """,
        tenant_id,
        client_id,
        limit,
    )


async def revoke_token(conn: Connection, tenant_id: UUID, client_id: UUID, token_hash: bytes) -> None:
    await conn.execute(
        """
        UPDATE access_tokens SET revoked_at = now()
        WHERE tenant_id = $1 AND client_id = $2 AND token_hash = $3 AND revoked_at IS NULL
        """,
        tenant_id,
        client_id,
        token_hash,
    )


async def find_token_info(
    conn: Connection, tenant_id: UUID, client: Client, token_hash: bytes
) -> tuple[frozenset[str], datetime, datetime] | None:
    """The scopes, creation time and expiry of an active token of this client, for introspection.

    Without the Open API no token is active.
    """
    row = await conn.fetchrow(
        """
        SELECT k.scopes, k.created_at, k.expires_at
        FROM access_tokens k JOIN api_clients c ON c.tenant_id = k.tenant_id AND c.id = k.client_id
        JOIN tenants n ON n.id = k.tenant_id AND n.open_api
        WHERE k.tenant_id = $1 AND k.client_id = $2 AND k.token_hash = $3
          AND k.revoked_at IS NULL AND k.expires_at > now()
          AND (k.secret_version = c.secret_version
               OR k.secret_version = c.secret_version - 1 AND c.previous_secret_until > now())
        """,
        tenant_id,
        client.id,
        token_hash,
    )
    if row is None:
        return None
    requested = row["scopes"]
    scopes = effective_scopes(client.scopes, None if requested is None else frozenset(requested))
    return scopes, row["created_at"], row["expires_at"]


async def delete_expired_tokens(conn: Connection, limit: int) -> int:
    """Of all tenants: tokens that expired or were revoked more than a week ago."""
    return await delete_batch(conn, "access_tokens", "least(expires_at, revoked_at) < now() - interval '7 days'", limit)
