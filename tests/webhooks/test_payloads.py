"""Which changes emit events, for every way of making them, and that the payload is the published form."""

from typing import Any
from uuid import uuid4

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.catalog import make_option
from tests.factories.changes import change_rows
from tests.factories.customers import tag_customers
from tests.factories.people import make_customer
from tests.factories.states import turn_into_draft
from tests.support.acts import refund_order
from tests.support.branch import BranchFixture, day, line, method_of, start
from tests.support.events import as_in_events, record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.till import Till

pytestmark = pytest.mark.both_servers

PAID = {"amount": 20, "payment_method_type": "cash"}


async def bookable(branch: BranchFixture) -> Document:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    return line(cut)


async def test_an_event_has_the_envelope_of_all_events(branch: BranchFixture) -> None:
    recorder = await record_events(branch.shop)
    placed = await branch.place(line(await branch.add_product(), "product"))
    created, stocked = await recorder.new_events()
    assert list(created) == ["id", "type", "timestamp", "api_version", "tenant_id", "sequence", "data"]
    assert (created["type"], created["api_version"]) == ("order.created", "v1")
    assert created["tenant_id"] == str(branch.shop.tenant_id)
    assert stocked["sequence"] == created["sequence"] + 1
    assert created["timestamp"] >= placed["created_at"]
    assert created["id"][14] == stocked["id"][14] == "7"  # time-ordered


async def test_the_event_of_an_order_holds_what_a_read_returns(branch: BranchFixture) -> None:
    recorder, service = await record_events(branch.shop), await bookable(branch)
    placed = await branch.place(service, start=start(day(3), "10:00"), note="By the window")
    assert await recorder.one("order.created") == {"order": as_in_events(await branch.read(placed["id"]))}


async def test_the_event_of_an_order_with_everything_holds_what_a_read_returns(branch: BranchFixture) -> None:
    """Several services, a product and a package, paid in part: everything that the statement writes has its event."""
    service, cream = await bookable(branch), await branch.add_product(stock=10)
    package = await branch.add_package({cream: 3})
    lines = [service, service, line(cream, "product", 2), line(package, "package")]
    recorder = await record_events(branch.shop)
    placed = await branch.place(*lines, start=start(day(3), "10:00"), payment=PAID)
    order = as_in_events(await branch.read(placed["id"]))
    created, paid, stocked = await recorder.new_events()
    assert created["data"] == {"order": order}
    assert len(order["transactions"]) == 1
    assert paid["data"] == {"transaction": order["transactions"][0]}
    assert stocked["type"] == "item.stock_changed"
    assert stocked["data"] == await stock_payload(branch, cream, 10, 5)


async def stock_payload(branch: BranchFixture, item_id: Any, previous: int, now: int, **options: Any) -> Document:
    (row,) = await branch.shop.sql(
        "SELECT sku, name::text, branch_id FROM items WHERE tenant_id = $1 AND id = $2", item_id
    )
    return {
        "item": {
            "id": str(item_id),
            "sku": row["sku"],
            "name": {"ar": "شيء", "en": "A thing"},
            "branch_id": str(row["branch_id"]),
        },
        "previous_stock": previous,
        "stock": now,
        "stock_counted": True,
        "options": [],
        **options,
    }


async def test_an_order_born_paid_has_not_changed_its_payment_status(branch: BranchFixture) -> None:
    product, recorder = await branch.add_product(price="20"), await record_events(branch.shop)
    placed = await branch.place(line(product, "product"), payment=PAID)
    assert placed["payment_status"] == "paid"
    assert await recorder.types() == ["order.created", "transaction.created", "item.stock_changed"]


async def test_a_sale_at_the_till_emits_the_events_of_its_payments(till: Till) -> None:
    cream, recorder = await till.branch.add_product(price="30"), await record_events(till.shop)
    payments = [await till.paid("10"), await till.paid("20", "card")]
    sold = await till.ring_up("30", line(cream, "product"), payment_methods=payments)
    order = as_in_events(await till.branch.read(sold["id"]))
    created, first, second, stocked = await recorder.new_events()
    assert created["data"] == {"order": order}
    assert [first["data"], second["data"]] == [{"transaction": one} for one in order["transactions"]]
    assert stocked["type"] == "item.stock_changed"


