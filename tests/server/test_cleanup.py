"""Expired rows are deleted; rows that may still be needed stay."""

from uuid import uuid4

import asyncpg
import pytest

from frontdesk.postgres.pool import Connection, Pool
from frontdesk.server.cleanup import run_cleanup
from tests.support.salon import holding
from tests.support.service import Service
from tests.support.shop import Shop


async def test_only_what_is_over_is_thrown_away(service: Service, conn: Connection) -> None:
    shop = await service.new_shop()
    living, revoked, expired = [await shop.new_token() for _ in range(3)]
    for age, key in (("25 hours", "old"), ("23 hours", "young")):
        await shop.sql(
            "INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body, created_at) "
            f"VALUES ($1, $2, $3, '', 201, '', now() - interval '{age}')",
            uuid4(),
            key,
        )
    await shop.sql(
        "WITH n AS (SELECT token_hash, row_number() OVER (ORDER BY created_at) AS place FROM access_tokens "
        "WHERE tenant_id = $1) UPDATE access_tokens t SET "
        "revoked_at = CASE n.place WHEN 2 THEN now() - interval '8 days' END, "
        "expires_at = CASE n.place WHEN 3 THEN now() - interval '8 days' ELSE t.expires_at END "
        "FROM n WHERE t.tenant_id = $1 AND t.token_hash = n.token_hash"
    )
    await shop.sql(
        "INSERT INTO rate_windows (tenant_id, caller_id, bucket_ends, bucket_counts, total) "
        "VALUES ($1, $2, ARRAY[now() - interval '3 minutes'], '{1}', 1)",
        uuid4(),
    )
    for age, text in (("8 days", "old"), ("6 days", "young")):
        await shop.sql(
            "INSERT INTO order_documents (tenant_id, order_id, versions, document, rendered_at) "
            f"VALUES ($1, $2, '', $3, now() - interval '{age}')",
            uuid4(),
            text,
        )
    assert (await shop.get("/branches", token=living)).status_code == 200
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    assert [r["key"] for r in await shop.sql("SELECT key FROM idempotency_records WHERE tenant_id = $1")] == ["young"]
    assert len(await shop.sql("SELECT FROM access_tokens WHERE tenant_id = $1")) == 1
    assert len(await shop.sql("SELECT FROM rate_windows WHERE tenant_id = $1")) == 1
    assert [r["document"] for r in await shop.sql("SELECT document FROM order_documents WHERE tenant_id = $1")] == [
        "young"
    ]
    assert (await shop.get("/branches", token=living)).status_code == 200
    for dead in (revoked, expired):
        assert (await shop.get("/branches", token=dead)).status_code == 401


async def test_events_are_kept_for_thirty_days_and_as_long_as_their_attempts(
    service: Service, conn: Connection
) -> None:
    shop = await service.new_shop()
    await shop.sql(
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
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    kept = await shop.sql("SELECT sequence FROM events WHERE tenant_id = $1 ORDER BY sequence")
    assert [row["sequence"] for row in kept] == [3, 4]
    assert len(await shop.sql("SELECT FROM webhook_deliveries WHERE tenant_id = $1")) == 1


async def test_a_task_that_fails_holds_up_no_other_and_goes_on_the_next_time(service: Service, shop: Shop) -> None:
    """Tokens are deleted after the records of Idempotency-Keys, and before old requests."""
    own = await service.new_shop()
    await _add_old_rows(own, 25)
    database = Pool(service.dsn, settings={"lock_timeout": "50ms"})
    async with holding(service.dsn, "LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE"):
        with pytest.raises(asyncpg.LockNotAvailableError):
            await run_cleanup(database, batch=10)
    assert await _old_rows(own) == {"idempotency_records": 0, "access_tokens": 25, "request_log": 0}
    await run_cleanup(database, batch=10)
    await database.close()
    assert await _old_rows(own) == {"idempotency_records": 0, "access_tokens": 0, "request_log": 0}


async def _add_old_rows(shop: Shop, many: int) -> None:
    await shop.sql(
        """
        INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body, created_at)
        SELECT $1, gen_random_uuid(), n::text, '', 201, '', now() - interval '2 days' FROM generate_series(1, $2) n
        """,
        many,
    )
    await shop.sql(
        """
        INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, expires_at)
        SELECT $1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), c.id, 1,
               now() - interval '8 days'
        FROM generate_series(1, $2) n, (SELECT id FROM api_clients WHERE tenant_id = $1 LIMIT 1) c
        """,
        many,
    )
    await shop.sql(
        """
        INSERT INTO request_log (tenant_id, caller_id, at, route, status, microseconds, request_id)
        SELECT $1, gen_random_uuid(), now() - interval '15 days', 'GET /', 200, 1, n::text
        FROM generate_series(1, $2) n
        """,
        many,
    )


async def _old_rows(shop: Shop) -> dict[str, int]:
    found = await shop.sql(
        """
        SELECT (SELECT count(*) FROM idempotency_records WHERE tenant_id = $1),
               (SELECT count(*) FROM access_tokens WHERE tenant_id = $1 AND expires_at < now()),
               (SELECT count(*) FROM request_log WHERE tenant_id = $1 AND at < now() - interval '14 days')
        """
    )
    return dict(zip(("idempotency_records", "access_tokens", "request_log"), found[0], strict=True))
