"""Everything at once for a while: nobody deadlocks, nothing fails, and afterwards the books are in order.

FRONTDESK_TEST_LONG=600, or `make torture`, runs it for ten minutes.
"""

from collections.abc import Sequence

import pytest

from frontdesk.postgres.pool import Connection
from tests.races.conftest import OpenRaceFixture
from tests.races.load import LoadGenerator
from tests.support.invariants import broken_invariants, stock_and_held
from tests.support.repetitions import LONG_SECONDS

SECONDS = LONG_SECONDS or 12
ENOUGH = 3000  # acts, after which each kind must have been seen; a busy machine does fewer
SEEN: Sequence[str] = [
    *("place 201", "place 422", "again 201", "status 200", "status 422", "pay 201", "pay 422"),
    *("refund done", "refund 422", "refund part done", "invoice done", "invoice 422", "draft done"),
    *("sale done", "exchange done", "exchange 422"),
    *("finish done", "finish 422", "edit done", "edit 422"),
    *("reschedule 200", "reschedule 422"),
    *("customer 201", "phone done", "subscribe done"),
    *("suspend done", "approve done", "install done", "disconnect done", "scopes done", "secret done"),
    *("client done", "hours done", "price done"),
]


async def deadlocks(conn: Connection) -> int:
    count: int = await conn.fetchval("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return count


@pytest.mark.one_server
@pytest.mark.torture
@pytest.mark.timeout(SECONDS + 300)
async def test_mixed_writes_neither_deadlock_nor_break_invariants(new_race: OpenRaceFixture, conn: Connection) -> None:
    race = await new_race(providers=4)
    products = [await race.add_product(stock=300) for _ in range(4)]
    packages = [row["id"] for row in await race.shop.sql("SELECT id FROM packages WHERE tenant_id = $1")]
    before, deadlocks_before = await stock_and_held(conn, race.tenant_id), await deadlocks(conn)
    load = LoadGenerator(race, products, packages, SECONDS)
    await load.run(callers=16, insiders=4, managers=3)
    await conn.execute("SET statement_timeout = 0")
    await conn.execute("ANALYZE")
    assert load.failures == []
    assert await deadlocks(conn) == deadlocks_before
    assert await broken_invariants(conn, race.tenant_id) == []
    assert await stock_and_held(conn, race.tenant_id) == before
    if load.done.total() > ENOUGH:
        assert [kind for kind in SEEN if not load.done[kind]] == [], load.done
