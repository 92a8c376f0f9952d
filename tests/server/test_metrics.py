"""What a scrape shows: pools, refusals, writes, the busiest tenants, the database, and the program itself."""

import asyncio
import time
from pathlib import Path
from uuid import uuid4

import pytest
from prometheus_client.parser import text_string_to_metric_families

from frontdesk import __version__
from frontdesk.http.tenant_load import MAX_COUNTED, SHOWN, TenantLoad
from frontdesk.postgres.pool import Pool, PoolTimeout, connect
from frontdesk.postgres.pool_metrics import measure_pools
from frontdesk.server.cleanup import run_cleanup
from frontdesk.server.metrics import MetricsSource
from frontdesk.version import schema_number
from tests.factories.users import owner_of
from tests.support.dashboard import dashboard_of
from tests.support.metrics import counted, metric_text
from tests.support.servers.faulty_proxy import faulty_proxy
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

Sample = tuple[str, tuple[tuple[str, str], ...]]
MINUTE = 60.0


async def scrape(source: MetricsSource) -> dict[Sample, float]:
    text = (await asyncio.to_thread(source.read)).decode()
    found = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in found}


async def scrape_database(source: MetricsSource) -> dict[Sample, float]:
    """The database has a second for its answer, in which a busy machine may not run it."""

    async def look() -> dict[Sample, float]:
        found = await scrape(source)
        return found if found["frontdesk_database_up", ()] == 1 else {}

    return await eventually(look)


async def test_connections_in_use_and_who_waits_for_one(dsn: str) -> None:
    pool = Pool(dsn, size=2, wait=30.0, name="measured")
    held = [await pool.take(), await pool.take()]
    waiting = asyncio.create_task(pool.take())
    await eventually(lambda: pool.turns.all_waiting == 1)
    measure_pools()
    assert [counted(f"frontdesk_pool_{of}", pool="measured") for of in ("size", "in_use", "waiting")] == [2, 2, 1]
    pool.release(held[0])
    pool.release(await waiting)
    measure_pools()
    assert [counted(f"frontdesk_pool_{of}", pool="measured") for of in ("in_use", "waiting")] == [1, 0]
    pool.release(held[1])
    await pool.close()
    assert counted("frontdesk_pool_wait_seconds_count", pool="measured") == 1


async def test_a_wait_in_vain_is_measured_too(dsn: str) -> None:
    pool = Pool(dsn, size=1, name="measured in vain")
    held = await pool.take()
    with pytest.raises(PoolTimeout):
        await pool.take(wait=0.01)
    pool.release(held)
    await pool.close()
    assert counted("frontdesk_pool_wait_seconds_count", pool="measured in vain") == 1


async def test_requests_above_the_rate_limit_are_counted_as_refused(service: Service) -> None:
    shop = await service.new_shop(rate_limit=1)
    before = counted("frontdesk_refusals_total", reason="rate_limit")
    refused = [(await shop.get("/branches")).status_code for _ in range(3)].count(429)
    assert refused >= 1  # the minute may end meanwhile
    assert counted("frontdesk_refusals_total", reason="rate_limit") == before + refused


async def test_the_last_write_has_a_time(service: Service) -> None:
    shop, before = await service.new_shop(), time.time()
    customer = {"first_name": "Noura", "phone": "+966503456711", "phone_country": "SA"}
    assert (await shop.post("/customers", customer)).status_code == 201
    written = counted("frontdesk_last_write_timestamp_seconds")
    assert before <= written
    assert (await shop.get("/customers")).status_code == 200
    assert counted("frontdesk_last_write_timestamp_seconds") == written


async def test_open_pages_are_counted_while_they_are_open(service: Service) -> None:
    shop = await service.new_shop()
    desk = await dashboard_of(shop, await owner_of(shop))
    before = counted("frontdesk_live_pages")
    async with desk.http.stream("GET", "/live?after=0", headers={"accept": "text/event-stream"}) as events:
        await anext(events.aiter_bytes())
        assert counted("frontdesk_live_pages") == before + 1
    await eventually(lambda: counted("frontdesk_live_pages") == before)


