"""Reading events back: in order, without a gap, and only what the reader may see."""

from uuid import uuid4

import pytest

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.emit_app_event import emit_app_disconnected, emit_app_installed, emit_app_scopes_changed
from frontdesk.webhooks.payloads import AppEventData, AppScopesChangedData
from tests.factories.applications import disconnect_installs, make_install
from tests.support.branch import BranchFixture, line
from tests.support.events import as_in_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.subscriber import Subscriber, subscriber

pytestmark = pytest.mark.both_servers

CONTACTS = {"email", "phone", "city", "address", "note", "tax_registration_number"}


async def three_customers(shop: Shop) -> None:
    for name in ("Abeer", "Badr", "Celine"):
        json_exact(await shop.post("/customers", {"first_name": name}), 201)


async def names(shop: Shop, **query: object) -> list[str]:
    found: list[Document] = json_exact(await shop.get("/events", params=query))["data"]
    return [event["data"]["customer"]["first_name"] for event in found]


async def test_events_are_numbered_from_one_and_listed_in_that_order(own_branch: BranchFixture) -> None:
    await three_customers(own_branch.shop)
    found = json_exact(await own_branch.shop.get("/events"))["data"]
    assert [event["sequence"] for event in found] == [1, 2, 3]
    assert await names(own_branch.shop) == ["Abeer", "Badr", "Celine"]


async def test_after_a_sequence_comes_only_what_is_newer(own_branch: BranchFixture) -> None:
    await three_customers(own_branch.shop)
    assert await names(own_branch.shop, after=1) == ["Badr", "Celine"]
    assert await names(own_branch.shop, after=3) == []
    assert await names(own_branch.shop, after=0, per_page=2) == ["Abeer", "Badr"]
    assert await names(own_branch.shop, per_page=2, page=2) == ["Celine"]
    answer = json_exact(await own_branch.shop.get("/events?after=1&per_page=1"))
    assert answer["meta"] == {"current_page": 1, "last_page": 2, "per_page": 1, "total": 2}
    assert answer["links"]["next"].endswith("/events?after=1&page=2&per_page=1")


async def test_events_are_filtered_by_type(own_branch: BranchFixture) -> None:
    await three_customers(own_branch.shop)
    await own_branch.place(line(await own_branch.add_product(), "product"))
    found = json_exact(await own_branch.shop.get("/events?type=order.created"))
    assert ([event["type"] for event in found["data"]], found["meta"]["total"]) == (["order.created"], 1)
    assert json_exact(await own_branch.shop.get("/events?type=app.installed"))["data"] == []


async def test_the_document_of_an_order_is_stored_compressed(own_branch: BranchFixture) -> None:
    """It is most of what a business stores in a month, see docs/capacity.md."""
    product = await own_branch.add_product()
    await own_branch.place(*[line(product, "product")] * 4)  # more than 2 kB
    (row,) = await own_branch.shop.sql(
        "SELECT pg_column_compression(data) AS how FROM events WHERE tenant_id = $1 AND type = 'order.created'"
    )
    assert row["how"] is not None


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=1.5", "after=", f"after={2**63}", "type=order.eaten"])
@pytest.mark.one_server
async def test_an_invalid_query_of_events_is_refused(shop: Shop, other_shop: Shop, query: str) -> None:
    answer = assert_error(await shop.get(f"/events?{query}"), 422, "validation_error")
    assert list(answer["errors"]) == [query.split("=", maxsplit=1)[0]]


async def test_events_after_the_largest_sequence_are_none(shop: Shop, other_shop: Shop) -> None:
    assert json_exact(await shop.get(f"/events?after={2**63 - 1}"))["data"] == []


