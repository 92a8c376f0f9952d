"""A sandbox is what it was when it was made, or when it was kept, and its keys and webhooks still work."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from frontdesk.auth.budgets import SaveScopeBudget
from frontdesk.invariants.check import find_broken
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.values.actor import SYSTEM
from tests.factories.changes import change_tenant, delete_rows
from tests.factories.credentials import make_client
from tests.sandbox.conftest import Advance, from_now
from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop

MINUTE = timedelta(minutes=1)


async def listed(shop: Shop, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json_exact(await shop.get(path, params={"per_page": 100}))["data"]
    return found


async def counts(shop: Shop) -> dict[str, int]:
    tables = ("branches", "items", "staff", "customers", "orders", "bookings", "transactions", "webhooks", "api_keys")
    return {
        name: (await shop.sql(f"SELECT count(*) AS many FROM {name} WHERE tenant_id = $1"))[0]["many"]
        for name in tables
    }


async def test_a_reset_brings_back_the_demo_data_and_keeps_what_applications_have(
    own_shop: Shop, advance: Advance, conn: Connection
) -> None:
    before = await counts(own_shop)
    hook = json_exact(
        await own_shop.post("/webhooks", {"url": "https://e.example.com", "events": ["order.created"]}), 201
    )
    hair = await open_branch(own_shop)
    cut = await hair.add_service()
    await hair.add_provider(cut)
    await advance("P9D")
    placed = await hair.place(line(cut), start=start(day(12), "12:00"))
    json_exact(await own_shop.key_call("POST", f"/pos/orders/{placed['id']}/invoice"), 201)
    events = json_exact(await own_shop.get("/events", params={"per_page": 100}))["data"]
    json_exact(await own_shop.post("/sandbox/faults", {"kind": "slow", "route": "GET /staff"}), 201)
    export = json_exact(await own_shop.post("/exports", {"resources": ["branches"]}), 201)["data"]
    clock = json_exact(await own_shop.post("/sandbox/reset"))["data"]
    assert clock["seconds_ahead"] == 0
    assert abs(from_now(datetime.fromisoformat(clock["now"]))) < MINUTE
    after_reset = await counts(own_shop)
    for name in ("orders", "bookings", "transactions"):  # as many as there are by the clock, which goes on
        assert before.pop(name) > 0
        assert after_reset.pop(name) > 0
    assert after_reset == {**before, "webhooks": 1}
    assert_error(await own_shop.get(f"/orders/{placed['id']}"), 404, "not_found")
    assert_error(await own_shop.get(f"/exports/{export['id']}"), 404, "not_found")  # so that a copy is seen to be old
    assert [one["id"] for one in await listed(own_shop, "/webhooks")] == [hook["data"]["id"]]
    assert json_exact(await own_shop.get("/sandbox/faults"))["data"] == []
    json_exact(await own_shop.key_call("GET", "/pos/orders"))
    made = json_exact(await own_shop.post("/customers", {"first_name": "New"}), 201)["data"]
    assert abs(from_now(datetime.fromisoformat(made["created_at"]))) < MINUTE
    after = json_exact(await own_shop.get("/events", params={"after": events[-1]["sequence"]}))["data"]
    assert [event["type"] for event in after] == ["customer.created"]
    assert await find_broken(conn, own_shop.tenant_id) == []


async def test_events_after_a_reset_have_the_real_time(own_shop: Shop, advance: Advance) -> None:
    json_exact(await own_shop.post("/webhooks", {"url": "https://e.example.com", "events": ["customer.created"]}), 201)
    await advance("P9D")
    json_exact(await own_shop.post("/customers", {"first_name": "Ahead"}), 201)
    last = (await listed(own_shop, "/events"))[-1]
    assert from_now(datetime.fromisoformat(last["timestamp"])) > timedelta(days=8)
    json_exact(await own_shop.post("/sandbox/reset"))
    json_exact(await own_shop.post("/customers", {"first_name": "Now"}), 201)
    event = json_exact(await own_shop.get("/events", params={"after": last["sequence"]}))["data"][0]
    delivery = (await own_shop.sql("SELECT id FROM webhook_deliveries WHERE tenant_id = $1"))[0]["id"]
    assert abs(from_now(datetime.fromisoformat(event["timestamp"]))) < MINUTE
    for made in (UUID(event["id"]), delivery):
        assert abs(from_now(datetime.fromtimestamp((made.int >> 80) / 1000, UTC))) < MINUTE


async def test_a_snapshot_is_gone_back_to(own_shop: Shop, advance: Advance, conn: Connection) -> None:
    orders = await listed(own_shop, "/orders")
    kept = json_exact(await own_shop.post("/sandbox/snapshots", {"name": "As it was"}), 201)["data"]
    before = await counts(own_shop)
    json_exact(await own_shop.post("/customers", {"first_name": "Extra"}), 201)
    await advance("P2D")
    json_exact(await own_shop.post("/sandbox/reset"))
    await advance("P1D")
    path = f"/sandbox/snapshots/{kept['id']}"
    key = {"idempotency-key": "back"}
    assert json_exact(await own_shop.post(f"{path}/restore", headers=key))["data"] == kept
    assert (await own_shop.post(f"{path}/restore", headers=key)).headers["idempotent-replayed"] == "true"
    assert await counts(own_shop) == before
    assert await listed(own_shop, "/orders") == orders
    assert json_exact(await own_shop.get("/sandbox/clock"))["data"]["seconds_ahead"] == 86_400
    assert await find_broken(conn, own_shop.tenant_id) == []
    assert json_exact(await own_shop.get("/sandbox/snapshots"))["data"] == [kept]
    assert (await own_shop.request("DELETE", path)).status_code == 204
    assert_error(await own_shop.post(f"{path}/restore"), 404, "not_found")
    assert_error(await own_shop.request("DELETE", path), 404, "not_found")


async def test_a_snapshot_is_gone_back_to_without_a_client_that_was_deleted_since(own_shop: Shop) -> None:
    client = await make_client(own_shop, rate_limit=1000)
    json_exact(await own_shop.post("/exports", {"resources": ["branches"]}, token=await client.token()), 201)
    kept = json_exact(await own_shop.post("/sandbox/snapshots", {"name": "With it"}), 201)["data"]
    await delete_rows(own_shop, "api_clients", id=client.id)
    assert json_exact(await own_shop.post(f"/sandbox/snapshots/{kept['id']}/restore"))["data"] == kept


async def test_what_a_client_may_read_in_a_day_is_not_given_back(own_shop: Shop) -> None:
    """A reset, and a snapshot from before, would let it begin again, and end the limit of the business."""
    client = await make_client(own_shop, rate_limit=1000)
    tenant, token = await own_shop.tenant(), await client.token()
    kept = json_exact(await own_shop.post("/sandbox/snapshots", {"name": "Unread"}), 201)["data"]
    async with pooled_connection(own_shop.dsn) as raw:
        await run(Connection(raw), tenant, SaveScopeBudget(client.id, "customers:read", 10), actor=SYSTEM)
    json_exact(await own_shop.get("/customers?per_page=10", token=token))
    json_exact(await own_shop.post("/sandbox/reset", token=token))
    assert_error(await own_shop.get("/customers?per_page=1", token=token), 429, "budget_exceeded")
    json_exact(await own_shop.post(f"/sandbox/snapshots/{kept['id']}/restore", token=token))
    assert_error(await own_shop.get("/customers?per_page=1", token=token), 429, "budget_exceeded")


async def test_no_other_business_is_touched(service: Service, own_shop: Shop) -> None:
    other = await service.new_shop()
    before = await counts(other)
    kept = json_exact(await other.post("/sandbox/snapshots", {"name": "Theirs"}), 201)["data"]
    json_exact(await own_shop.post("/sandbox/reset"))
    assert await counts(other) == before
    assert_error(await own_shop.post(f"/sandbox/snapshots/{kept['id']}/restore"), 404, "not_found")


async def test_there_are_only_so_many_snapshots(own_shop: Shop) -> None:
    for number in range(10):
        json_exact(await own_shop.post("/sandbox/snapshots", {"name": f"{number}"}), 201)
    assert_error(await own_shop.post("/sandbox/snapshots", {"name": "more"}), 422, "validation_error")


async def test_other_businesses_cannot_be_reset(own_shop: Shop) -> None:
    await change_tenant(own_shop, is_sandbox=False)
    before = await counts(own_shop)
    for path in ("/sandbox/reset", "/sandbox/snapshots", f"/sandbox/snapshots/{UUID(int=1)}/restore"):
        assert_error(await own_shop.post(path, {"name": "Never"}), 403, "sandbox_only")
    assert_error(await own_shop.request("DELETE", f"/sandbox/snapshots/{uuid4()}"), 403, "sandbox_only")
    assert_error(await own_shop.get("/sandbox/snapshots"), 403, "sandbox_only")
    assert await counts(own_shop) == before
