"""What a business, a client or a network has used up: places of its plan, tokens, attempts, bookings of an hour."""

from uuid import UUID

from frontdesk.tenants.quotas import Quota
from tests.factories.tenant_rows import TenantRows
from tests.support.connections import pooled_connection

_FILL = {
    Quota.API_CLIENTS: """
        INSERT INTO api_clients (tenant_id, id, name, secret_hash, scopes)
        SELECT $1, gen_random_uuid(), 'x', sha256(n::text::bytea), '{}' FROM generate_series(1, $2::integer) n""",
    Quota.API_KEYS: """
        INSERT INTO api_keys (tenant_id, id, name, key_hash)
        SELECT $1, gen_random_uuid(), 'x', sha256(n::text::bytea) FROM generate_series(1, $2::integer) n""",
    Quota.WEBHOOKS: """
        INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret)
        SELECT $1, gen_random_uuid(), c.id, 'https://receiver.example/', '{order.created}', ''
        FROM (SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1) c, generate_series(1, $2::integer) n""",
    Quota.PENDING_INVITATIONS: """
        INSERT INTO invitations (tenant_id, id, token_hash, email, role, expires_at)
        SELECT $1, gen_random_uuid(), sha256(n::text::bytea), n || '@people.example', 'receptionist',
               now() + interval '1 day'
        FROM generate_series(1, $2::integer) n""",
    Quota.MEMBERS: """
        WITH made AS (
            INSERT INTO users (id, email, name, email_verified_at)
            SELECT i.id, i.id || '@people.example', 'x', now()
            FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2::integer)) i RETURNING id
        ) INSERT INTO memberships (tenant_id, user_id, role) SELECT $1, id, 'receptionist' FROM made""",
}


async def fill_quota(rows: TenantRows, quota: Quota, count: int) -> None:
    await rows.sql(_FILL[quota], count)


async def insert_tokens(rows: TenantRows, client_id: UUID, count: int) -> None:
    """Tokens that were taken one an hour, the first one longest ago."""
    await rows.sql(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, created_at, expires_at)
        SELECT $1, sha256((n || c.id::text)::bytea), c.id, c.secret_version,
               now() - n * interval '1 hour', now() + interval '1 day'
        FROM generate_series(1, $3::integer) n, api_clients c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        client_id,
        count,
    )


async def use_up_attempts(rows: TenantRows, subject: bytes, count: int) -> None:
    await rows.sql(
        "INSERT INTO throttles (subject, bucket_ends, bucket_counts, total) "
        "SELECT $2, ARRAY[now()], ARRAY[$3::integer], $3 WHERE $1::uuid IS NOT NULL",
        subject,
        count,
    )


async def insert_bookings_of_network(rows: TenantRows, count: int) -> None:
    """Bookings that customers made from this address within the hour, as the activity knows them."""
    await rows.sql(
        "INSERT INTO activity (tenant_id, id, created_at, actor_type, address, action) "
        "SELECT $1, uuid_v7(clock_timestamp()), now(), 'customer', '127.0.0.1', 'order.created' "
        "FROM generate_series(1, $2)",
        count,
    )


async def forget_attempts(dsn: str) -> None:
    """Of everybody: all tests sign up and ask for codes from one address, more often than it may."""
    async with pooled_connection(dsn) as raw:
        await raw.execute("DELETE FROM throttles")


async def copy_export(rows: TenantRows, export_id: str, count: int) -> None:
    await rows.sql(
        """
        INSERT INTO record_exports (tenant_id, id, client_id, resources, status, sequence, url_origin, expires_at)
        SELECT tenant_id, gen_random_uuid(), client_id, resources, status, sequence, url_origin, expires_at
        FROM record_exports, generate_series(1, $3) WHERE tenant_id = $1 AND id = $2
        """,
        export_id,
        count,
    )