async def test_the_quantity_of_an_option_is_in_the_event_of_its_product(till: Till) -> None:
    cream = await till.branch.add_product(price="30", stock=9)
    option = await make_option(till.branch.shop, cream, "40", quantity=4)
    recorder = await record_events(till.shop)
    sold = await till.ring_up("80", line(cream, "product", 2, option_id=[option]))
    change = {"id": option, "previous_quantity": 4, "quantity": 2}
    assert (await recorder.new_events())[1]["data"] == await stock_payload(till.branch, cream, 9, 7, options=[change])
    await till.move(sold["id"], "canceled")
    change = {"id": option, "previous_quantity": 2, "quantity": 4}
    assert (await recorder.new_events())[1]["data"] == await stock_payload(till.branch, cream, 7, 9, options=[change])


async def test_a_draft_is_an_order_and_takes_its_stock_later(till: Till) -> None:
    cream, recorder = await till.branch.add_product(price="30", stock=5), await record_events(till.shop)
    draft = await till.ring_up("30", line(cream, "product"), isDraft=True)
    assert (await recorder.one("order.created"))["order"]["status"] == "draft"
    json_exact(await till.change(draft["id"], "60", line(cream, "product", 2)))
    assert await recorder.types() == []
    await till.move(draft["id"], "confirmed")
    changed, stocked = await recorder.new_events()
    assert (changed["data"]["previous_status"], changed["data"]["status"]) == ("draft", "confirmed")
    assert stocked["data"] == await stock_payload(till.branch, cream, 5, 3)


async def test_a_draft_given_up_moves_no_stock(till: Till) -> None:
    cream = await till.branch.add_product(price="30")
    draft = await till.ring_up("30", line(cream, "product"), isDraft=True)
    recorder = await record_events(till.shop)
    await till.move(draft["id"], "canceled")
    assert await recorder.types() == ["order.status_changed"]
    await till.move(draft["id"], "confirmed")
    assert await recorder.types() == ["order.status_changed", "item.stock_changed"]


async def test_order_status_changed_event_names_the_actor_and_the_reason(branch: BranchFixture) -> None:
    service = await bookable(branch)
    placed = await branch.place(service, start=start(day(3), "10:00"))
    recorder = await record_events(branch.shop)
    moved = await branch.move(placed["id"], "in-progress", note_for_status="In the chair")
    (client,) = await branch.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
    assert await recorder.one("order.status_changed") == {
        "order": as_in_events(moved),
        "previous_status": "confirmed",
        "status": "in-progress",
        "note_for_status": "In the chair",
        "changed_by": {"type": "app", "id": str(client["id"])},
    }


async def test_events_of_a_till_name_its_api_key(till: Till) -> None:
    sold = await till.ring_up("20", line(await till.branch.add_product(), "product"))
    recorder = await record_events(till.shop)
    await till.move(sold["id"], "completed")
    data = await recorder.one("order.status_changed")
    (key,) = await till.shop.sql("SELECT id FROM api_keys WHERE tenant_id = $1")
    assert data["changed_by"] == {"type": "app", "id": str(key["id"])}


async def test_canceling_and_coming_back_move_stock_both_ways(branch: BranchFixture) -> None:
    service, cream = await bookable(branch), await branch.add_product(stock=5)
    placed = await branch.place(service, line(cream, "product", 2), start=start(day(3), "10:00"))
    recorder = await record_events(branch.shop)
    canceled = await branch.move(placed["id"], "canceled")
    changed, stocked = await recorder.new_events()
    assert changed["data"]["order"] == as_in_events(canceled)
    assert stocked["data"] == await stock_payload(branch, cream, 3, 5)
    await branch.move(placed["id"], "completed")
    assert (await recorder.new_events())[1]["data"] == await stock_payload(branch, cream, 5, 3)
    await branch.move(placed["id"], "confirmed")
    assert await recorder.types() == ["order.status_changed"]


