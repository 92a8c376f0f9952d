"""Rows that the cleanup deletes once they are old enough, most with an age as an interval of PostgreSQL."""

from uuid import UUID, uuid4

from tests.factories.tenant_rows import TenantRows


async def insert_stored_response(rows: TenantRows, caller_id: UUID, key: str, secret: bytes | None) -> None:
    """Of a moment ago. The secret is encrypted."""
    await rows.sql(
        "INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body, secret) "
        "VALUES ($1, $2, $3, '', 201, '{}', $4)",
        caller_id,
        key,
        secret,
    )


async def insert_idempotency_records(rows: TenantRows, age: str, *, count: int = 1, key: str = "") -> None:
    await rows.sql(
        """
        INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body, created_at)
        SELECT $1, gen_random_uuid(), $4 || n, '', 201, '', now() - $3::text::interval FROM generate_series(1, $2) n
        """,
        count,
        age,
        key,
    )


async def insert_expired_tokens(rows: TenantRows, age: str, *, count: int) -> None:
    await rows.sql(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, expires_at)
        SELECT $1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), c.id, 1, now() - $3::text::interval
        FROM generate_series(1, $2) n, (SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1) c
        """,
        count,
        age,
    )


async def insert_logged_requests(
    rows: TenantRows,
    age: str,
    *,
    count: int = 1,
    request_id: str = "",
    route: str = "GET /",
    status: int = 200,
    error: str | None = None,
) -> None:
    """Without an id of their own they are numbered."""
    await rows.sql(
        """
        INSERT INTO request_log (tenant_id, caller_id, at, route, status, microseconds, request_id, error)
        SELECT $1, gen_random_uuid(), now() - $3::text::interval, $5, $6, 1, coalesce(nullif($4, ''), n::text), $7
        FROM generate_series(1, $2) n
        """,
        count,
        age,
        request_id,
        route,
        status,
        error,
    )


async def insert_ended_session(rows: TenantRows, age: str) -> None:
    """Of a member. Its address is its age."""
    id_ = uuid4()
    await rows.sql(
        """
        INSERT INTO sessions (id, token_hash, user_id, remember_me, address, user_agent, expires_at, ended_at)
        SELECT $2, $3, user_id, true, $4::text, '', now(), now() - $4::text::interval
        FROM memberships WHERE tenant_id = $1 LIMIT 1
        """,
        id_,
        id_.bytes,
        age,
    )


async def insert_rate_window(rows: TenantRows, age: str) -> None:
    await rows.sql(
        "INSERT INTO rate_windows (tenant_id, caller_id, bucket_ends, bucket_counts, total) "
        "VALUES ($1, $2, ARRAY[now() - $3::text::interval], '{1}', 1)",
        uuid4(),
        age,
    )


async def insert_order_document(rows: TenantRows, age: str, text: str) -> None:
    await rows.sql(
        "INSERT INTO order_documents (tenant_id, order_id, versions, document, rendered_at) "
        "VALUES ($1, $2, '', $4, now() - $3::text::interval)",
        uuid4(),
        age,
        text,
    )


async def insert_old_events(rows: TenantRows) -> None:
    """Events 1 to 3 of 31 days ago and event 4 of 29 days ago. The attempts at the second are as old as it is, those at
    the third are of 29 days ago.
    """
    await rows.sql(
        """
        WITH hook AS (
            INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret)
            SELECT $1, gen_random_uuid(), id, 'https://hooks.example.com', '{webhook.ping}', '' FROM api_clients
            WHERE tenant_id = $1 LIMIT 1 RETURNING id
        ), event AS (
            INSERT INTO events (tenant_id, id, sequence, type, data, created_at)
            SELECT $1, gen_random_uuid(), n, 'webhook.ping', '{}', now() - age
            FROM unnest('{31 days, 31 days, 31 days, 29 days}'::interval[]) WITH ORDINALITY AS e (age, n)
            RETURNING id, sequence
        ), delivery AS (
            INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id, due_at) -- not before this test is over
            SELECT $1, gen_random_uuid(), hook.id, event.id, now() + interval '1 day' FROM hook, event
            WHERE sequence IN (2, 3)
            RETURNING id, event_id
        )
        INSERT INTO webhook_attempts (tenant_id, id, delivery_id, milliseconds, attempted_at)
        SELECT $1, gen_random_uuid(), d.id, 1, now() - CASE e.sequence WHEN 2 THEN interval '31 days' ELSE '29 days' END
        FROM delivery d JOIN event e ON e.id = d.event_id
        """
    )
