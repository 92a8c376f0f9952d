"""Slow work of one business: short requests of all, and slow ones of others, are answered meanwhile."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from tempfile import TemporaryFile
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from frontdesk.imports.problems import FileProblem
from frontdesk.imports.reading import read_in_process
from frontdesk.problems import Problem
from frontdesk.runtime.limited_process import Limits
from frontdesk.runtime.slow_work import PDFS, QUERIES, RECEIVING, RETRY_SECONDS
from tests.factories.users import owner_of
from tests.imports.workbooks import workbook
from tests.orders.test_refund import sell
from tests.support.branch import holding
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service, patient_service
from tests.support.shop import Shop
from tests.support.waiting import answered, eventually
from tests.ui.imports.test_import import upload

REPORT = "/reports/payments"
LOCKED = "LOCK TABLE method_sums IN ACCESS EXCLUSIVE MODE"  # so that the report takes long
BOUNDARY = "frontdesk-test"


@pytest.fixture
async def patient(empty_dsn: str) -> AsyncIterator[Service]:
    async with patient_service(empty_dsn) as running:
        yield running


@pytest.fixture
async def shop(service: Service) -> Shop:
    """A business of this test's own."""
    return await service.new_shop()


@pytest.fixture
async def desk(shop: Shop) -> AsyncIterator[DashboardClient]:
    """Its owner."""
    async with await dashboard_of(shop, await owner_of(shop)) as signed_in:
        yield signed_in


async def test_reports_that_take_long_hold_no_connection_that_others_wait_for(patient: Service) -> None:
    quiet, busy = await patient.new_shop(), await patient.new_shop()
    await quiet.token()
    async with await dashboard_of(busy, await owner_of(busy)) as desk, holding(patient.dsn, LOCKED):
        reports = [asyncio.create_task(desk.http.get(REPORT)) for _ in range(QUERIES.share + QUERIES.waiting)]
        await eventually(lambda: QUERIES.running == QUERIES.share)
        for _ in range(3):
            assert (await quiet.get("/branches")).status_code == 200
        assert not any(task.done() for task in reports)
        for task in reports:
            task.cancel()
        await asyncio.gather(*reports, return_exceptions=True)
    await eventually(lambda: QUERIES.running == 0)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "The service is busy with other files and reports."), ("ar", "الخدمة مشغولة بملفات وتقارير أخرى.")],
)
async def test_too_many_reports_of_a_business_are_refused_in_its_language(
    shop: Shop, desk: DashboardClient, monkeypatch: pytest.MonkeyPatch, language: str, sentence: str
) -> None:
    await desk.post("/language", {"language": language})
    monkeypatch.setattr(QUERIES, "waiting", 0)
    async with AsyncExitStack() as stack:
        for _ in range(QUERIES.share):
            await stack.enter_async_context(QUERIES.turn(shop.tenant_id))
        refused = await desk.http.get(REPORT)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, str(RETRY_SECONDS))
        assert sentence in refused.text
    assert (await desk.http.get(REPORT)).status_code == 200


async def test_slow_uploads_of_a_business_block_nobody_else(service: Service, desk: DashboardClient) -> None:
    over = asyncio.Event()
    slow = [asyncio.create_task(_upload_slowly(desk, over)) for _ in range(RECEIVING.slots + 1)]
    await eventually(lambda: RECEIVING.running == RECEIVING.share)
    quiet = await service.new_shop()
    async with await dashboard_of(quiet, await owner_of(quiet)) as other:
        assert (await upload(other, "name,phone\nSara,0501000042\n")).status_code == 303
    over.set()
    assert {(await task).status_code for task in slow} <= {403, 422, 503}  # the form has no token
    await eventually(lambda: RECEIVING.running == 0)


async def _upload_slowly(desk: DashboardClient, over: asyncio.Event) -> httpx2.Response:
    async def body() -> AsyncIterator[bytes]:
        yield f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname'.encode()
        await over.wait()
        yield f",phone\r\nSara,0501000041\r\n--{BOUNDARY}--\r\n".encode()

    headers = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
    return await desk.http.post("/import", content=body(), headers=headers)


def _many_cells() -> str:
    noise = f"<!--{random.Random(1).randbytes(100_000).hex()}-->"  # packs badly, so it is no zip bomb by its ratio
    return noise + f"<row>{'<c><v>1</v></c>' * 10}</row>" * 80_000


def _cells_far_apart() -> str:
    """The library fills what is between them."""
    return '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="CV1048576"><v>1</v></c></row>'


@pytest.mark.parametrize(("sheet", "cpu_seconds"), [(_many_cells, 1), (_cells_far_apart, 60)])
async def test_a_workbook_that_takes_too_much_is_refused_by_the_limits_of_its_process(
    sheet: Callable[[], str], cpu_seconds: int
) -> None:
    with TemporaryFile() as file:
        file.write(workbook(sheet(), ""))
        file.flush()
        with pytest.raises(Problem) as refused:
            async with read_in_process(uuid4(), file, Limits(cpu_seconds, seconds=120.0)):
                pass
    assert (refused.value.kind, refused.value.at) == (FileProblem.TOO_SLOW, ("file",))


async def test_a_pdf_that_was_rendered_before_waits_for_no_other(shop: Shop) -> None:
    sale: dict[str, Any] = await sell(shop, quantity=2, discount=1, pay=[])
    path = f"/pos/orders/{sale['id']}/invoice"
    assert (await shop.key_call("POST", path)).status_code == 201
    first = await answered(lambda: shop.key_call("GET", f"{path}?format=pdf"))
    assert first.status_code == 200, first.text
    async with PDFS.turn("another business"):
        again = await shop.key_call("GET", f"{path}?format=pdf")
    assert (again.status_code, again.content) == (200, first.content)
