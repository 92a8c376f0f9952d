"""All records of a business as a file: from one state, so that the events after its sequence go on from there."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from frontdesk.apis.open.exports import LINES
from frontdesk.exports.documents import ExportedResource
from frontdesk.exports.record_queries import delete_old_exports
from frontdesk.postgres.pool import Connection
from tests.factories.changes import change_row, change_rows
from tests.factories.people import make_customer
from tests.factories.used_up import copy_export
from tests.support.branch import BranchFixture, day, line, open_branch, start
from tests.support.events import NO_CUSTOM_DATA
from tests.support.full_requests.absence import made_time_off
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers

PAID = {"amount": 5, "payment_method_type": "cash"}
READ = {
    "branches": "/branches",
    "categories": "/categories",
    "packages": "/packages",
    "tax_classes": "/tax-classes",
    "waiting_list": "/waiting-list",
    "staff": "/staff",
    "payment_methods": "/payment-methods",
}


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop(scopes=["*"]))


async def ask(shop: Shop, *resources: str) -> Document:
    return dict(json_exact(await shop.post("/exports", {"resources": list(resources)}), 201)["data"])


async def done(shop: Shop, export: Document) -> Document:
    async def is_done() -> bool:
        sql = "SELECT FROM record_exports WHERE tenant_id = $1 AND id = $2 AND status = 'done'"
        return bool(await shop.sql(sql, export["id"]))

    await eventually(is_done)
    return dict(json_exact(await shop.get(f"/exports/{export['id']}"))["data"])


async def records(shop: Shop, export: Document) -> dict[str, dict[str, Any]]:
    """By resource and id, hours by whose they are."""
    found: dict[str, dict[str, Any]] = {}
    answer = await shop.get(f"/exports/{export['id']}/records")
    assert (answer.status_code, answer.headers["content-type"]) == (200, LINES)
    for text in answer.text.splitlines():
        entry = json.loads(text)
        record = entry["record"]
        owner = next((record[name] for name in ("id", "staff_id", "branch_id") if record.get(name)), "")
        found.setdefault(entry["resource"], {})[owner] = record
    return found


async def exported(shop: Shop, *resources: str) -> tuple[Document, dict[str, dict[str, Any]]]:
    export = await done(shop, await ask(shop, *resources))
    return export, await records(shop, export)


async def test_an_export_has_what_reads_return(branch: BranchFixture) -> None:
    service = await branch.add_service()
    await change_rows(branch.shop, "staff", image="faces/noura.png")
    await branch.add_provider(service)
    placed = await branch.place(line(service), start=start(day(3), "10:00"), payment=PAID)
    export, found = await exported(branch.shop, *ExportedResource)
    assert export["records"] == sum(map(len, found.values()))
    assert list(found) == [resource.value for resource in ExportedResource if resource.value in found]
    for resource, path in READ.items():
        listed = (await branch.shop.get(path, params={"per_page": 100})).json()["data"]
        assert found.get(resource, {}) == {record["id"]: record for record in listed}, resource
    for resource, path in {"items": "/items", "customers": "/customers", "orders": "/orders"}.items():
        total = (await branch.shop.get(path)).json()["meta"]["total"]
        assert len(found[resource]) == total
        id_, record = next(iter(found[resource].items()))
        assert (await branch.shop.get(f"{path}/{id_}")).json()["data"] == record
    assert found["orders"][placed["id"]] == (await branch.shop.get(f"/orders/{placed['id']}")).json()["data"]
    (paid,) = [one for one in found["transactions"].values() if one["order"]["id"] == placed["id"]]
    assert (await branch.shop.get(f"/transactions/{paid['id']}")).json()["data"] == paid


async def test_time_off_and_other_hours_are_exported_and_calendars_elsewhere_are_not(branch: BranchFixture) -> None:
    shop = branch.shop
    hours = {"day": str(day(3)), "intervals": [{"from": "10:00", "to": "12:00"}]}
    path = f"/branches/{branch.branch_id}/hour-exceptions"
    other_hours = json_exact(await shop.request("PUT", path, json=hours))["data"]
    outside, time_off = [await made_time_off(shop) for _ in range(2)]
    await change_row(shop, "time_off", outside["id"], status="outside")
    _, found = await exported(shop, "hour_exceptions", "time_off")
    assert found["hour_exceptions"][other_hours["id"]] == other_hours
    assert found["time_off"] == {time_off["id"]: time_off}


async def test_settings_weekly_hours_and_closed_days_are_as_their_reads_return_them(branch: BranchFixture) -> None:
    shop, here = branch.shop, f"/branches/{branch.branch_id}"
    noura, joud = await branch.add_provider(await branch.add_service()), (await shop.first("/staff"))["id"]
    week = {"intervals": [{"day": "sun", "from": "10:00", "to": "12:00"}]}
    for path, hours in ((f"/staff/{noura}", week), (f"/staff/{joud}", {"source": "branch"})):
        json_exact(await shop.request("PUT", f"{path}/working-hours", json=hours))
    json_exact(await shop.post(f"{here}/closed-days", {"from": str(day(9))}), 201)
    settings = {
        "settings": "/settings",
        "booking_page": "/settings/booking-page",
        "message_settings": "/settings/messages",
        "drawer_settings": "/settings/drawers",
    }
    _, found = await exported(shop, *settings, "working_hours", "closed_days")
    for resource, path in settings.items():
        assert found[resource] == {"": json_exact(await shop.get(path))["data"]}, resource
    closed = json_exact(await shop.get(f"{here}/closed-days"))["data"]
    assert found["closed_days"] == {str(branch.branch_id): closed}
    for owner, path in ((str(noura), f"/staff/{noura}"), (str(branch.branch_id), here)):
        hours = json_exact(await shop.get(f"{path}/working-hour"))["data"]
        staff_id = None if path == here else owner
        record = {"branch_id": str(branch.branch_id), "staff_id": staff_id, "working_hour": hours}
        assert found["working_hours"][owner] == record
    assert joud not in found["working_hours"]


async def test_nothing_is_missed_between_an_export_and_the_events_after_it(branch: BranchFixture) -> None:
    """Customers are added and changed all the time, from before the export until after it."""
    shop, ended = branch.shop, asyncio.Event()

    async def write() -> None:
        while not ended.is_set():
            made = json_exact(await shop.post("/customers", {"first_name": "Joud"}), 201)["data"]
            json_exact(await shop.request("PATCH", f"/customers/{made['id']}", json={"city": "Abha"}))

    writers = [asyncio.create_task(write()) for _ in range(3)]
    try:
        export, found = await exported(shop, "customers")
    finally:
        ended.set()
        await asyncio.gather(*writers)
    replica, after = found["customers"], export["sequence"]
    while page := (await shop.get("/events", params={"after": after, "per_page": 100})).json()["data"]:
        for event in page:
            if event["type"].startswith("customer."):
                assert event["type"] == "customer.updated" or event["data"]["customer"]["id"] not in replica
                replica[event["data"]["customer"]["id"]] = event["data"]["customer"]
        after = page[-1]["sequence"]
    for id_ in [row["id"] for row in await shop.sql("SELECT id FROM customers WHERE tenant_id = $1")]:
        now = (await shop.get(f"/customers/{id_}")).json()["data"]
        assert {**NO_CUSTOM_DATA, **replica[str(id_)]} == now  # a line of an export has it, an event has not


async def test_an_export_belongs_to_its_client_and_needs_the_scopes(branch: BranchFixture, service: Service) -> None:
    shop = branch.shop
    token = await shop.new_token("customers:read")
    assert_error(await shop.post("/exports", {"resources": ["orders"]}, token=token), 403, "insufficient_scope")
    export = await done(shop, await ask(shop, "orders"))
    assert_error(await shop.get(f"/exports/{export['id']}/records", token=token), 403, "insufficient_scope")
    other = await service.new_shop(scopes=["*"])
    assert_error(await other.get(f"/exports/{export['id']}"), 404, "not_found")
    assert_error(await other.get(f"/exports/{export['id']}/records"), 404, "not_found")
    assert_error(await shop.get(f"/exports/{uuid4()}"), 404, "not_found")


async def test_a_business_has_few_exports_at_a_time(branch: BranchFixture) -> None:
    shop, later = branch.shop, datetime.now(UTC) + timedelta(hours=1)
    for _ in range(2):
        await done(shop, await ask(shop, "branches"))
    await change_rows(shop, "record_exports", status="running", leased_until=later)
    refused = await shop.post("/exports", {"resources": ["branches"]})
    details = assert_error(refused, 429, "export_limit_reached")["details"]
    assert details == {"reason": "open", "limit": 2, "retry_after": int(refused.headers["retry-after"])}
    assert json_exact(await shop.get("/limits"))["data"]["fixed"]["exports"] == {"open": 2, "stored": 20, "hours": 24}
    await change_rows(shop, "record_exports", status="done")
    await ask(shop, "branches")


async def test_a_business_keeps_few_exports(branch: BranchFixture) -> None:
    shop = branch.shop
    export = await done(shop, await ask(shop, "branches"))
    await copy_export(shop, export["id"], 19)
    refused = await shop.post("/exports", {"resources": ["branches"]})
    details = assert_error(refused, 429, "export_limit_reached")["details"]
    assert (details["reason"], details["limit"]) == ("stored", 20)
    assert 0 < details["retry_after"] <= 86_400


async def test_an_export_of_a_process_that_has_ended_begins_again(branch: BranchFixture) -> None:
    shop = branch.shop
    export = await done(shop, await ask(shop, "customers"))
    before = await records(shop, export)
    await make_customer(shop)
    await change_rows(shop, "record_exports", {"id": export["id"]}, status="running")
    after = await records(shop, await done(shop, export))
    assert len(after["customers"]) == len(before["customers"]) + 1


async def test_an_export_is_deleted_after_a_day(branch: BranchFixture, conn: Connection) -> None:
    shop = branch.shop
    export = await done(shop, await ask(shop, "branches"))
    await change_rows(shop, "record_exports", expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert_error(await shop.get(f"/exports/{export['id']}"), 404, "not_found")
    assert await delete_old_exports(conn, 100) >= 1
    assert await shop.sql("SELECT FROM record_export_parts WHERE tenant_id = $1") == []
