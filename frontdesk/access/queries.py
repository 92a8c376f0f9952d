"""Statements about clients, tokens and keys. A request is let in or not by exactly one of them."""

from datetime import datetime, timedelta
from uuid import UUID

from asyncpg import Record

from frontdesk.access.scopes import effective
from frontdesk.access.types import Client, KeyHolder, TokenHolder
from frontdesk.kit.db import Connection
from frontdesk.kit.ratelimit import Rate
from frontdesk.tenants.types import Business

DEFAULT_KEY_RATE = 120

# Takes one request from the sliding minute of the `holder` that the statement has found. The plan is looked at first:
# where it refuses, nothing is counted.
_SPENT = """spent AS (
            INSERT INTO rate_windows AS w (tenant_id, caller_id, run_ends, run_sizes, used)
            SELECT $1, caller_id, ARRAY[clock_timestamp()], ARRAY[1], 1 FROM holder WHERE counted
            ON CONFLICT (tenant_id, caller_id) DO UPDATE SET (run_ends, run_sizes, used, refused_until) = (
                SELECT (s.after).* FROM (
                    SELECT spend_rate(ROW(w.run_ends, w.run_sizes, w.used, w.refused_until)::rate_state,
                                      (SELECT rate_limit FROM holder)) AS after OFFSET 0
                ) s)
            RETURNING used, refused_until, run_ends[1] + interval '1 minute' AS resets_at
        )"""


async def find_token_holder(
    conn: Connection, tenant_id: UUID, token_hash: bytes, default_rate: int
) -> TokenHolder | None:
    """Token, client, plan and rate in one statement, so that a change to any of them acts on the next request."""
    row = await conn.fetchrow(
        f"""
        WITH holder AS (
            SELECT k.client_id AS caller_id, k.scopes AS asked, c.scopes AS approved,
                   coalesce(c.rate_limit, $3) AS rate_limit,
                   n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes,
                   p.open_api AND n.suspended_at IS NULL AS counted
            FROM access_tokens k
            JOIN api_clients c ON c.tenant_id = k.tenant_id AND c.id = k.client_id
            JOIN tenants n ON n.id = k.tenant_id
            JOIN plans p ON p.code = n.plan
            LEFT JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
            WHERE k.tenant_id = $1 AND k.token_hash = $2 AND k.revoked_at IS NULL AND k.expires_at > now()
              AND c.disabled_at IS NULL AND i.disconnected_at IS NULL
              AND (k.secret_version = c.secret_version
                   OR k.secret_version = c.secret_version - 1 AND c.previous_secret_until > now())
        ), {_SPENT}
        SELECT * FROM holder LEFT JOIN spent ON true
        """,
        tenant_id,
        token_hash,
        default_rate,
    )
    if row is None:
        return None
    asked = row["asked"]
    return TokenHolder(
        business=_business(tenant_id, row),
        client_id=row["caller_id"],
        scopes=effective(frozenset(row["approved"]), None if asked is None else frozenset(asked)),
        open_api=row["counted"],
        rate=_rate(row) if row["counted"] else None,
    )


async def find_key_holder(conn: Connection, tenant_id: UUID, key_hash: bytes) -> KeyHolder | None:
    row = await conn.fetchrow(
        f"""
        WITH holder AS (
            SELECT k.id AS caller_id, true AS counted, k.branch_id, coalesce(k.rate_limit, $3) AS rate_limit,
                   n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes
            FROM api_keys k JOIN tenants n ON n.id = k.tenant_id
            WHERE k.tenant_id = $1 AND k.key_hash = $2 AND k.revoked_at IS NULL AND n.suspended_at IS NULL
              AND (k.expires_at IS NULL OR k.expires_at > now())
        ), {_SPENT}
        SELECT * FROM holder JOIN spent ON true
        """,
        tenant_id,
        key_hash,
        DEFAULT_KEY_RATE,
    )
    if row is None:
        return None
    return KeyHolder(_business(tenant_id, row), row["caller_id"], row["branch_id"], _rate(row))


async def find_client(conn: Connection, tenant_id: UUID, client_id: UUID, secret_hash: bytes) -> Client | None:
    """The client, if this is its secret; after a rotation the earlier one may still be good for a while."""
    row = await conn.fetchrow(
        """
        SELECT c.scopes,
               c.secret_version - CASE WHEN c.secret_hash = $3 THEN 0 ELSE 1 END AS secret_version
        FROM api_clients c LEFT JOIN installs i ON i.tenant_id = c.tenant_id AND i.id = c.install_id
        WHERE c.tenant_id = $1 AND c.id = $2 AND c.disabled_at IS NULL AND i.disconnected_at IS NULL
          AND (c.secret_hash = $3 OR c.previous_secret_hash = $3 AND c.previous_secret_until > now())
        """,
        tenant_id,
        client_id,
        secret_hash,
    )
    return None if row is None else Client(tenant_id, client_id, frozenset(row["scopes"]), row["secret_version"])


async def insert_token(
    conn: Connection,
    tenant_id: UUID,
    client: Client,
    *,
    token_hash: bytes,
    scopes: list[str] | None,
    lifetime: timedelta,
) -> None:
    await conn.execute(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, scopes, expires_at)
        VALUES ($1, $2, $3, $4, $5, now() + $6)
        """,
        tenant_id,
        token_hash,
        client.id,
        client.secret_version,
        scopes,
        lifetime,
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


async def find_token_facts(
    conn: Connection, tenant_id: UUID, client: Client, token_hash: bytes
) -> tuple[frozenset[str], datetime, datetime] | None:
    """What a living token of this client may do, when it was made and when it ends; for introspection."""
    row = await conn.fetchrow(
        """
        SELECT k.scopes, k.created_at, k.expires_at
        FROM access_tokens k JOIN api_clients c ON c.tenant_id = k.tenant_id AND c.id = k.client_id
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
    asked = row["scopes"]
    scopes = effective(client.scopes, None if asked is None else frozenset(asked))
    return scopes, row["created_at"], row["expires_at"]


def _business(tenant_id: UUID, row: Record) -> Business:
    return Business(
        tenant_id, row["timezone"], row["currency"], row["currency_decimals"], row["languages"], row["grid_minutes"]
    )


def _rate(row: Record) -> Rate:
    return Rate(row["rate_limit"], row["used"], row["refused_until"], row["resets_at"])


async def delete_dead_tokens(conn: Connection) -> None:
    """Of everybody: what expired or was taken back a week ago is of no use even for a look at what happened."""
    await conn.execute("DELETE FROM access_tokens WHERE least(expires_at, revoked_at) < now() - interval '7 days'")
