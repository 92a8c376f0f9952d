"""The log of requests: written beside them, bounded, complete after a stop, thrown away by age."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from frontdesk.auth.request_log import MAX_ENTRIES, RequestLog, RequestLogEntry, aggregate_usage
from frontdesk.http.errors import Code
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.server.cleanup import run_cleanup
from tests.factories.expired import insert_ended_session, insert_logged_requests
from tests.support.service import Service, running_service
from tests.support.shop import Shop

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
SCOPES = {"GET /orders": "orders:read", "GET /x": None}


def line(number: int, tenant_id: UUID, *, route: str = "GET /orders", error: str | None = None) -> RequestLogEntry:
    return RequestLogEntry(
        tenant_id, UUID(int=7), NOW + timedelta(seconds=number), f"r{number}", route, 200, 1500, error
    )


def test_an_order_that_is_paid_at_once_uses_both_scopes() -> None:
    paid = line(1, uuid4(), route="POST /orders")._replace(extra_scopes=("transactions:write",))
    uses = aggregate_usage([paid, paid], {"POST /orders": "orders:write"})
    assert [(use.scope, use.uses) for use in uses] == [("orders:write", 2), ("transactions:write", 2)]


def test_a_rejected_request_counts_no_usage() -> None:
    tenant_id = uuid4()
    lines = [
        line(1, tenant_id),
        line(2, tenant_id, error=Code.NOT_FOUND),
        line(3, tenant_id, error=Code.RATE_LIMIT_EXCEEDED),
        line(4, tenant_id, error=Code.INSUFFICIENT_SCOPE),
        line(5, tenant_id, error=Code.FEATURE_DISABLED),
        line(6, tenant_id, route="GET /x"),
    ]
    uses = {use.scope: use for use in aggregate_usage(lines, SCOPES)}
    assert {scope: use.uses for scope, use in uses.items()} == {"orders:read": 2, "": 1}
    assert (uses["orders:read"].first_at, uses["orders:read"].last_at) == (lines[0].at, lines[1].at)


async def test_the_request_log_is_bounded_while_the_database_is_away(dsn: str, own_shop: Shop) -> None:
    log = RequestLog(Pool("postgresql://nobody@127.0.0.1:1/nothing"), SCOPES)
    for number in range(MAX_ENTRIES + 100):
        log.add(line(number, own_shop.tenant_id))
    with pytest.raises(ConnectionRefusedError):
        await log.flush()
    log.add(line(MAX_ENTRIES + 100, own_shop.tenant_id))
    back = Pool(dsn)
    log._database = back
    await log.flush()
    await back.close()
    (row,) = await own_shop.sql(
        "SELECT count(*), min(at) AS first, max(at) AS last FROM request_log "
        "WHERE tenant_id = $1 AND caller_id = '00000000-0000-0000-0000-000000000007'"
    )
    newest = NOW + timedelta(seconds=MAX_ENTRIES + 100)
    assert tuple(row) == (MAX_ENTRIES, newest - timedelta(seconds=MAX_ENTRIES - 1), newest)


async def test_a_service_that_is_stopped_has_written_everything(dsn: str, own_shop: Shop) -> None:
    async with running_service(dsn) as service:
        shop = Shop(service.origin, dsn, own_shop.sandbox)
        token = await shop.new_token()
        for number in range(5):
            await shop.get("/items", token=token, headers={"x-request-id": f"last-{number}"})
        await shop.key_call("GET", "/items")
    rows = await own_shop.sql("SELECT request_id, route, status, microseconds FROM request_log WHERE tenant_id = $1")
    assert {f"last-{number}" for number in range(5)} <= {row["request_id"] for row in rows}
    assert {row["route"] for row in rows} == {"GET /open-api/v1/items", "GET /api/v1/items"}
    assert all(row["status"] == 200 and row["microseconds"] > 0 for row in rows)
    uses = await own_shop.sql("SELECT scope, uses FROM scope_usage WHERE tenant_id = $1")
    assert {(row["scope"], row["uses"]) for row in uses} == {("items:read", 5), ("", 1)}


async def test_two_processes_add_up_what_they_counted(dsn: str, own_shop: Shop) -> None:
    database = Pool(dsn)
    logs = [RequestLog(database, SCOPES) for _ in range(2)]
    for number in range(6):
        logs[number % 2].add(line(number, own_shop.tenant_id))
    for log in logs:
        await log.flush()
        await log.flush()
    await database.close()
    (row,) = await own_shop.sql("SELECT uses, first_used_at, last_used_at FROM scope_usage WHERE tenant_id = $1")
    assert tuple(row) == (6, NOW, NOW + timedelta(seconds=5))


async def test_old_lines_and_sessions_are_thrown_away(service: Service, own_shop: Shop, conn: Connection) -> None:
    for age in ("13 days", "15 days"):
        await insert_logged_requests(own_shop, age, request_id=age, route="GET /x")
    for age in ("26 days", "31 days"):
        await insert_ended_session(own_shop, age)
    database = Pool(service.dsn)
    await run_cleanup(database)
    await database.close()
    kept = await own_shop.sql("SELECT request_id FROM request_log WHERE tenant_id = $1 AND route = 'GET /x'")
    assert [row["request_id"] for row in kept] == ["13 days"]
    sessions = await own_shop.sql(
        "SELECT address FROM sessions WHERE user_id = (SELECT user_id FROM memberships WHERE tenant_id = $1)"
    )
    assert [row["address"] for row in sessions] == ["26 days"]
