"""Settings, webhooks: made with a secret that is shown once, seen with what became of each event, sent again."""

import html
import re
from datetime import UTC, datetime
from uuid import UUID

from frontdesk.ui.settings.event_labels import EVENT_TYPE_LABELS
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import EventType
from tests.factories.changes import change_row
from tests.factories.credentials import make_client
from tests.factories.webhooks import copy_delivery
from tests.support.dashboard import DashboardClient
from tests.support.pages.page_fixtures import add_delivery
from tests.support.shop import Shop

URL = "https://9.9.9.9/frontdesk"  # an address outside; the service of these tests delivers nothing


def shown(text: str) -> str:
    found = re.search(r'<code id="signing-secret">(.*?)</code>', text)
    assert found, text
    return html.unescape(found[1])


def test_every_kind_of_event_is_explained() -> None:
    assert set(EVENT_TYPE_LABELS) == set(EventType)


async def test_a_webhook_is_created_once_and_limited_to_the_scopes_of_its_client(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    page = (await owner.get(new)).text
    assert 'value="order.created"' in page
    assert 'value="customer.created"' not in page
    form = {"id": str(uuid7()), "url": URL, "events": ["order.created", "customer.created"]}
    secret = shown((await owner.post(new, form, page=new)).text)
    assert secret.startswith("whsec_")
    again = await owner.post(new, form, page=new)
    address = f"/settings/api/clients/{client.id}/webhooks/{form['id']}"
    assert (again.status_code, again.headers["location"]) == (303, address)
    (row,) = await own_shop.sql("SELECT events, secret FROM webhooks WHERE tenant_id = $1")
    assert row["events"] == ["order.created"]
    assert secret.encode() not in row["secret"]
    for path in (address, f"/settings/api/clients/{client.id}", "/settings/api"):
        text = (await owner.get(path)).text
        assert URL in text
        assert secret not in text


async def test_an_invalid_webhook_url_is_refused_on_the_form(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop)
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    for wrong, error in (
        ({"url": "https://127.0.0.1/x"}, "This address is in a private network."),
        ({"url": "ftp://example.com"}, "Enter an address that begins with https:// or http://."),
        ({"url": ""}, "Fill in this field."),
        ({"events": []}, "Select at least one."),
        ({"events": ["order.eaten"]}, "New endpoint"),
    ):
        form = {"id": str(uuid7()), "url": URL, "events": ["order.created"], **wrong}
        answer = await owner.post(new, form, page=new)
        assert answer.status_code == 422, wrong
        assert error in answer.text, wrong
    assert await own_shop.sql("SELECT FROM webhooks WHERE tenant_id = $1") == []


async def state(own_shop: Shop, delivery_id: UUID) -> str:
    (row,) = await own_shop.sql("SELECT state FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2", delivery_id)
    state: str = row["state"]
    return state


async def test_failed_webhook_deliveries_can_be_sent_again(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    webhook_id, delivery_id = await add_delivery(own_shop, client.id)
    page = f"/settings/api/clients/{client.id}/webhooks/{webhook_id}"
    text = (await owner.get(page)).text
    assert "503" in text
    assert "busy" in text
    assert "failed permanently" in text
    assert (await owner.post(f"{page}/deliveries/{delivery_id}/again")).status_code == 303
    assert await state(own_shop, delivery_id) == "due"
    assert (await owner.post(f"{page}/ping")).status_code == 303
    assert "webhook.ping" in (await owner.get(page)).text
    assert "0 delivered, 2 waiting, 0 failed" in (await owner.get("/settings/api")).text


async def test_all_failed_deliveries_of_one_endpoint_are_queued_again(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    webhook_id, delivery_id = await add_delivery(own_shop, client.id)
    _, of_another = await add_delivery(own_shop, client.id)
    await copy_delivery(own_shop, delivery_id, "delivered")
    await copy_delivery(own_shop, delivery_id, "dead", 1100)
    page = f"/settings/api/clients/{client.id}/webhooks/{webhook_id}"
    assert "Send all failed again" in (await owner.get(page)).text
    left = []
    for words in ("The 1,000 oldest failed deliveries", "The failed deliveries are queued", "No delivery has failed"):
        assert (await owner.post(f"{page}/again")).status_code == 303
        assert words in (await owner.get(page)).text
        left.append(await _count_by_state(own_shop, webhook_id))
    first, *later = left
    assert first == {"due": 1000, "dead": 101, "delivered": 1}
    assert later == [{"due": 1101, "delivered": 1}] * 2
    assert await state(own_shop, of_another) == "dead"


async def _count_by_state(own_shop: Shop, webhook_id: UUID) -> dict[str, int]:
    rows = await own_shop.sql(
        "SELECT state, count(*) FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 GROUP BY state",
        webhook_id,
    )
    return {row["state"]: row["count"] for row in rows}


async def test_an_endpoint_that_fails_says_so_in_the_list_and_on_its_own_page(
    own_shop: Shop, owner: DashboardClient
) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    webhook_id, _ = await add_delivery(own_shop, client.id)
    page = f"/settings/api/clients/{client.id}/webhooks/{webhook_id}"
    assert "Failing" not in (await owner.get(page)).text
    await change_row(own_shop, "webhooks", webhook_id, failing_since=datetime.now(UTC))
    for address in (page, "/settings/api"):
        assert "Failing" in (await owner.get(address)).text


async def test_an_endpoint_that_is_off_is_sent_nothing_until_it_is_on(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    webhook_id, delivery_id = await add_delivery(own_shop, client.id)
    page = f"/settings/api/clients/{client.id}/webhooks/{webhook_id}"
    await owner.post(f"{page}/off")
    assert "Switched off by hand." in (await owner.get(page)).text
    for act in ("ping", "again", f"deliveries/{delivery_id}/again"):
        refused = await owner.post(f"{page}/{act}")
        assert refused.status_code == 422
        assert "enable it first" in refused.text
    assert await state(own_shop, delivery_id) == "dead"
    await owner.post(f"{page}/on")
    assert (await owner.post(f"{page}/ping")).status_code == 303
    assert (await owner.post(f"{page}/delete")).status_code == 303
    assert (await owner.get(page)).status_code == 404


async def test_a_secret_is_replaced_once_however_often_the_form_is_sent(own_shop: Shop, owner: DashboardClient) -> None:
    client = await make_client(own_shop, scopes=["orders:read"])
    new = f"/settings/api/clients/{client.id}/webhooks/new"
    form = {"id": str(uuid7()), "url": URL, "events": ["order.created"]}
    first = shown((await owner.post(new, form, page=new)).text)
    page = f"/settings/api/clients/{client.id}/webhooks/{form['id']}"
    second = shown((await owner.post(f"{page}/rotate", {"seen": ""})).text)
    assert first != second
    assert (await owner.post(f"{page}/rotate", {"seen": ""})).status_code == 303
    assert "Messages are also signed with the old secret until" in (await owner.get(page)).text
