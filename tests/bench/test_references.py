"""The references of the benchmark return what the service returns, and the full one refuses what it must."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import datetime, time, timedelta
from itertools import count
from typing import Any
from uuid import UUID

import httpx2
import msgspec
import pytest

from bench.processes import Server, running_reference
from bench.reference.bare import ReferenceTenants
from bench.reference.full import create_table, full_reference
from bench.reference.verify import assert_same_order, assert_same_response
from bench.requests import OPEN_API, Orders, order_body
from bench.scenarios.reads import calls_of, make_tenants
from bench.tenants import BookableTenant, make_bookable_sandbox
from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_rows
from tests.factories.tenant_rows import ConnectionRows
from tests.support.connections import pooled_connection
from tests.support.service import Service

Order = dict[str, Any]
_days = count()


def _server(service: Service) -> Server:
    return Server("service", os.getpid(), int(service.origin.rpartition(":")[2]))


async def test_references_return_the_same_reads(service: Service, conn: Connection) -> None:
    tenants = await make_tenants(conn, providers=2)
    ids = ReferenceTenants(reads=tenants.reads.tenant_id, availability=tenants.availability.access.tenant_id)
    with running_reference(service.dsn, None) as full, running_reference(service.dsn, ids) as bare:
        for call in calls_of(tenants):
            await asyncio.to_thread(assert_same_response, call, _server(service), full, bare)


async def test_references_return_the_same_orders(service: Service, conn: Connection) -> None:
    tenants = [await make_bookable_sandbox(conn) for _ in range(3)]
    ids = ReferenceTenants(orders=tenants[-1].access.tenant_id)
    with running_reference(service.dsn, None) as full, running_reference(service.dsn, ids) as bare:
        orders, servers = [Orders([tenant]) for tenant in tenants], [_server(service), full, bare]
        await asyncio.to_thread(assert_same_order, tenants, orders, servers)


@pytest.fixture(scope="module")
async def tenant(service: Service) -> BookableTenant:
    async with pooled_connection(service.dsn) as raw:
        return await make_bookable_sandbox(Connection(raw))


@pytest.fixture(scope="module")
async def http(tenant: BookableTenant, service: Service) -> AsyncIterator[httpx2.AsyncClient]:
    await create_table(service.dsn)
    app = full_reference(service.dsn)
    transport = httpx2.ASGITransport(app=app)
    headers = {"authorization": f"Bearer {tenant.access.token}"}
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://bench{OPEN_API}", headers=headers) as client:
        yield client
    await app.close()


@pytest.fixture
def order(tenant: BookableTenant) -> Order:
    """Each test takes a day of its own."""
    start = datetime.combine(tenant.first_day + timedelta(days=next(_days)), time(10))
    return order_body(tenant, 0, tenant.staff_ids[0], start, paid=True)


async def _post(http: httpx2.AsyncClient, order: Order, key: str | None = None) -> httpx2.Response:
    headers = {"idempotency-key": key} if key else {}
    return await http.post("/orders", content=msgspec.json.encode(order), headers=headers)


async def test_a_repeated_key_returns_the_stored_response(
    http: httpx2.AsyncClient, order: Order, conn: Connection, tenant: BookableTenant
) -> None:
    counted = "SELECT (SELECT count(*) FROM events WHERE tenant_id = $1), count(*) FROM orders WHERE tenant_id = $1"
    (before,) = await conn.fetch(counted, tenant.access.tenant_id)
    first, second = await asyncio.gather(_post(http, order, "one"), _post(http, order, "one"))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert first.status_code == 201
    assert {"idempotent-replayed" in answer.headers for answer in (first, second)} == {False, True}
    (after,) = await conn.fetch(counted, tenant.access.tenant_id)
    assert [new - old for new, old in zip(after, before, strict=True)] == [1, 1]
    other = await _post(http, {**order, "customer_id": tenant.customer_ids[1]}, "one")
    assert (other.status_code, other.json()["error"]) == (422, "idempotency_key_reused")


async def test_a_taken_time_is_refused(http: httpx2.AsyncClient, order: Order) -> None:
    assert (await _post(http, order)).status_code == 201
    answer = await _post(http, order)
    assert (answer.status_code, answer.json()["error"]) == (422, "timeslot_unavailable")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"start": "2020-01-01T10:00:00"}, "timeslot_unavailable"),
        ({"start": "2030-01-01T10:01:00"}, "timeslot_unavailable"),
        ({"customer_id": UUID(int=1)}, "validation_error"),
        ({"team_id": UUID(int=1)}, "validation_error"),
        ({"items": []}, "validation_error"),
        ({"payment": {"amount": 50, "payment_method_id": UUID(int=1)}}, "payment_method_not_found"),
    ],
)
async def test_a_wrong_order_is_refused(
    http: httpx2.AsyncClient, order: Order, change: dict[str, object], error: str
) -> None:
    answer = await _post(http, {**order, **change})
    assert (answer.status_code, answer.json()["error"]) == (422, error)


async def test_a_payment_above_the_total_is_refused(http: httpx2.AsyncClient, order: Order) -> None:
    answer = await _post(http, {**order, "payment": {**order["payment"], "amount": 51}})
    assert (answer.status_code, answer.json()["error"]) == (422, "validation_error")


async def test_an_unknown_token_is_refused(http: httpx2.AsyncClient, tenant: BookableTenant) -> None:
    for token in (tenant.access.token[:-1] + "-", "nonsense", ""):
        answer = await http.get("/orders", headers={"authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["error"]) == (401, "authentication_failed")


async def test_scope_and_limit_are_those_of_now(
    http: httpx2.AsyncClient, tenant: BookableTenant, conn: Connection
) -> None:
    rows = ConnectionRows(conn, tenant.access.tenant_id)
    limit = int((await http.get("/orders?per_page=1")).headers["x-ratelimit-limit"])
    await change_rows(rows, "api_clients", scopes=["items:read"])
    assert (await http.get("/orders")).json()["error"] == "insufficient_scope"
    await change_rows(rows, "api_clients", scopes=["*"], rate_limit=1)
    answers = [await http.get("/orders") for _ in range(3)]
    await change_rows(rows, "api_clients", rate_limit=limit)
    refused = [answer for answer in answers if answer.status_code == 429]  # all, unless a minute ends
    assert refused
    assert all(1 <= int(answer.headers["retry-after"]) <= 60 for answer in refused)
