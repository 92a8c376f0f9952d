"""A large business is erased in short transactions: it can be interrupted, and nothing of another business waits."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from frontdesk.postgres.pool import Connection, Pool
from frontdesk.tenants import erasure
from frontdesk.tenants.administration import delete_tenant
from frontdesk.tenants.erasure import erase_waiting
from frontdesk.tenants.erasure_queries import erase_batch, list_erasures
from frontdesk.values.actor import Actor
from tests.factories.changes import change_rows
from tests.factories.users import make_user
from tests.support.branch import holding
from tests.support.connections import pooled_connection
from tests.support.dashboard import dashboard_of
from tests.support.service import Service, running_service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

_PERSONAL = """SELECT count(*) AS n FROM customers
    WHERE tenant_id = $1 AND (phone IS NOT NULL OR account_limit IS NOT NULL)"""
_OPERATOR = Actor("user", None, "")


@pytest.fixture
async def idle_service(empty_dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """Its own erasures wait."""
    monkeypatch.setattr(erasure, "_POLL_SECONDS", 3600.0)
    async with running_service(empty_dsn) as running:
        yield running


@pytest.fixture
async def idle_conn(empty_dsn: str) -> AsyncIterator[Connection]:
    async with pooled_connection(empty_dsn) as raw:
        yield Connection(raw)


async def _delete(conn: Connection, shop: Shop) -> None:
    (tenant,) = await shop.sql("SELECT name FROM tenants WHERE id = $1")
    await delete_tenant(conn, shop.tenant_id, tenant["name"], _OPERATOR)


async def _left(shop: Shop) -> int:
    (row,) = await shop.sql(_PERSONAL)
    left: int = row["n"]
    return left


async def test_an_erasure_goes_on_where_it_was_interrupted_and_shows_how_far_it_is(
    idle_service: Service, idle_conn: Connection
) -> None:
    shop, other = await idle_service.new_shop(), await idle_service.new_shop()
    others = await _left(other)
    await _delete(idle_conn, shop)
    seen: list[int] = []
    async with await dashboard_of(other, await make_user(other, None, operator=True)) as operator:
        while await erase_batch(idle_conn, shop.tenant_id, 20):
            (one,) = [each for each in await list_erasures(idle_conn) if each.tenant_id == shop.tenant_id]
            seen.append(one.erased_rows)
            if len(seen) == 3:
                assert "are being erased: 60 so far" in (await operator.get("/operator/tenants")).text
        assert "are being erased" not in (await operator.get("/operator/tenants")).text
    assert seen[:3] == [20, 40, 60]
    assert seen == sorted(set(seen))
    assert await _left(shop) == 0
    assert await _left(other) == others


async def test_two_processes_erase_the_same_business_once(idle_service: Service, idle_conn: Connection) -> None:
    shop = await idle_service.new_shop()
    await change_rows(shop, "customers", account_limit=100)
    await _delete(idle_conn, shop)
    database = Pool(idle_service.dsn)
    await asyncio.gather(*(erase_waiting(database, limit=50) for _ in range(2)))
    await database.close()
    assert await _left(shop) == 0
    (row,) = await shop.sql("SELECT finished_at, erased_rows FROM tenant_erasures WHERE tenant_id = $1")
    assert row["finished_at"] is not None
    assert row["erased_rows"] > 50


async def test_a_business_that_cannot_be_erased_now_holds_up_no_other(
    idle_service: Service, idle_conn: Connection
) -> None:
    """A row of one is locked, as by a transaction that has not ended."""
    waits, other = await idle_service.new_shop(), await idle_service.new_shop()
    for shop in (waits, other):
        await _delete(idle_conn, shop)
    database = Pool(idle_service.dsn)
    locked = "SELECT FROM tenant_erasures WHERE tenant_id = $1 FOR UPDATE"
    async with holding(idle_service.dsn, locked, waits.tenant_id):
        await erase_waiting(database)
        assert await _left(other) == 0
        assert await _left(waits) > 0
    await erase_waiting(database)
    await database.close()
    assert await _left(waits) == 0
