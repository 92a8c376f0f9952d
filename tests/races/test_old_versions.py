"""A product that others change while a writer waits for it: the lock is taken on its new version, not the old one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection, connect
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import change_status, create_order

LOCKED_FIRST = "PERFORM FROM items WHERE tenant_id = p_tenant AND id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE;"
LOCKED_AND_CHANGED = """
    WITH locked AS MATERIALIZED (
        SELECT id FROM items WHERE tenant_id = p_tenant AND id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE)
    UPDATE items SET updated_at = now() WHERE tenant_id = p_tenant AND id IN (SELECT id FROM locked);"""


@asynccontextmanager
async def held(dsn: str, sql: str, *args: object) -> AsyncIterator[int]:
    """The statement's locks, until left; gives the process that holds them."""
    raw = await connect(dsn)
    try:
        async with raw.transaction():
            await raw.execute(sql, *args)
            yield raw.get_server_pid()
    finally:
        await raw.close()


async def both_want_the_product(locks: LockFixture, race: RaceFixture, dsn: str) -> list[Any]:
    """One cancels and the other sells the third of four products, both begun before that product is changed.

    The one who sells has locked its new version and waits for the fourth product; the one who cancels stands at the
    old version and waits for the first one to end. Then the fourth product becomes free.
    """
    products = sorted([await race.add_product(stock=9) for _ in range(4)])
    sold = await create_order(locks.command, race.tenant, race.order_request(*map(piece, products[1:3])))
    order = race.order_request(*(piece(products[n]) for n in (0, 2, 3)))
    seller, canceler = [await writer.fetchval("SELECT pg_backend_pid()") for writer in locks.writers]
    lock = "SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE"
    async with held(dsn, "SELECT FROM items WHERE id = $1 FOR KEY SHARE", products[2]):
        async with held(dsn, lock, products[3]) as holder:
            async with held(dsn, lock, products[1]):
                async with held(dsn, lock, products[0]):
                    selling = asyncio.create_task(create_order(locks.writers[0], race.tenant, order))
                    canceling = asyncio.create_task(cancel(locks.writers[1], race, sold.id))
                    await locks.until_waiting(2)
                    await locks.command.execute("UPDATE items SET stock = stock - 1 WHERE id = $1", products[2])
                await locks.until_blocked(seller, by=holder)
            await locks.until_blocked(canceler, by=seller)
        return list(await asyncio.gather(selling, canceling, return_exceptions=True))


def piece(product_id: UUID) -> OrderLineRequest:
    return OrderLineRequest(product_id, LineType.PRODUCT, 1)


async def cancel(conn: Connection, race: RaceFixture, order_id: UUID) -> None:
    await change_status(conn, race.tenant, order_id, SettableStatus.CANCELED, None, SYSTEM)


@pytest.mark.parametrize("locked_first", [True, False])
async def test_products_are_locked_before_the_statement_that_changes_them(empty_dsn: str, locked_first: bool) -> None:
    """Locked and changed in one statement, one of the two is the victim of a deadlock."""
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        if not locked_first:
            await change_function(locks.command, "change_stock", LOCKED_FIRST, LOCKED_AND_CHANGED)
        outcomes = await both_want_the_product(locks, race, empty_dsn)
    failed = [type(outcome) for outcome in outcomes if isinstance(outcome, Exception)]
    assert failed == ([] if locked_first else [asyncpg.DeadlockDetectedError])
