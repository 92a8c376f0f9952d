"""Exports are streamed: what cannot begin is refused before the head, and what has begun is finished."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import httpx2
import pytest

from frontdesk.exports import queries
from frontdesk.runtime.slow_work import QUERIES, RETRY_SECONDS
from tests.factories.users import owner_of
from tests.support.branch import holding
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service, patient_service
from tests.support.shop import Shop
from tests.support.waiting import eventually

NO_RECORDS = "LOCK TABLE activity IN SHARE MODE"  # an export waits between its first batch and its head
NO_CUSTOMERS = "LOCK TABLE customers IN ACCESS EXCLUSIVE MODE"
WAITING = """SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND $1::uuid IS NOT NULL"""
CANCEL = """SELECT pg_cancel_backend(pid) FROM pg_locks
    WHERE relation = 'customers'::regclass AND NOT granted AND $1::uuid IS NOT NULL"""
DOWNLOADS = "SELECT count(*) FROM activity WHERE tenant_id = $1 AND action = 'export.downloaded'"


@pytest.fixture(scope="module")
async def service(dsn: str) -> AsyncIterator[Service]:
    async with patient_service(dsn) as running:
        yield running


@pytest.fixture
async def shop(service: Service) -> Shop:
    """A business of this test's own."""
    return await service.new_shop()


@pytest.fixture
async def desk(shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(shop, await owner_of(shop)) as signed_in:
        yield signed_in


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "BATCH", 1)


async def downloads(shop: Shop) -> int:
    found = await shop.sql(DOWNLOADS)
    return int(found[0][0])


async def first_batch_was_read(shop: Shop) -> None:
    """Of the one export that is running, which waits for NO_RECORDS now."""
    await eventually(lambda: shop.sql(WAITING))


async def take_all_turns(stack: AsyncExitStack, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new export of the business is refused from now on."""
    monkeypatch.setattr(QUERIES, "waiting", 0)
    for _ in range(QUERIES.share):
        await stack.enter_async_context(QUERIES.turn(shop.tenant_id))


@pytest.mark.parametrize("extension", ["csv", "xlsx"])
async def test_an_export_that_cannot_begin_is_503_and_not_recorded(
    shop: Shop,
    desk: DashboardClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    extension: str,
) -> None:
    async with AsyncExitStack() as stack:
        await take_all_turns(stack, shop, monkeypatch)
        refused = await desk.http.get(f"/export/customers.{extension}")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, str(RETRY_SECONDS))
        assert "content-disposition" not in refused.headers
    assert await downloads(shop) == 0
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert (await desk.http.get(f"/export/customers.{extension}")).status_code == 200
    assert await downloads(shop) == 1


async def test_an_export_that_has_begun_waits_for_its_turns(
    shop: Shop, desk: DashboardClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (await desk.http.get("/export/customers.csv")).content
    async with AsyncExitStack() as stack:
        async with holding(shop.dsn, NO_RECORDS):
            export = asyncio.create_task(desk.http.get("/export/customers.csv"))
            await first_batch_was_read(shop)
            await take_all_turns(stack, shop, monkeypatch)
        await eventually(lambda: QUERIES._lines[shop.tenant_id].waiting(None) == 1)
        assert not export.done()
    assert (await export).content == whole


async def test_many_exports_of_a_business_at_once_are_whole_or_refused(shop: Shop, desk: DashboardClient) -> None:
    whole = (await desk.http.get("/export/customers.csv")).content
    async with httpx2.AsyncClient(
        base_url=shop.origin, cookies=desk.http.cookies, limits=httpx2.Limits(max_connections=30)
    ) as http:
        answers = await asyncio.gather(*(http.get("/export/customers.csv", timeout=120) for _ in range(20)))
    begun = [answer for answer in answers if answer.status_code == 200]
    assert {answer.content for answer in begun} == {whole}
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert len(begun) >= QUERIES.share + QUERIES.waiting
    assert await downloads(shop) == 1 + len(begun)


async def test_an_export_that_the_database_ends_is_cut_off_without_a_traceback(
    shop: Shop, desk: DashboardClient, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    async with AsyncExitStack() as stack:
        async with holding(shop.dsn, NO_RECORDS):
            export = asyncio.create_task(desk.http.get("/export/customers.csv"))
            await first_batch_was_read(shop)
            await stack.enter_async_context(holding(shop.dsn, NO_CUSTOMERS))
        await eventually(lambda: shop.sql(CANCEL))
        with pytest.raises(httpx2.RemoteProtocolError):
            await export
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    logged = capfd.readouterr().out
    assert "response cut off" in logged
    assert "QueryCanceledError" in logged


async def test_no_batch_is_read_for_a_reader_who_is_gone(
    shop: Shop, desk: DashboardClient, capfd: pytest.CaptureFixture[str]
) -> None:
    output = ""

    def statements() -> list[int]:
        nonlocal output
        output += capfd.readouterr().out
        return [int(n) for n in re.findall(r'"route":"GET /export/customers.csv".*"statements":(\d+)', output)]

    whole = (await desk.http.get("/export/customers.csv")).content
    async with holding(shop.dsn, NO_RECORDS):
        export = asyncio.create_task(desk.http.get("/export/customers.csv"))
        await first_batch_was_read(shop)
        export.cancel()
        await asyncio.gather(export, return_exceptions=True)
    await eventually(lambda: len(statements()) == 2)
    of_all, of_gone = statements()
    assert of_all > whole.count(b"\n")
    assert of_gone < 6
