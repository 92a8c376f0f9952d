"""Applications change orders and book appointments that repeat, by the acts of the dashboard."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx2

from tests.factories.changes import change_row
from tests.support.branch import NINE_TO_FIVE, BranchFixture, day, line
from tests.support.events import record_events
from tests.support.full_requests.appointments import appointment, booked
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import made
from tests.support.shop import Shop


async def test_an_order_gets_other_items(branch: BranchFixture) -> None:
    shop, cream, comb = branch.shop, await branch.add_product(price="20"), await branch.add_product(price="5")
    order = await branch.read((await branch.place(line(cream, "product", 2)))["id"])
    path, (sold,) = f"/orders/{order['id']}/items", order["items"]
    kept = {"line_id": sold["line_id"], "id": str(cream), "type": "product", "quantity": 3}
    body = {"items": [kept, line(comb, "product")], "discount": {"amount": 10, "type": "percentage", "apply_all": True}}
    events = await record_events(shop)
    tried = await shop.request(
        "PUT", path, json={**body, "updated_at": order["updated_at"]}, headers={"Frontdesk-Dry-Run": "true"}
    )
    assert [event["type"] for event in json_exact(tried)["dry_run"]["events"]][:1] == ["order.updated"]
    changed = json_exact(await shop.request("PUT", path, json={**body, "updated_at": order["updated_at"]}))["data"]
    assert (changed["total"], changed["discount_amount"]) == (58.5, 6.5)
    assert [(item["quantity"], item["line_id"] == sold["line_id"]) for item in changed["items"]] == [
        (3, True),
        (1, False),
    ]
    assert (await events.types())[0] == "order.updated"
    stale = await shop.request("PUT", path, json={**body, "updated_at": order["updated_at"]})
    assert assert_error(stale, 409, "version_conflict")["details"] == {"version": None}
    unknown = await shop.request("PUT", path, json={"items": [{**kept, "id": str(comb)}]})
    assert assert_error(unknown, 422, "validation_error")["errors"] == {
        "items.0.line_id": ["is not a line of this order"]
    }
    assert (await shop.post(f"/orders/{order['id']}/status", {"status": "canceled"})).status_code == 200
    assert_error(await shop.request("PUT", path, json=body), 422, "order_canceled")


async def test_errors_of_items_name_their_places_in_the_request(branch: BranchFixture) -> None:
    """Whatever their order in the request, items that stay are kept in their order, before new ones."""
    shop, cream, comb = branch.shop, await branch.add_product(stock=5), await branch.add_product(stock=5)
    order = await branch.read((await branch.place(line(cream, "product"), line(comb, "product")))["id"])
    path = f"/orders/{order['id']}/items"
    lines = {item["id"]: {"line_id": item["line_id"]} for item in order["items"]}
    kept = [{**line(item, "product"), **lines[str(item)]} for item in (comb, cream)]
    new = line(await branch.add_product(stock=5), "product")
    for wrong, field in (
        ({"id": str(uuid4())}, "id"),
        ({"staff_id": str(uuid4())}, "staff_id"),
        ({"quantity": 6}, "quantity"),
        ({"discount_amount": 100_000}, "discount_amount"),
    ):
        bodies = [[{**new, **wrong}, *kept]]
        if field != "id":  # of an item that stays it cannot be another
            bodies += [[new, {**kept[0], **wrong}, kept[1]], [new, kept[0], {**kept[1], **wrong}]]
        answers = [await shop.request("PUT", path, json={"items": items}) for items in bodies]
        named = [list(assert_error(answer, 422, "validation_error")["errors"]) for answer in answers]
        assert named == [[f"items.{place}.{field}"] for place in range(len(bodies))]


async def test_an_appointment_gets_another_service(branch: BranchFixture) -> None:
    shop, cut = branch.shop, await branch.add_service(duration=30)
    staff_id = await branch.add_provider(cut)
    await branch.set_hours(NINE_TO_FIVE)
    at = f"{day(4)}T10:00:00"
    order = await branch.read((await branch.place(line(cut), start=at))["id"])
    path, (sold,) = f"/orders/{order['id']}/items", order["items"]
    kept = {"line_id": sold["line_id"], "id": str(cut), "type": "service", "quantity": 1, "staff_id": str(staff_id)}
    body = {"items": [kept, line(cut)]}
    without = assert_error(await shop.request("PUT", path, json=body), 422, "validation_error")
    assert list(without["errors"]) == ["start"]
    longer = json_exact(await shop.request("PUT", path, json={**body, "start": at}))["data"]
    assert [booking["start"][11:16] for booking in longer["bookings"]] == ["10:00", "10:30"]
    late = await shop.request("PUT", path, json={**body, "start": f"{day(4)}T16:30:00"})
    assert_error(late, 422, "timeslot_unavailable")


async def test_an_order_without_an_appointment_gets_none_by_its_items(branch: BranchFixture) -> None:
    """A start that is left aside would look like a booking to who has sent it."""
    shop, cream, cut = branch.shop, await branch.add_product(), await branch.add_service()
    await branch.add_provider(cut)
    order = await branch.read((await branch.place(line(cream, "product")))["id"])
    kept = {**line(cream, "product"), "line_id": order["items"][0]["line_id"]}
    body = {"items": [kept, line(cut)], "start": f"{day(4)}T10:00:00"}
    refused = await shop.request("PUT", f"/orders/{order['id']}/items", json=body)
    assert list(assert_error(refused, 422, "validation_error")["errors"]) == ["start"]


async def test_a_customer_comes_and_gets_links(own_shop: Shop) -> None:
    order = await booked(own_shop)
    path = f"/orders/{order['id']}"
    assert_error(await own_shop.post(f"{path}/arrived", {"arrived": True}), 422, "invalid_status_transition")
    await change_row(own_shop, "orders", order["id"], starts_at=datetime.now(UTC))
    for arrived in (True, True, False):
        assert json_exact(await own_shop.post(f"{path}/arrived", {"arrived": arrived}))["data"]["id"] == order["id"]
    for link, page in (("booking-link", "/book/"), ("receipt-link", "/receipts/")):
        first, second = [json_exact(await own_shop.post(f"{path}/{link}"))["data"] for _ in range(2)]
        assert first == second
        assert first["url"].startswith(own_shop.origin + page)
        async with httpx2.AsyncClient(timeout=120) as http:
            assert (await http.get(first["url"])).status_code == 200


async def test_an_appointment_repeats_until_the_rest_is_canceled(own_shop: Shop) -> None:
    shop, body = own_shop, await appointment(own_shop)
    events = await record_events(shop)
    series: Document = await made(shop, "/order-series", {**body, "every_weeks": 2, "times": 3})
    starts = [datetime.fromisoformat(order["start"]).replace(tzinfo=None) for order in series["orders"]]
    first = datetime.fromisoformat(body["start"])
    assert starts == [first + timedelta(weeks=weeks) for weeks in (0, 2, 4)]
    assert (await events.types()).count("order.created") == 3
    taken = await shop.post("/order-series", {**body, "every_weeks": 4, "until": str(first.date() + timedelta(28))})
    assert_error(taken, 422, "timeslot_unavailable")
    neither = assert_error(await shop.post("/order-series", {**body, "every_weeks": 1}), 422, "validation_error")
    assert list(neither["errors"]) == ["times"]
    second = f"/orders/{series['orders'][1]['id']}/series"
    assert json_exact(await shop.get(second))["data"] == series
    canceled = json_exact(await shop.post(f"{second}/cancel", {"following": True, "notify": False}))["data"]
    assert [order["status"] for order in canceled["orders"]] == ["confirmed", "canceled", "canceled"]
    single = await booked(shop)
    assert_error(await shop.get(f"/orders/{single['id']}/series"), 404, "not_found")


async def test_all_appointments_of_a_series_share_the_stock(own_branch: BranchFixture) -> None:
    shop, cut = own_branch.shop, await own_branch.add_service()
    await own_branch.add_provider(cut)
    await own_branch.set_hours(NINE_TO_FIVE)
    oil = await own_branch.add_product(stock=3)
    body = own_branch.order(line(cut), line(oil, "product"), start=f"{day(3)}T10:00:00")
    short = await shop.post("/order-series", {**body, "every_weeks": 1, "times": 4})
    assert assert_error(short, 422, "validation_error")["errors"] == {
        "items.1.quantity": ["exceeds the quantity in stock"]
    }
    assert len((await made(shop, "/order-series", {**body, "every_weeks": 1, "times": 3}))["orders"]) == 3
