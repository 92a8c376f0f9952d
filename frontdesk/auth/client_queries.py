"""Statements for the management of API clients and keys. Those of authentication are in queries.py."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import asyncpg

from frontdesk.auth.problems import ClientProblem
from frontdesk.auth.rate_limit import DEVELOPER_SANDBOX_RATE
from frontdesk.auth.types import ApiClient, ApiKey
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem

_CLIENT = """
    SELECT c.id, c.name, c.scopes, c.rate_limit, c.secret_version,
           CASE WHEN c.previous_secret_until > now() THEN c.previous_secret_until END AS previous_secret_until,
           c.disabled_at, c.created_at,
           (SELECT max(u.last_used_at) FROM scope_usage u WHERE u.tenant_id = $1
               AND u.caller_id = c.id) AS last_used_at,
           CASE WHEN c.install_id IS NOT NULL THEN c.name END AS application, c.version
    FROM api_clients c
    LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = c.install_id
    WHERE c.tenant_id = $1 AND i.disconnected_at IS NULL"""
_KEY = """
    SELECT k.id, k.name, k.last_four, b.name AS branch, k.expires_at, k.revoked_at, k.created_at,
           (SELECT max(u.last_used_at) FROM scope_usage u WHERE u.tenant_id = $1
               AND u.caller_id = k.id) AS last_used_at,
           k.rate_limit
    FROM api_keys k LEFT JOIN branches b ON b.tenant_id = $1 AND b.id = k.branch_id
    WHERE k.tenant_id = $1"""


async def list_clients(conn: Connection, tenant_id: UUID) -> list[ApiClient]:
    rows = await conn.fetch(f"{_CLIENT} ORDER BY c.created_at DESC, c.id", tenant_id)
    return [ApiClient(*row) for row in rows]


async def find_tenant_client(conn: Connection, tenant_id: UUID, client_id: UUID) -> ApiClient | None:
    row = await conn.fetchrow(f"{_CLIENT} AND c.id = $2", tenant_id, client_id)
    return None if row is None else ApiClient(*row)


async def insert_client(
    conn: Connection, tenant_id: UUID, client_id: UUID, *, name: str, secret_hash: bytes, scopes: Sequence[str]
) -> bool:
    """False if the form was already submitted."""
    return await conn.execute_one(
        """
        INSERT INTO api_clients (tenant_id, id, name, secret_hash, scopes, rate_limit) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (tenant_id, id) DO NOTHING
        """,
        tenant_id,
        client_id,
        name,
        secret_hash,
        list(scopes),
        await find_own_rate(conn, tenant_id),
    )


async def find_own_rate(conn: Connection, tenant_id: UUID) -> int | None:
    """The rate limit of a new client. None: the default of the service."""
    is_developed_in = await conn.fetchval("SELECT EXISTS (SELECT 1 FROM developers WHERE sandbox_id = $1)", tenant_id)
    return DEVELOPER_SANDBOX_RATE if is_developed_in else None


# The client of an installed application changes only with the install.


async def update_client_name(conn: Connection, tenant_id: UUID, client_id: UUID, name: str) -> bool:
    return await conn.execute_one(
        """
        UPDATE api_clients SET name = $3, version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND install_id IS NULL
        """,
        tenant_id,
        client_id,
        name,
    )


async def update_client_scopes(conn: Connection, tenant_id: UUID, client_id: UUID, scopes: Sequence[str]) -> bool:
    return await conn.execute_one(
        """
        UPDATE api_clients SET scopes = $3, version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND install_id IS NULL
        """,
        tenant_id,
        client_id,
        list(scopes),
    )


async def update_client_disabled(conn: Connection, tenant_id: UUID, client_id: UUID, *, disabled: bool) -> bool:
    """Disabling a disabled client does not change the time."""
    disabled_at = "least(disabled_at, now())" if disabled else "NULL"
    return await conn.execute_one(
        f"""
        UPDATE api_clients SET disabled_at = {disabled_at}, updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND install_id IS NULL
        """,
        tenant_id,
        client_id,
    )


async def update_client_secret(
    conn: Connection,
    tenant_id: UUID,
    client_id: UUID,
    version: int,
    *,
    secret_hash: bytes,
    grace: timedelta | None,
    installed: bool = False,
) -> bool:
    """False if the version has changed: the secret was rotated concurrently, or the form was already submitted."""
    return await conn.execute_one(
        """
        UPDATE api_clients
        SET previous_secret_hash = CASE WHEN $5::interval IS NOT NULL THEN secret_hash END,
            previous_secret_until = now() + $5, secret_hash = $4, secret_version = secret_version + 1,
            updated_at = now()
        WHERE tenant_id = $1 AND id = $2 AND (install_id IS NOT NULL) = $6 AND secret_version = $3
        """,
        tenant_id,
        client_id,
        version,
        secret_hash,
        grace,
        installed,
    )


async def lock_client(conn: Connection, tenant_id: UUID, client_id: UUID) -> None:
    """Called before `lock_client_webhooks`, so that none is added in between."""
    await conn.execute("SELECT FROM api_clients WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tenant_id, client_id)


async def lock_client_webhooks(conn: Connection, tenant_id: UUID, client_id: UUID) -> None:
    """By id, in the same order as emit_events, then their deliveries as insert_attempts does. Deleting the client would
    lock them in any order."""
    webhooks = await conn.fetch(
        """
        SELECT w.id FROM webhooks w JOIN api_clients c ON c.tenant_id = $1 AND c.id = w.client_id
        WHERE w.tenant_id = $1 AND c.id = $2 AND c.install_id IS NULL ORDER BY w.id FOR UPDATE OF w
        """,
        tenant_id,
        client_id,
    )
    await conn.execute(
        "SELECT FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = ANY ($2) ORDER BY id FOR UPDATE",
        tenant_id,
        [row["id"] for row in webhooks],
    )


async def delete_client(conn: Connection, tenant_id: UUID, client_id: UUID) -> bool:
    """With its tokens and webhooks."""
    return await conn.execute_one(
        "DELETE FROM api_clients WHERE tenant_id = $1 AND id = $2 AND install_id IS NULL", tenant_id, client_id
    )


async def list_keys(conn: Connection, tenant_id: UUID) -> list[ApiKey]:
    """Active keys first, then newest first."""
    rows = await conn.fetch(f"{_KEY} ORDER BY k.revoked_at IS NOT NULL, k.created_at DESC, k.id", tenant_id)
    return [ApiKey(*row) for row in rows]


async def find_key(conn: Connection, tenant_id: UUID, key_id: UUID) -> ApiKey | None:
    row = await conn.fetchrow(f"{_KEY} AND k.id = $2", tenant_id, key_id)
    return None if row is None else ApiKey(*row)


async def insert_key(
    conn: Connection,
    tenant_id: UUID,
    key_id: UUID,
    *,
    key_hash: bytes,
    last_four: str,
    name: str,
    branch_id: UUID | None,
    expires_at: datetime | None,
) -> bool:
    try:
        done = await conn.execute(
            """
            INSERT INTO api_keys (tenant_id, id, key_hash, last_four, name, branch_id, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tenant_id, id) DO NOTHING
            """,
            tenant_id,
            key_id,
            key_hash,
            last_four,
            name,
            branch_id,
            expires_at,
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise Problem(ClientProblem.UNKNOWN_BRANCH, "branch_id") from error
    return done == "INSERT 0 1"


async def revoke_key(conn: Connection, tenant_id: UUID, key_id: UUID) -> bool:
    return await conn.execute_one(
        "UPDATE api_keys SET revoked_at = least(revoked_at, now()) WHERE tenant_id = $1 AND id = $2",
        tenant_id,
        key_id,
    )