async def test_a_reader_sees_what_its_scopes_allow(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    await three_customers(shop)
    await own_branch.place(line(await own_branch.add_product(), "product"))
    everything = [event["type"] for event in json_exact(await shop.get("/events"))["data"]]
    assert everything == ["customer.created"] * 3 + ["order.created", "item.stock_changed"]
    reader = await subscriber(shop, "items:read", "branches:read")
    seen = json_exact(await reader.request("GET", "/events"))
    assert ([event["type"] for event in seen["data"]], seen["meta"]["total"]) == (["item.stock_changed"], 1)
    answer = await reader.request("GET", "/events", params={"type": "order.created"})
    assert assert_error(answer, 403, "insufficient_scope")["details"] == {"scope": "orders:read"}
    nobody = await subscriber(shop, "staff:read")
    assert json_exact(await nobody.request("GET", "/events"))["data"] == []


async def test_contacts_are_only_for_who_may_read_customers(own_branch: BranchFixture) -> None:
    placed = await own_branch.place(line(await own_branch.add_product(), "product"))
    await own_branch.move(placed["id"], "completed")
    whole = as_in_events(await own_branch.read(placed["id"]))
    assert set(whole["customer"]) >= CONTACTS
    reader = await subscriber(own_branch.shop, "orders:read")
    found = json_exact(await reader.request("GET", "/events"))["data"]
    assert [event["type"] for event in found] == ["order.created", "order.status_changed"]
    for event in found:
        customer = event["data"]["order"]["customer"]
        assert set(whole["customer"]) - set(customer) == CONTACTS
        assert customer["first_name"] == "Sara"
    assert {**found[1]["data"]["order"], "customer": None} == {**whole, "customer": None}


async def test_a_sale_to_nobody_has_no_contacts(own_branch: BranchFixture) -> None:
    cream = await own_branch.add_product()
    bill = {"total": "20", "sub_total": "20", "services": [line(cream, "product")]}
    json_exact(await own_branch.shop.key_call("POST", "/pos/orders", json=bill), 201)
    reader = await subscriber(own_branch.shop, "orders:read")
    (event,) = json_exact(await reader.request("GET", "/events"))["data"]
    assert event["data"]["order"]["customer"] is None


async def test_events_of_another_business_are_not_listed(own_branch: BranchFixture, other_shop: Shop) -> None:
    made = json_exact(await own_branch.shop.post("/customers", {"first_name": "Only here"}), 201)["data"]
    assert made["id"] not in (await other_shop.get("/events?per_page=100")).text


class Apps:
    """Two applications at a business, and a client of the business's own."""

    def __init__(self, first: Subscriber, second: Subscriber, own: Subscriber) -> None:
        self.first = first
        self.second = second
        self.own = own

    async def seen(self) -> list[list[str]]:
        return [
            [event["type"] for event in json_exact(await one.request("GET", "/events"))["data"]]
            for one in (self.first, self.second, self.own)
        ]

    async def sent(self) -> list[list[str]]:
        """By their names, which are in the order of the story; deliveries of one millisecond come in any order."""
        types = []
        for one in (self.first, self.second, self.own):
            (webhook,) = json_exact(await one.request("GET", "/webhooks"))["data"]
            types.append(sorted(d["event"]["type"] for d in await one.deliveries(webhook["id"])))
        return types


APP_KINDS = ["app.installed", "app.scopes_changed", "app.disconnected"]


@pytest.fixture
async def apps(own_branch: BranchFixture) -> Apps:
    found = []
    for install_id in (await make_install(own_branch.shop), await make_install(own_branch.shop), None):
        one = await subscriber(own_branch.shop, "orders:read", install_id=install_id)
        await one.subscribe(APP_KINDS)
        found.append(one)
    return Apps(*found)


async def test_events_of_an_application_are_visible_to_it_and_its_tenant_only(conn: Connection, apps: Apps) -> None:
    tenant_id, client_id = apps.first.shop.tenant_id, apps.first.client.id
    app = AppEventData(uuid4(), uuid4(), client_id, "Books", ["orders:read"])
    fewer = AppScopesChangedData(uuid4(), uuid4(), client_id, "Books", ["items:read"], previous_scopes=["orders:read"])
    same = AppScopesChangedData(uuid4(), uuid4(), client_id, "Books", ["a", "b"], previous_scopes=["b", "a"])
    async with conn.transaction():
        await emit_app_installed(conn, tenant_id, app)
        await emit_app_scopes_changed(conn, tenant_id, fewer)
        await emit_app_scopes_changed(conn, tenant_id, same)
    expected = APP_KINDS[:2]
    assert await apps.seen() == [expected, [], expected]
    assert await apps.sent() == [expected, [], expected]
    (event,) = json_exact(await apps.own.request("GET", "/events?after=1"))["data"]
    assert event["data"] == {
        "application_id": str(fewer.application_id),
        "install_id": str(fewer.install_id),
        "client_id": str(client_id),
        "name": "Books",
        "scopes": ["items:read"],
        "previous_scopes": ["orders:read"],
    }


async def test_a_disconnected_application_gets_no_webhook_deliveries(conn: Connection, apps: Apps) -> None:
    shop, client_id = apps.first.shop, apps.first.client.id
    (client,) = await shop.sql("SELECT install_id FROM api_clients WHERE tenant_id = $1 AND id = $2", client_id)
    await disconnect_installs(shop, install_id=client["install_id"])
    await emit_app_disconnected(conn, shop.tenant_id, AppEventData(uuid4(), uuid4(), client_id, "Books", []))
    rows = await shop.sql(
        """
        SELECT w.client_id FROM webhook_deliveries d
        JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.id = d.webhook_id WHERE d.tenant_id = $1
        """
    )
    assert [row["client_id"] for row in rows] == [apps.own.client.id]
    assert_error(await apps.first.request("GET", "/events"), 401, "authentication_failed")
