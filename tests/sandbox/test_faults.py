"""Faults that a sandbox has on purpose: what they answer, how often, where, and that no other business has them."""

import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from frontdesk.apis.open.api import open_api
from frontdesk.apis.openapi.build import operation_errors
from frontdesk.apis.pos.api import pos_api
from frontdesk.http.endpoints import Endpoint
from frontdesk.http.errors import STATUS, Code
from frontdesk.sandbox.fault_routes import possible_fault
from frontdesk.sandbox.faults import AddSandboxFault
from frontdesk.tenants.fault_queries import FaultKind
from tests.factories.changes import change_tenant
from tests.support.branch import line, open_branch
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.repetitions import share
from tests.support.shop import Shop


async def add(shop: Shop, **fault: Any) -> dict[str, Any]:
    added: dict[str, Any] = json_exact(await shop.post("/sandbox/faults", fault), 201)["data"]
    return added


async def faults(shop: Shop) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json_exact(await shop.get("/sandbox/faults"))["data"]
    return listed


async def customers(shop: Shop, name: str) -> int:
    return len(await shop.sql("SELECT id FROM customers WHERE tenant_id = $1 AND first_name = $2", name))


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "authentication_failed"),
        (429, "rate_limit_exceeded"),
        (500, "internal_error"),
        (502, "availability_check_failed"),
        (503, "service_unavailable"),
    ],
)
async def test_an_error_befalls_the_next_requests_and_nothing_is_done(own_shop: Shop, status: int, code: str) -> None:
    hair = await open_branch(own_shop)
    order = hair.order(line(await hair.add_product(), "product"))
    before = len(await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1"))
    added = await add(own_shop, kind="error", status=status, times=2)
    assert (added["code"], added["remaining"]) == (code, 2)
    for _ in range(2):
        refused = await own_shop.post("/orders", order)
        assert_error(refused, status, code)
        assert ("retry-after" in refused.headers) == (status in (429, 503))
    assert len(await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1")) == before
    json_exact(await own_shop.post("/orders", order), 201)
    assert [fault["remaining"] for fault in await faults(own_shop)] == [0]
    assert [row["has_faults"] for row in await own_shop.sql("SELECT has_faults FROM tenants WHERE id = $1")] == [False]


async def test_a_key_in_use_says_when_to_come_again(own_shop: Shop) -> None:
    """As it does without a fault; a conflict of versions does not."""
    await add(own_shop, kind="error", code="idempotency_key_in_use")
    refused = await own_shop.post("/customers", {"first_name": "Somebody"})
    assert_error(refused, 409, "idempotency_key_in_use")
    assert refused.headers["retry-after"] == "1"


async def test_a_fault_befalls_its_operation_only(own_shop: Shop) -> None:
    await add(own_shop, kind="error", code="timeslot_unavailable", route="POST /orders")
    json_exact(await own_shop.get("/branches"))
    json_exact(await own_shop.post("/customers", {"first_name": "Somebody"}), 201)
    assert_error(await own_shop.post("/orders", {}), 422, "timeslot_unavailable")


async def test_the_till_has_faults_too(own_shop: Shop) -> None:
    await add(own_shop, kind="error", status=503, route="GET /pos/orders")
    assert_error(await own_shop.key_call("GET", "/pos/orders"), 503, "service_unavailable")
    json_exact(await own_shop.key_call("GET", "/pos/orders"))


async def test_a_lost_answer_was_done_and_is_replayed_with_its_key(own_shop: Shop) -> None:
    await add(own_shop, kind="lost_answer", route="POST /customers")
    key = {"idempotency-key": "lost-once"}
    with pytest.raises(httpx2.RemoteProtocolError):
        await own_shop.post("/customers", {"first_name": "Lost"}, headers=key)
    assert await customers(own_shop, "Lost") == 1
    again = await own_shop.post("/customers", {"first_name": "Lost"}, headers=key)
    assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
    assert await customers(own_shop, "Lost") == 1


async def test_a_slow_answer_is_an_answer(own_shop: Shop) -> None:
    await add(own_shop, kind="slow", seconds=1, route="GET /branches")
    began = time.monotonic()
    json_exact(await own_shop.get("/branches"))
    assert time.monotonic() - began >= 1


async def test_a_revoked_token_stays_revoked_and_a_new_one_works(own_shop: Shop) -> None:
    token = await own_shop.token()
    await add(own_shop, kind="token_revoked")
    for _ in range(2):
        assert_error(await own_shop.get("/branches", token=token), 401, "authentication_failed")
    json_exact(await own_shop.get("/branches", token=await own_shop.new_token()))


async def test_a_token_is_refused_on_purpose(own_shop: Shop) -> None:
    await own_shop.token()
    await add(own_shop, kind="error", status=429, route="POST /oauth/token")
    assert_error(await own_shop.ask_for_token(), 429, "rate_limit_exceeded")
    assert (await own_shop.ask_for_token()).status_code == 200


async def test_all_are_cleared_at_once(own_shop: Shop) -> None:
    await add(own_shop, kind="error", times=1000)
    assert (await own_shop.request("DELETE", "/sandbox/faults")).status_code == 204
    assert await faults(own_shop) == []
    json_exact(await own_shop.get("/branches"))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "error", "status": 418}, "status"),
        ({"kind": "error", "status": 500, "code": "not_found"}, "status"),
        ({"kind": "error", "code": "no_such_code"}, "code"),
        ({"kind": "slow", "status": 500}, "kind"),
        ({"kind": "slow", "seconds": 13}, "seconds"),
        ({"kind": "lost_answer", "seconds": 1}, "seconds"),
        ({"kind": "none"}, "kind"),
        ({"kind": "slow", "times": 0}, "times"),
        ({"kind": "slow", "route": "orders"}, "route"),
        ({"kind": "slow", "route": "POST /bookings"}, "route"),
        ({"kind": "slow", "route": "GET /sandbox/clock"}, "route"),
        ({"kind": "slow", "route": "order.created"}, "route"),
        ({"kind": "webhook_lost", "route": "POST /orders"}, "route"),
        ({"kind": "webhook_lost", "route": "order.made"}, "route"),
        ({"kind": "token_revoked", "route": "POST /oauth/token"}, "kind"),
        ({"kind": "error", "code": "timeslot_unavailable", "route": "GET /branches"}, "code"),
        ({"kind": "error", "status": 404, "route": "GET /branches"}, "status"),
        ({"kind": "error", "code": "gone", "route": "GET /branches"}, "code"),
    ],
)
async def test_a_fault_that_cannot_be_is_refused(shop: Shop, body: dict[str, object], field: str) -> None:
    answer = await shop.post("/sandbox/faults", body)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]