async def test_a_change_of_nothing_emits_no_event(branch: BranchFixture) -> None:
    placed = await branch.place(line(await branch.add_product(), "product"))
    recorder = await record_events(branch.shop)
    await branch.move(placed["id"], "confirmed", note_for_status="Again")
    assert await recorder.types() == []


async def test_a_refused_request_emits_no_event(branch: BranchFixture) -> None:
    cream, recorder = await branch.add_product(stock=1), await record_events(branch.shop)
    assert_error(await branch.shop.post("/orders", branch.order(line(cream, "product", 2))), 422, "validation_error")
    paid = branch.order(line(cream, "product"), payment={"amount": 1, "payment_method_id": str(uuid4())})
    assert_error(await branch.shop.post("/orders", paid), 422, "payment_method_not_found")
    assert_error(await branch.shop.post("/customers", {"first_name": "X"}), 422, "validation_error")
    assert await recorder.types() == []


async def test_a_payment_emits_events_of_the_payment_and_the_order(branch: BranchFixture) -> None:
    placed = await branch.place(line(await branch.add_product(price="60"), "product"))
    recorder, method = await record_events(branch.shop), await method_of(branch.shop)
    path = f"/orders/{placed['id']}/payments"

    async def pay() -> Document:
        body = {"amount": 20, "payment_method_id": method}
        paid: Document = json_exact(await branch.shop.post(path, body), 201)["data"]
        return paid

    first = await pay()
    created, changed = await recorder.new_events()
    assert created["data"] == {"transaction": first}
    assert changed["type"] == "order.payment_status_changed"
    assert changed["data"] == {
        "order": as_in_events(await branch.read(placed["id"])),
        "previous_payment_status": "unpaid",
        "payment_status": "partially_paid",
    }
    await pay()
    assert await recorder.types() == ["transaction.created"]
    await pay()
    data = (await recorder.new_events())[1]["data"]
    assert (data["previous_payment_status"], data["payment_status"]) == ("partially_paid", "paid")


async def test_a_refund_is_an_order_and_changes_what_was_paid(till: Till) -> None:
    cream = await till.branch.add_product(price="30", stock=5)
    sold = await till.ring_up("60", line(cream, "product", 2), payment_methods=[await till.paid("60")])
    recorder, line_id = await record_events(till.shop), sold["items"][0]["line_id"]
    child = await till.refund(sold["id"], (line_id, 1), restock=True)
    created, given_back, changed, stocked = await recorder.new_events()
    order = as_in_events(await till.branch.read(child["id"]))
    assert created["type"] == "order.created"
    assert created["data"] == {"order": order}
    assert order["parent_id"] == sold["id"]
    assert given_back["data"] == {"transaction": order["transactions"][0]}
    assert changed["data"] == {
        "order": as_in_events(await till.branch.read(sold["id"])),
        "previous_payment_status": "paid",
        "payment_status": "partially_refunded",
    }
    assert stocked["data"] == await stock_payload(till.branch, cream, 3, 4)
    await till.refund(sold["id"], (line_id, 1))
    assert await recorder.types() == ["order.created", "transaction.created", "order.payment_status_changed"]


async def test_a_refund_that_cancels_emits_events_of_both(till: Till) -> None:
    cut, cream = await till.branch.add_service(price="70"), await till.branch.add_product(price="30", stock=5)
    await till.branch.add_provider(cut)
    at = (await till.branch.starts(cut, day(3)))[0]
    sold = await till.ring_up(
        "130", line(cut), line(cream, "product", 2), start=start(day(3), at), payment_methods=[await till.paid("50")]
    )
    recorder = await record_events(till.shop)
    await till.refund(sold["id"], cancel_order=True)
    heard = await recorder.new_events()
    assert [event_["type"] for event_ in heard] == [
        "order.created",
        "transaction.created",
        "order.payment_status_changed",
        "item.stock_changed",
        "order.status_changed",
    ]
    assert (heard[-1]["data"]["previous_status"], heard[-1]["data"]["status"]) == ("confirmed", "canceled")
    assert heard[-1]["data"]["order"] == as_in_events(await till.branch.read(sold["id"]))