async def test_the_last_clean_up_has_a_time(dsn: str) -> None:
    before = time.time()
    database = Pool(dsn)
    await run_cleanup(database)
    await database.close()
    assert counted("frontdesk_cleanup_timestamp_seconds") >= before


async def test_a_scrape_names_the_program_and_the_state_of_the_database(dsn: str) -> None:
    found = await scrape_database(MetricsSource(dsn))
    (build,) = [dict(labels) for name, labels in found if name == "frontdesk_build_info"]
    assert (build["version"], build["schema"]) == (__version__, str(schema_number()))
    assert {queue for name, queue in found if name == "frontdesk_queue_due"} == {
        (("queue", queue),) for queue in ("imports", "messages", "webhooks")
    }
    assert 0 < found["frontdesk_database_connections", ()] <= found["frontdesk_database_max_connections", ()]
    assert found["frontdesk_replicas", ()] == 0


async def test_a_lag_that_cannot_be_read_has_no_value(empty_dsn: str) -> None:
    raw = await connect(empty_dsn)
    await raw.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO pg_signal_backend")
    await raw.close()
    modest = f"{empty_dsn}&options=-c%20role%3Dpg_signal_backend"
    source, found = MetricsSource(modest), dict[Sample, float]()

    async def is_read() -> bool:
        found.update(await scrape(source))
        return ("frontdesk_replicas", ()) in found

    await eventually(is_read)
    assert not [name for name, _ in found if name.startswith("frontdesk_replication_lag")]


async def test_a_scrape_does_not_wait_for_a_database_that_hangs(dsn: str) -> None:
    """It shows what was read last, and how long ago that was."""
    async with faulty_proxy(dsn) as proxy:
        source = MetricsSource(proxy.dsn)
        before = await scrape_database(source)
        proxy.freeze()
        frozen = [await scrape(source) for _ in range(2)]
        for found in frozen:
            assert found["frontdesk_database_up", ()] == 0
            assert found["frontdesk_database_max_connections", ()] == before["frontdesk_database_max_connections", ()]
        ages = [found["frontdesk_database_metrics_age_seconds", ()] for found in (before, *frozen)]
        assert ages == sorted(ages)
        proxy.heal()
        await scrape_database(source)


async def test_a_scrape_shows_what_it_can_while_the_database_was_never_reached() -> None:
    found = await scrape(MetricsSource("postgresql://127.0.0.1:1/nowhere"))
    assert found["frontdesk_database_up", ()] == 0
    assert not any(name == "frontdesk_queue_due" for name, _ in found)


async def test_requests_are_added_to_the_load_of_their_tenant(shop: Shop, service: Service) -> None:
    """Counted a moment after the answer, as all metrics of requests."""
    load = TenantLoad()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("frontdesk.http.access_log.LOAD", load)
        assert (await shop.get("/branches")).status_code == 200
        await metric_text(service.origin, "frontdesk_requests_total")
    load.end_minute(MINUTE)
    assert load.of_last_minute(MINUTE)[str(shop.tenant_id)].requests >= 1


def test_the_ten_busiest_tenants_are_shown_and_few_are_remembered() -> None:
    load, busy = TenantLoad(), [uuid4() for _ in range(SHOWN)]
    for tenant in busy:
        load.add(tenant, 100.0)
    for _ in range(3 * MAX_COUNTED):
        load.add(uuid4(), 0.001)
        assert len(load._counting) <= MAX_COUNTED
    load.end_minute(MINUTE)
    assert set(load.of_last_minute(MINUTE)) == {str(tenant) for tenant in busy}
    assert load.of_last_minute(2 * MINUTE) == {}  # nobody has ended that minute: the process does not answer


def test_the_load_of_several_processes_is_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tenant, folder = uuid4(), str(tmp_path)
    for process, requests in ((11, 2), (12, 3), (13, 40)):
        monkeypatch.setattr("os.getpid", lambda process=process: process)
        load = TenantLoad()
        for _ in range(requests):
            load.add(tenant, 0.5)
        load.end_minute(MINUTE if process == 13 else 10 * MINUTE, folder)  # the last one has ended long ago
    assert TenantLoad().of_last_minute(10 * MINUTE, folder) == {str(tenant): (5, 2.5)}