@pytest.mark.parametrize(
    ("route", "nearest"),
    [
        ("GET /orders/{id}", "GET /orders/{uuid}"),
        ("PUT /customers", "POST /customers"),
        ("POST /open-api/v1/orders", "POST /orders"),
        ("POST /order", "POST /orders"),
    ],
)
async def test_an_unknown_route_is_told_the_nearest(shop: Shop, route: str, nearest: str) -> None:
    answer = await shop.post("/sandbox/faults", {"kind": "slow", "route": route})
    (message,) = assert_error(answer, 422, "validation_error")["errors"]["route"]
    assert message.endswith(f"the nearest is {nearest}")


async def test_an_error_is_about_what_the_operation_takes(own_shop: Shop) -> None:
    await add(own_shop, kind="error", status=422, route="POST /customers")
    answer = assert_error(await own_shop.post("/customers", {}), 422, "validation_error")
    assert answer["errors"] == {"first_name": ["is required"]}
    await add(own_shop, kind="error", code="insufficient_scope", route="GET /branches")
    answer = assert_error(await own_shop.get("/branches"), 403, "insufficient_scope")
    assert answer["details"] == {"scope": "branches:read"}
    assert "branches:read" in answer["message"]


async def test_there_are_only_so_many(own_shop: Shop) -> None:
    for _ in range(20):
        await add(own_shop, kind="slow", seconds=0, route="GET /branches")
    assert_error(await own_shop.post("/sandbox/faults", {"kind": "slow"}), 422, "validation_error")


async def test_other_businesses_have_none(own_shop: Shop) -> None:
    await change_tenant(own_shop, is_sandbox=False)
    assert_error(await own_shop.post("/sandbox/faults", {"kind": "slow"}), 403, "sandbox_only")
    assert_error(await own_shop.get("/sandbox/faults"), 403, "sandbox_only")
    assert_error(await own_shop.request("DELETE", "/sandbox/faults"), 403, "sandbox_only")


OPERATIONS = [
    (api.name, endpoint)
    for api in (open_api(), pos_api())
    for endpoint in api.operations
    if endpoint.requires_auth and not endpoint.path.startswith("/sandbox/")
]


@pytest.fixture(scope="module")
async def faulty(service: Any) -> Shop:
    shop: Shop = await service.new_shop()
    return shop


# Codes that every operation answers too.
COMMON = {Code.AUTHENTICATION_FAILED, Code.RATE_LIMIT_EXCEEDED, Code.INTERNAL_ERROR, Code.SERVICE_UNAVAILABLE}


def cases() -> Iterator[tuple[str, Endpoint, list[Code]]]:
    """Every operation with some of its codes, and every code with at least one operation."""
    tried: set[Code] = set()
    for number, (api, endpoint) in enumerate(OPERATIONS):
        codes = sorted(COMMON | set(endpoint.errors))
        chosen = set(share(codes, number % len(codes), len(codes))) | (set(codes) - tried)
        tried |= chosen
        yield api, endpoint, sorted(chosen)


@pytest.mark.torture
@pytest.mark.parametrize(("api", "endpoint", "codes"), list(cases()), ids=lambda one: getattr(one, "path", ""))
async def test_every_error_of_every_operation_can_be_had(
    faulty: Shop, api: str, endpoint: Endpoint, codes: list[Code]
) -> None:
    """Every answer of a test is compared with the description."""
    path = endpoint.path
    for name in ("uuid", "id", "orderId", "tagId", "teamId", "serviceId"):
        path = path.replace(f"{{{name}}}", "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a")
    call = faulty.request if api == open_api().name else faulty.key_call
    for code in codes:
        route = f"{endpoint.method} {endpoint.path}"
        json_exact(await faulty.post("/sandbox/faults", {"kind": "error", "code": code, "route": route}), 201)
        body: dict[str, Any] = {} if endpoint.method in ("GET", "DELETE") else {"json": {}}
        assert_error(await call(endpoint.method, path, **body), STATUS[code], code)


def test_every_code_of_every_operation_may_be_set() -> None:
    statuses = {code.value: status for code, status in STATUS.items()}
    for _, endpoint in OPERATIONS:
        for code in COMMON | set(endpoint.errors):
            fault = AddSandboxFault(FaultKind.ERROR, code, route=f"{endpoint.method} {endpoint.path}")
            assert possible_fault(fault, operation_errors(), statuses).status == STATUS[code]