async def test_an_event_names_one_author(till: Till) -> None:
    sold = await till.ring_up("20", line(await till.branch.add_product(), "product"))
    recorder = await record_events(till.shop)
    await till.move(sold["id"], "completed")
    data = await recorder.one("order.status_changed")
    first, last = data["order"]["status_history"]
    assert data["changed_by"] == last["changed_by"] == first["changed_by"]
    assert data["changed_by"]["type"] == "app"
    placed = await till.ring_up("20", line(await till.branch.add_product(), "product"))
    (created, *_) = await recorder.new_events()
    assert created["data"]["order"] == as_in_events(await till.branch.read(placed["id"]))


async def test_an_act_of_the_dashboard_emits_events_too(conn: Connection, till: Till) -> None:
    """As the dashboard calls it."""
    sold = await till.ring_up(
        "20", line(await till.branch.add_product(), "product"), payment_methods=[await till.paid("20")]
    )
    recorder = await record_events(till.shop)
    actor = Actor("user", uuid4())
    await refund_order(conn, await till.shop.tenant(), sold["id"], RefundRequest(None, restock=True), actor)
    assert await recorder.types() == [
        "order.created",
        "transaction.created",
        "order.payment_status_changed",
        "item.stock_changed",
    ]


async def test_customer_created_is_emitted(branch: BranchFixture) -> None:
    recorder = await record_events(branch.shop)
    made = json_exact(await branch.shop.post("/customers", {"first_name": "Joud", "city": "Riyadh"}), 201)["data"]
    assert await recorder.one("customer.created") == {"customer": as_in_events(made)}


async def test_deleting_a_tag_emits_customer_updated_for_each_customer(till: Till) -> None:
    tag = json_exact(await till.request("POST", "/tags?model=customers", {"name": str(uuid4())}), 201)["data"]
    await tag_customers(till.shop, tag["id"], [await make_customer(till.shop) for _ in range(3)])
    recorder = await record_events(till.shop)
    assert (await till.request("DELETE", f"/tags/{tag['id']}")).status_code == 204
    events = await recorder.new_events()
    assert [event["type"] for event in events] == ["customer.updated"] * 3
    for event in events:
        customer = event["data"]["customer"]
        assert tag["id"] not in [one["id"] for one in customer["tags"]]
        assert customer == as_in_events(json_exact(await till.shop.get(f"/customers/{customer['id']}"))["data"])
    assert_error(await till.request("DELETE", f"/tags/{tag['id']}"), 404, "not_found")
    assert await recorder.types() == []


async def test_the_order_in_an_event_stays_as_it_was(branch: BranchFixture) -> None:
    placed = await branch.place(line(await branch.add_product(), "product"))
    before = as_in_events(await branch.read(placed["id"]))
    await change_rows(branch.shop, "customers", first_name="Renamed")
    await branch.move(placed["id"], "completed")
    found = json_exact(await branch.shop.get("/events", params={"type": "order.created"}))["data"]
    assert found[-1]["data"]["order"] == before


async def test_a_sandbox_begins_without_events(branch: BranchFixture) -> None:
    fresh = json_exact(await branch.shop.get("/events"))
    assert (fresh["data"], fresh["meta"]["total"]) == ([], 0)


async def test_order_status_changed_is_emitted_when_a_draft_is_confirmed(branch: BranchFixture) -> None:
    service = await bookable(branch)
    placed = await branch.place(service, start=start(day(3), "10:00"))
    await turn_into_draft(branch, placed["id"])
    recorder = await record_events(branch.shop)
    moved = await branch.move(placed["id"], "confirmed")
    data = await recorder.one("order.status_changed")
    assert (data["previous_status"], data["order"]) == ("draft", as_in_events(moved))
