"""Which programs were shown a customer, however they read: on the customer's card, and to the customer."""

from tests.factories.changes import ago, change_row, change_rows
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.pagination import Document, json_exact
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.set_up_requests import made
from tests.support.shop import Shop
from tests.support.subscriber import Subscriber, subscriber
from tests.support.waiting import eventually
from tests.ui.booking_page.test_customer_booking import booked
from tests.ui.booking_page.test_customer_bookings import ask, mailed_link
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_state


async def _reads(shop: Shop, customer_id: object, client: Subscriber | None = None) -> list[str]:
    rows = await shop.sql(
        "SELECT caller_id, fields FROM customer_reads WHERE tenant_id = $1 AND customer_id = $2 ORDER BY fields",
        customer_id,
    )
    return [row["fields"] for row in rows if client is None or row["caller_id"] == client.client.id]


async def _wait_for_reads(shop: Shop, customer_id: object, client: Subscriber, fields: list[str]) -> None:
    async def look() -> bool:
        return await _reads(shop, customer_id, client) == fields

    await eventually(look)


async def test_every_read_of_a_customer_is_on_the_card_and_on_the_customers_own_page(
    own_shop: Shop, owner: DashboardClient
) -> None:
    async with await booked(own_shop) as visitor:
        customer_id = visitor.bookable.customer_id
        await change_row(own_shop, "customers", customer_id, email="sara@people.example", created_at=ago(days=9))
        lists, customers, events, searches = [await subscriber(own_shop) for _ in range(4)]
        for _ in range(2):
            json_exact(await lists.request("GET", "/orders"))
        json_exact(await customers.request("GET", "/customers"))
        json_exact(await events.request("GET", "/events"))
        json_exact(await searches.request("GET", f"/customers/{customer_id}"))
        await _wait_for_reads(own_shop, customer_id, lists, ["orders"])
        await _wait_for_reads(own_shop, customer_id, customers, ["contact"])
        await _wait_for_reads(own_shop, customer_id, searches, ["contact"])
        await _wait_for_reads(own_shop, customer_id, events, ["contact", "orders"])

        await change_rows(own_shop, "customer_reads", {"fields": "contact"}, days=3, first_on=ago(days=5).date())
        await change_row(own_shop, "api_clients", events.client.id, disabled_at=ago())
        card = texts((await owner.get(f"/customers/{customer_id}")).text)
        assert "Name and contact details: shown on" in card
        assert "on 3 days since" in card
        assert "Not any more" in card

        await ask(visitor, "sara@people.example")
        own = texts((await visitor.http.get(await mailed_link(own_shop, "sara@people.example"))).text)
        assert "Who has seen your data" in own
        assert "A program of the business itself" in own
        assert "Bookings and purchases" in own

    other = await made(own_shop, "/customers", {"first_name": "Rana"})
    json_exact(await own_shop.post(f"/customers/{other['id']}/merge", {"customer_id": str(customer_id)}))
    assert await _reads(own_shop, customer_id) == []
    assert len(await _reads(own_shop, other["id"])) > 3


async def test_a_read_of_some_fields_shows_what_they_have(own_shop: Shop) -> None:
    orders, sums, phones = [await subscriber(own_shop) for _ in range(3)]
    listed = json_exact(await orders.request("GET", "/orders?fields=customer"))["data"]
    seen = next(order["customer"]["id"] for order in listed if order["customer"])  # others are of walk-ins
    assert json_exact(await sums.request("GET", "/orders?fields=total"))["data"][0].keys() == {"total"}
    assert json_exact(await phones.request("GET", f"/customers/{seen}?fields=phone"))["data"].keys() == {"phone"}
    await _wait_for_reads(own_shop, seen, orders, ["orders"])
    await _wait_for_reads(own_shop, seen, phones, ["contact"])
    assert await _reads(own_shop, seen, sums) == []


async def test_who_reads_the_notes_about_a_customer_is_on_the_card(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await made(own_shop, "/customers", {"first_name": "Rana"})
    reader = await subscriber(own_shop, "customer_notes:read", "customer_notes:write")
    path = f"/customers/{customer['id']}"
    assert "Read notes about customers" in texts((await owner.get(path)).text)
    json_exact(await reader.request("POST", f"{path}/notes", {"text": "Is ill"}), 201)
    await _wait_for_reads(own_shop, customer["id"], reader, ["notes"])
    assert "Notes of the team: shown on" in texts((await owner.get(path)).text)


async def test_a_delivery_shows_a_customer_unless_it_is_thin(service: Service) -> None:
    shop = await service.new_shop()
    customer: Document = await made(shop, "/customers", {"first_name": "Rana", "email": "rana@example.com"})
    async with receiving() as receiver, running_worker(service.dsn):
        full, thin = [await make_webhook(shop, receiver.url) for _ in range(2)]
        await thin.change("is_thin = true")
        order = {"id": customer["id"], "customer": customer}
        await emit_events([full, thin], kind="order.created", data={"order": order})
        await wait_for_state(full)
        await wait_for_state(thin)

    async def written() -> bool:
        rows = await shop.sql(
            "SELECT caller_id, fields FROM customer_reads WHERE tenant_id = $1 AND customer_id = $2", customer["id"]
        )
        found = {(row["caller_id"], row["fields"]) for row in rows}
        assert thin.client.id not in {caller for caller, _ in found}
        return found >= {(full.client.id, "contact"), (full.client.id, "orders")}

    await eventually(written)
