"""Reads that a replica takes: never one that follows a write of the same business, and none fails without it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from prometheus_client import REGISTRY

from frontdesk.postgres import replica
from frontdesk.postgres.health import Replication, get_replication
from frontdesk.postgres.pool import Connection, connect
from frontdesk.server.database import migrate_now
from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.programs.commands import free_port
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.clusters import DEBIAN_15
from tests.support.servers.replication import replicated_server
from tests.support.service import running_service
from tests.support.shop import OPEN_API, Shop
from tests.support.waiting import PATIENCE_SECONDS, eventually

PAGES = ("/customers", "/orders", "/catalogue", "/activity", "/reports", "/reports/sales", "/export/customers.csv")
ASKING = {"Frontdesk-Read": "replica"}


def reads(outcome: str) -> float:
    return REGISTRY.get_sample_value("frontdesk_replica_reads_total", {"outcome": outcome}) or 0.0


async def read_everything(shop: Shop) -> None:
    async with await dashboard_of(shop, await owner_of(shop)) as desk:
        for path in PAGES:
            assert (await desk.get(path)).status_code == 200, path
    assert (await shop.get("/customers", headers=ASKING)).status_code == 200


async def test_a_replica_that_is_down_costs_no_answer(dsn: str) -> None:
    before = reads("failed"), reads("paused")
    gone = f"postgresql://desk@127.0.0.1:{free_port()}/desk"
    async with running_service(dsn, database_url=dsn, read_database_url=gone) as service:
        await read_everything(await service.new_shop())
    assert REGISTRY.get_sample_value("frontdesk_replica_up") == 0
    assert reads("failed") > before[0]
    assert reads("paused") > before[1]  # it is not asked each time


async def test_a_replica_that_has_everything_answers_what_may_be_late(
    dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server itself: it has every write. Reads of the API must ask for it."""
    monkeypatch.setattr(replica, "_CONNECT_SECONDS", PATIENCE_SECONDS)  # a busy machine needs more than usual
    before = reads("answered")
    async with running_service(dsn, database_url=dsn, read_database_url=dsn) as service:
        shop = await service.new_shop()
        await read_everything(shop)
        answered = reads("answered") - before
        assert answered >= len(PAGES) + 1
        assert REGISTRY.get_sample_value("frontdesk_replica_up") == 1
        assert (await shop.get("/customers")).status_code == 200
        assert reads("answered") - before == answered
        assert (await service.http.get(f"{OPEN_API}/customers", headers=ASKING)).status_code == 401


async def test_a_lag_that_the_role_may_not_read_is_not_0(dsn: str) -> None:
    raw = await connect(dsn)
    assert await get_replication(Connection(raw)) == Replication(0, 0.0, 0)
    await raw.execute("SET ROLE pg_signal_backend")
    assert await get_replication(Connection(raw)) == Replication(0, None, None)
    await raw.execute("SET ROLE pg_monitor")
    assert await get_replication(Connection(raw)) == Replication(0, 0.0, 0)
    await raw.close()


def long_with_a_replica(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], Coroutine[Any, Any, None]]:
    for mark in (
        pytest.mark.torture,
        pytest.mark.timeout(300),
        pytest.mark.skipif(not LONG_SECONDS, reason="make torture: the replica is some seconds late"),
        pytest.mark.skipif(not (DEBIAN_15 / "pg_basebackup").exists(), reason="apt-get install postgresql-15"),
    ):
        test = mark(test)
    return test


@long_with_a_replica
async def test_the_lag_of_a_replica_is_measured() -> None:
    """It applies changes two seconds late. The numbers are those of the metrics."""
    with replicated_server("2s") as servers:
        raw, replica = await connect(servers.primary), await connect(servers.replica, wait=60)
        conn = Connection(raw)

        async def write_and_measure() -> Replication:
            await raw.execute("SELECT pg_logical_emit_message(true, 'test', 'a change')")
            return await get_replication(conn)

        async def is_late() -> bool:
            measured = await write_and_measure()
            return measured.replicas == 1 and (measured.lag_seconds or 0) >= 1.0 and bool(measured.lag_bytes)

        async def has_everything() -> bool:
            return (await get_replication(conn)).lag_bytes == 0

        await eventually(is_late, 60)
        await eventually(has_everything, 60)
        await replica.execute("SELECT pg_wal_replay_pause()")
        behind = (await write_and_measure()).lag_bytes or 0
        assert behind > 0
        assert ((await write_and_measure()).lag_bytes or 0) > behind
        await replica.execute("SELECT pg_wal_replay_resume()")
        await eventually(has_everything, 60)
        await replica.close()
        servers.stop_replica()
        await eventually(lambda: raw.fetchval("SELECT NOT EXISTS (SELECT FROM pg_stat_replication)"), 60)
        assert await get_replication(conn) == Replication(0, 0.0, 0)
        await raw.close()


@long_with_a_replica
async def test_nobody_misses_their_own_write_on_a_replica_that_is_five_seconds_late() -> None:
    with replicated_server("5s") as servers:
        await asyncio.to_thread(migrate_now, servers.primary)
        async with running_service(
            servers.primary, database_url=servers.primary, read_database_url=servers.replica
        ) as service:
            writing, reading = await service.new_shop(), await service.new_shop()
            replica = await connect(servers.replica, wait=60)
            await eventually(lambda: replica.fetchval("SELECT to_regclass('tenants') IS NOT NULL"), 60)
            await eventually(lambda: replica.fetchval("SELECT count(*) = 2 FROM tenants"), 60)
            desk = await dashboard_of(writing, await owner_of(writing))
            for number in range(20):
                late, answered = reads("late"), reads("answered")
                phone = f"+9665{number:08}"
                made = await writing.post("/customers", {"first_name": f"Late{number}", "phone": phone})
                assert made.status_code == 201, made.text
                listed = await writing.get("/customers?per_page=100", headers=ASKING)
                assert f"Late{number}" in listed.text
                assert f"Late{number}" in (await desk.get("/customers")).text
                assert reads("late") == late + 2
                assert (await reading.get("/customers", headers=ASKING)).status_code == 200
                assert reads("answered") == answered + 1
            replica_has = "SELECT EXISTS (SELECT FROM customers WHERE first_name = 'Late19')"
            assert not await replica.fetchval(replica_has)
            await eventually(lambda: replica.fetchval(replica_has), 60)
            answered = reads("answered")
            assert "Late19" in (await writing.get("/customers?per_page=100", headers=ASKING)).text
            assert reads("answered") == answered + 1
            await replica.close()
            await desk.http.aclose()
            servers.stop_replica()
            await read_everything(reading)
