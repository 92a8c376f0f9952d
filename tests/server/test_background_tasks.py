"""Background tasks that fail: they go on, they are counted, and the health check names them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from frontdesk.postgres import supervise as supervision
from frontdesk.postgres.supervise import failing_tasks, supervise
from frontdesk.postgres.worker_loop import WorkerLoop
from frontdesk.postgres.write import MAX_ATTEMPTS
from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.http_errors import assert_error
from tests.support.metrics import counted, metric_text
from tests.support.service import Service, running_service
from tests.support.waiting import PATIENCE_SECONDS, eventually


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 0.0)


class Turns:
    """A worker's turns, of which the first ones fail."""

    def __init__(self, failures: int) -> None:
        self.left = failures
        self.worked = asyncio.Event()

    async def take(self) -> None:
        if self.left:
            self.left -= 1
            raise LookupError("a row that nobody expected")
        self.worked.set()


async def test_a_worker_goes_on_after_a_failure_that_nobody_expected(service: Service) -> None:
    turns = Turns(failures=2)
    loop = WorkerLoop("failing twice", turns.take, poll=0.001)
    loop.start()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await turns.worked.wait()
    await loop.stop()
    assert failing_tasks() == []
    counted = await metric_text(service.origin, "frontdesk_task_failures_total")
    assert 'frontdesk_task_failures_total{task="failing twice"} 2.0' in counted


async def test_a_failed_task_logs_the_code_location_and_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    turns = Turns(failures=1)
    loop = WorkerLoop("test worker", turns.take, poll=0.001)
    loop.start()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await turns.worked.wait()
    await loop.stop()
    logged = capsys.readouterr().out
    assert "LookupError" in logged
    assert "test_background_tasks.py" in logged
    assert "nobody expected" not in logged


async def test_a_task_that_keeps_failing_stops_at_once_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 3600.0)
    failed = asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise LookupError

    task = supervise("test task", fail)
    await failed.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await task.finish()
    assert task.is_done


async def test_the_health_check_names_what_keeps_failing_and_is_still_200(empty_dsn: str) -> None:
    """A load balancer that took out every server because of it would turn a small fault into an outage."""
    async with running_service(empty_dsn) as service, pooled_connection(empty_dsn) as raw:
        shop = await service.new_shop()
        await raw.execute("ALTER TABLE request_log RENAME TO request_log_elsewhere")
        asked = 0

        async def ready() -> dict[str, Any]:
            nonlocal asked
            assert (await shop.get("/branches")).status_code == 200  # something to log
            asked += 1
            answer = await service.http.get("/health/ready")
            assert answer.status_code == 200
            read: dict[str, Any] = answer.json()
            return read

        async def is_degraded() -> bool:
            return await ready() == {"status": "degraded", "failing_tasks": ["request log"]}

        await eventually(is_degraded)
        gauge = await metric_text(service.origin, "frontdesk_task_failing")
        assert 'frontdesk_task_failing{task="request log"} 1.0' in gauge
        asked_while_failing = asked
        await raw.execute("ALTER TABLE request_log_elsewhere RENAME TO request_log")

        async def is_well() -> bool:
            return await ready() == {"status": "ok"}

        await eventually(is_well)
        lines = await shop.sql("SELECT FROM request_log WHERE tenant_id = $1")
        assert len(lines) >= asked_while_failing, "what was asked while it failed is not lost"
        assert 'task="request log"} 0.0' in await metric_text(service.origin, "frontdesk_task_failing")


async def test_a_disk_that_is_full_is_503_and_counted(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        branch = await open_branch(await service.new_shop())
        cut = await branch.add_service()
        await branch.add_provider(cut)
        order = branch.order(line(cut), start=start(day(3), "10:00"))
        for sqlstate, reason in (("53100", "disk_full"), ("53200", "out_of_memory"), ("58030", "io_error")):
            before = await _write_failures(service, reason)
            refused = counted("frontdesk_refusals_total", reason="database_down")
            async with _failing_inserts(empty_dsn, sqlstate):
                answer = await branch.shop.post("/orders", order)
            assert_error(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
            assert await _write_failures(service, reason) == before + 1
            assert counted("frontdesk_refusals_total", reason="database_down") == refused + 1
        assert (await branch.shop.post("/orders", order)).status_code == 201


async def test_a_booking_that_another_one_overtakes_each_time_is_counted(empty_dsn: str) -> None:
    async with running_service(empty_dsn) as service:
        branch = await open_branch(await service.new_shop())
        cut = await branch.add_service()
        await branch.add_provider(cut)
        before, refused = (
            counted("frontdesk_write_conflicts_total", reason="slot"),
            counted("frontdesk_refusals_total", reason="database_slow"),
        )
        async with _failing_inserts(empty_dsn, "23P01"):
            answer = await branch.shop.post("/orders", branch.order(line(cut), start=start(day(3), "10:00")))
        assert answer.status_code == 503
        assert counted("frontdesk_write_conflicts_total", reason="slot") == before + MAX_ATTEMPTS + 1
        assert counted("frontdesk_refusals_total", reason="database_slow") == refused + 1


@asynccontextmanager
async def _failing_inserts(dsn: str, sqlstate: str) -> AsyncIterator[None]:
    """As PostgreSQL reports it: a database of this test alone, whose orders cannot be written."""
    async with pooled_connection(dsn) as raw:
        await raw.execute(
            "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '{sqlstate}'; END $$; "
            "CREATE TRIGGER fail BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION fail()"
        )
        yield
        await raw.execute("DROP TRIGGER fail ON orders")


async def _write_failures(service: Service, reason: str) -> float:
    lines = (await metric_text(service.origin, "frontdesk_write_failures_total")).splitlines()
    return next(float(line.rsplit(" ", 1)[1]) for line in lines if f'reason="{reason}"' in line)
