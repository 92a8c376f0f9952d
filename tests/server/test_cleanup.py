"""Expired rows are deleted; rows that may still be needed stay."""

import asyncpg
import pytest

from frontdesk.postgres.pool import Connection, Pool
from frontdesk.security.secrets import hash_secret
from frontdesk.server.cleanup import run_cleanup
from tests.factories.changes import ago, change_rows
from tests.factories.expired import (
    insert_expired_tokens,
    insert_idempotency_records,
    insert_logged_requests,
    insert_old_events,
    insert_order_document,
    insert_rate_window,
)
from tests.support.branch import holding
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def test_cleanup_deletes_only_expired_rows(service: Service, conn: Connection) -> None:
    shop = await service.new_shop()
    living, revoked, expired = [await shop.new_token() for _ in range(3)]
    for age, key in (("25 hours", "old"), ("23 hours", "young")):
        await insert_idempotency_records(shop, age, key=key)
    await change_rows(shop, "access_tokens", {"token_hash": hash_secret(revoked)}, revoked_at=ago(days=8))
    await change_rows(shop, "access_tokens", {"token_hash": hash_secret(expired)}, expires_at=ago(days=8))
    await insert_rate_window(shop, "3 minutes")
    for age, text in (("8 days", "old"), ("6 days", "young")):
        await insert_order_document(shop, age, text)
    assert (await shop.get("/branches", token=living)).status_code == 200
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    assert [r["key"] for r in await shop.sql("SELECT key FROM idempotency_records WHERE tenant_id = $1")] == ["young1"]
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
    await insert_old_events(shop)
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    kept = await shop.sql("SELECT sequence FROM events WHERE tenant_id = $1 ORDER BY sequence")
    assert [row["sequence"] for row in kept] == [3, 4]
    assert len(await shop.sql("SELECT FROM webhook_deliveries WHERE tenant_id = $1")) == 1


async def test_a_cleanup_task_that_fails_does_not_stop_others(service: Service, shop: Shop) -> None:
    """Tokens are deleted after the records of Idempotency-Keys, and before old requests."""
    own = await service.new_shop()
    await insert_idempotency_records(own, "2 days", count=25)
    await insert_expired_tokens(own, "8 days", count=25)
    await insert_logged_requests(own, "15 days", count=25)
    database = Pool(service.dsn, settings={"lock_timeout": "50ms"})
    async with holding(service.dsn, "LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE"):
        with pytest.raises(asyncpg.LockNotAvailableError):
            await run_cleanup(database, batch=10)
    assert await _old_rows(own) == {"idempotency_records": 0, "access_tokens": 25, "request_log": 0}
    await run_cleanup(database, batch=10)
    await database.close()
    assert await _old_rows(own) == {"idempotency_records": 0, "access_tokens": 0, "request_log": 0}


async def _old_rows(shop: Shop) -> dict[str, int]:
    found = await shop.sql(
        """
        SELECT (SELECT count(*) FROM idempotency_records WHERE tenant_id = $1),
               (SELECT count(*) FROM access_tokens WHERE tenant_id = $1 AND expires_at < now()),
               (SELECT count(*) FROM request_log WHERE tenant_id = $1 AND at < now() - interval '14 days')
        """
    )
    return dict(zip(("idempotency_records", "access_tokens", "request_log"), found[0], strict=True))
