"""A slow statement is logged with the request or the task that it was for."""

import pytest
from prometheus_client import REGISTRY

from frontdesk.config import Settings
from frontdesk.postgres import replica
from frontdesk.postgres.pool import Pool
from frontdesk.postgres.slow_statements import statement_name
from frontdesk.postgres.supervise import supervise
from frontdesk.postgres.write import _sql
from tests.support.service import running_service
from tests.support.waiting import PATIENCE_SECONDS

Printed = pytest.CaptureFixture[str]


def slow_lines(capsys: Printed) -> list[str]:
    return [line for line in capsys.readouterr().out.splitlines() if "slow statement" in line]


async def test_the_log_names_request_route_statement_and_process(
    dsn: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "slow_seconds", 0.0)  # every statement is
    async with running_service(dsn) as service:
        shop = await service.new_shop()
        request_id = (await shop.get("/branches")).headers["x-request-id"]
    (line,) = [line for line in slow_lines(capsys) if request_id in line]
    statement = "statement=authenticate_access_token budgeted_scopes "
    for part in ("route=GET /open-api/v1/branches", statement, " branches", "ms=", "pid="):
        assert part in line.replace("'", "")


def count_of(pool: str) -> float:
    return REGISTRY.get_sample_value("frontdesk_slow_statements_total", {"pool": pool}) or 0.0


async def test_statements_on_the_replica_are_logged_and_counted_too(
    dsn: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "slow_seconds", 0.0)
    monkeypatch.setattr(replica, "_CONNECT_SECONDS", PATIENCE_SECONDS)  # a busy machine needs more than usual
    before = count_of("replica")
    async with running_service(dsn, database_url=dsn, read_database_url=dsn) as service:
        shop = await service.new_shop()
        answer = await shop.get("/customers", headers={"Frontdesk-Read": "replica"})
        assert answer.status_code == 200, answer.text
    lines = [line for line in slow_lines(capsys) if answer.headers["x-request-id"] in line and "pool=replica" in line]
    assert any("customers" in line for line in lines)
    assert count_of("replica") >= before + len(lines)


async def test_the_log_names_the_task_and_no_value(dsn: str, capsys: Printed) -> None:
    database = Pool(dsn, slow_seconds=0.0)

    async def work() -> None:
        async with database.connection() as conn:
            await conn.fetchval("SELECT count(*) FROM tenants WHERE name = $1", "a secret name")

    task = supervise("test task", work)
    await task.finish()
    await database.close()
    (line,) = [line for line in slow_lines(capsys) if "test task" in line]
    assert "statement=tenants" in line
    assert "secret" not in line


async def test_other_statements_are_not_logged(dsn: str, capsys: Printed) -> None:
    for pool in (Pool(dsn, slow_seconds=3600.0), Pool(dsn)):
        async with pool.connection() as conn, conn.transaction():
            await conn.fetchval("SELECT 1")
        await pool.close()
    assert slow_lines(capsys) == []


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        (_sql("create_order", "order_document"), "create_order order_document"),
        ("UPDATE orders SET note = $2 FROM customers c JOIN tags ON true", "orders customers tags"),
        ("COMMIT", "COMMIT"),
    ],
)
def test_a_statement_is_named_by_its_functions_and_tables(sql: str, name: str) -> None:
    assert statement_name(sql) == name
