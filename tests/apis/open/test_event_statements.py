"""How many statements webhooks and events take."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from tests.apis.open.test_statements import Watched, watched
from tests.support.pagination import json_exact
from tests.support.shop import Shop

__all__ = ["watched"]  # the fixture, of this module's own

HOOK = {"url": "https://hooks.example.com", "events": ["customer.created"]}


async def _webhook(shop: Shop) -> str:
    id_: str = json_exact(await shop.post("/webhooks", HOOK), 201)["data"]["id"]
    return id_


async def test_events_add_no_statements_however_many_webhooks_receive_them(watched: Watched, other_shop: Shop) -> None:
    assert await watched.cost("POST", "/customers", status=201, json={"first_name": "Joud"}) <= 2
    for _ in range(5):
        await _webhook(watched.shop)
    assert await watched.cost("POST", "/customers", status=201, json={"first_name": "Joud"}) <= 2
    await watched.shop.sql("DELETE FROM webhooks WHERE tenant_id = $1")


async def test_reading_webhooks_and_events_costs_the_same_whatever_there_is(watched: Watched, other_shop: Shop) -> None:
    webhook_id = await _webhook(watched.shop)
    await watched.shop.post("/customers", {"first_name": "Joud"})
    deliveries = f"/webhooks/{webhook_id}/deliveries"
    expected = {
        "/webhooks": 1,
        f"/webhooks/{webhook_id}": 1,
        f"{deliveries}?per_page=100": 1,
        "/events?per_page=100": 1,
        "/events?after=1&type=customer.created": 1,
    }
    assert {path: await watched.cost("GET", path) for path in expected} == expected
    for n in range(30):
        await watched.shop.post("/customers", {"first_name": f"Guest {n}"})
    assert {path: await watched.cost("GET", path) for path in expected} == expected
    assert await watched.cost("GET", f"/webhooks/{uuid4()}", status=404) == 1


@pytest.mark.parametrize("keyed", [False, True])
async def test_a_write_of_a_webhook_takes_two_statements(watched: Watched, other_shop: Shop, *, keyed: bool) -> None:
    for _ in range(2):  # the first time, the connection also reads types
        statements = [cost async for cost in _webhook_writes(watched, keyed=keyed)]
    assert max(statements) <= 2


async def _webhook_writes(watched: Watched, *, keyed: bool) -> AsyncIterator[int]:
    async def count(method: str, path: str, status: int, json: object = None) -> int:
        before, headers = watched.wire.statements, {"idempotency-key": str(uuid4())} if keyed else {}
        response = await watched.shop.request(method, path, json=json, headers=headers)
        assert response.status_code == status, response.text
        return watched.wire.statements - before

    path = f"/webhooks/{await _webhook(watched.shop)}"
    delivery = json_exact(await watched.shop.post(f"{path}/ping"), 201)["data"]["id"]
    yield await count("POST", "/webhooks", 201, HOOK)
    yield await count("PATCH", path, 200, {"active": True})
    yield await count("POST", f"{path}/rotate-secret", 200)
    yield await count("POST", f"{path}/ping", 201)
    yield await count("POST", f"/webhooks/deliveries/{delivery}/retry", 200)
    yield await count("DELETE", path, 204)
