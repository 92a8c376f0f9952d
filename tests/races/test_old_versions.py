"""A product that others change while somebody waits: whoever holds its new version must not go back to the old one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from frontdesk.errors import Code, WireError
from frontdesk.orders.change_status import SettableStatus, change_status
from frontdesk.orders.create import create_order
from frontdesk.orders.types import LineType, OrderLineRequest
from frontdesk.postgres.pool import Connection, connect
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.unlocked import LockFixture, open_lock_fixture


class InOneStatement(Connection):
    """Places orders without the statement that only locks; canceling has one of its own."""

    async def execute(self, sql: str, *args: object) -> str:
        return "" if "SELECT FROM items" in sql else await super().execute(sql, *args)


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
    """One cancels and the other places, both begun before the product is changed under a foreign key's eyes.

    The one who places holds the new version and waits for a second product; the one who cancels stands at the old
    version and waits for the first one to end. Then the second product becomes free.
    """
    first, second = sorted([await race.add_product(stock=9), await race.add_product(stock=9)])
    mine, other = race.staff
    sold = await create_order(locks.command, race.tenant, race.order_request(race.service_line(other), piece(first)))
    asked = race.order_request(race.service_line(mine), piece(first), piece(second))
    placer, canceler = [await writer.fetchval("SELECT pg_backend_pid()") for writer in locks.writers]
    busy = "SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE"
    async with held(dsn, "SELECT FROM items WHERE id = $1 FOR KEY SHARE", first):
        async with held(dsn, "SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", second) as holder:
            async with held(dsn, busy, other):
                async with held(dsn, busy, mine):
                    placing = asyncio.create_task(create_order(locks.writers[0], race.tenant, asked))
                    canceling = asyncio.create_task(cancel(locks.writers[1], race, sold.id))
                    await locks.until_waiting(2)
                    await locks.command.execute("UPDATE items SET stock = stock - 1 WHERE id = $1", first)
                await locks.until_blocked(placer, by=holder)
            await locks.until_blocked(canceler, by=placer)
        return list(await asyncio.gather(placing, canceling, return_exceptions=True))


def piece(product_id: UUID) -> OrderLineRequest:
    return OrderLineRequest(product_id, LineType.PRODUCT, 1)


async def cancel(conn: Connection, race: RaceFixture, order_id: UUID) -> None:
    await change_status(conn, race.tenant, order_id, SettableStatus.CANCELED, None, SYSTEM)


@pytest.mark.parametrize("kind", [Connection, InOneStatement])
async def test_products_are_locked_before_the_statement_that_changes_them(
    empty_dsn: str, kind: type[Connection]
) -> None:
    """Locked and changed in one statement, one of the two is the victim of a deadlock."""
    race = await open_race_fixture(empty_dsn, providers=2)
    async with open_lock_fixture(empty_dsn, kind) as locks:
        outcomes = await both_want_the_product(locks, race, empty_dsn)
    failed = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert len(failed) == (0 if kind is Connection else 1)
    assert all(
        isinstance(failure, asyncpg.DeadlockDetectedError)
        or (isinstance(failure, WireError) and failure.code is Code.AVAILABILITY_CHECK_FAILED)
        for failure in failed
    )
