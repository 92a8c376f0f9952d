"""What telling, and what webhooks and events cost the database: so many statements, however many listen."""

from uuid import uuid4

from tests.apis.open.test_statements import Watched, watched
from tests.support.pagination import json_exact
from tests.support.shop import Shop

__all__ = ["watched"]  # the fixture, of this module's own

_GUARD = 1
_TRANSACTION = 2
HOOK = {"url": "https://hooks.example.com", "events": ["customer.created"]}


async def _webhook(shop: Shop) -> str:
    id_: str = json_exact(await shop.post("/webhooks", HOOK), 201)["data"]["id"]
    return id_


async def test_telling_is_one_statement_however_many_listen(watched: Watched, other_shop: Shop) -> None:
    write, tell = 1, 1
    expected = _GUARD + _TRANSACTION + write + tell
    assert await watched.cost("POST", "/customers", status=201, json={"first_name": "Joud"}) == expected
    for _ in range(5):
        await _webhook(watched.shop)
    assert await watched.cost("POST", "/customers", status=201, json={"first_name": "Joud"}) == expected
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


async def test_acts_on_a_webhook_are_few_statements(watched: Watched, other_shop: Shop) -> None:
    path = f"/webhooks/{await _webhook(watched.shop)}"
    lock, write, read, quota = 1, 1, 1, 2
    made = await watched.cost("POST", "/webhooks", status=201, json=HOOK)
    assert made <= _GUARD + _TRANSACTION + lock + quota + write
    assert await watched.cost("PATCH", path, json={"active": True}) == _GUARD + write
    assert await watched.cost("POST", f"{path}/rotate-secret") == _GUARD + write
    assert await watched.cost("POST", f"{path}/ping", status=201) == _GUARD + _TRANSACTION + write + read
