"""Tags, blocking and merging of customers by an application, with the acts of the customer's page."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.branch import BranchFixture, line
from tests.support.events import record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def _add(shop: Shop, **fields: Any) -> Document:
    made: Document = json_exact(await shop.post("/customers", {"first_name": "Joud", **fields}), 201)["data"]
    return made


async def _do(shop: Shop, customer: Document, act: str, body: Document | None = None) -> Document:
    answer = await shop.post(f"/customers/{customer['id']}/{act}", body)
    changed: Document = json_exact(answer)["data"]
    assert changed == await _read(shop, customer["id"])
    return changed


async def _read(shop: Shop, customer_id: str) -> Document:
    found: Document = json_exact(await shop.get(f"/customers/{customer_id}"))["data"]
    return found


async def test_a_tag_is_given_once_and_taken(own_branch: BranchFixture) -> None:
    own_shop = own_branch.shop
    customer, recorder = await _add(own_shop), await record_events(own_shop)
    name = f"Regular {uuid4()}"
    tagged = await _do(own_shop, customer, "tags", {"name": name})
    assert [tag["name"] for tag in tagged["tags"]] == [name]
    assert await _do(own_shop, customer, "tags", {"name": name.upper()}) == tagged
    assert await recorder.types() == ["customer.updated"]
    path = f"/customers/{customer['id']}/tags?tag_id={tagged['tags'][0]['id']}"
    for _ in range(2):
        assert (await own_shop.request("DELETE", path)).status_code == 204
    assert (await _read(own_shop, customer["id"]))["tags"] == []


async def test_a_blocked_customer_gets_no_order_until_the_block_ends(branch: BranchFixture) -> None:
    customer, cream = await _add(branch.shop), await branch.add_product()
    order = {**branch.order(line(cream, "product")), "customer_id": customer["id"]}
    for _ in range(2):
        assert (await _do(branch.shop, customer, "block", {"reason": "Did not come"}))["blocked"] is True
    refused = assert_error(await branch.shop.post("/orders", order), 422, "validation_error")
    assert refused["errors"] == {"customer_id": ["is blocked by the business"]}
    for _ in range(2):
        assert (await _do(branch.shop, customer, "unblock"))["blocked"] is False
    assert (await branch.shop.post("/orders", order)).status_code == 201


async def test_a_merge_moves_everything_and_fills_what_is_empty(branch: BranchFixture) -> None:
    phone = {"phone": f"+96655{str(uuid4().int)[:7]}", "phone_country": "SA"}
    kept = await _add(branch.shop, city="Riyadh", note="Quiet")
    other = await _add(branch.shop, first_name="Joudi", city="Abha", note="By the window", **phone)
    order = {**branch.order(line(await branch.add_product(), "product")), "customer_id": other["id"]}
    order_id = json_exact(await branch.shop.post("/orders", order), 201)["data"]["id"]
    merged = await _do(branch.shop, kept, "merge", {"customer_id": other["id"]})
    assert (merged["first_name"], merged["city"], merged["phone"]) == ("Joud", "Riyadh", phone["phone"])
    assert merged["note"] == "Quiet"
    assert (await branch.read(order_id))["customer"]["id"] == kept["id"]
    assert (await branch.shop.get(f"/customers/{other['id']}")).status_code == 404
    notes = await branch.shop.sql(
        "SELECT text, author_id FROM customer_notes WHERE tenant_id = $1 AND customer_id = $2", kept["id"]
    )
    assert [tuple(note) for note in notes] == [("By the window", None)]


async def test_a_merge_takes_the_fields_that_are_named(branch: BranchFixture) -> None:
    shop = branch.shop
    kept = await _add(shop, city="Riyadh")
    other = await _add(shop, first_name="Rana", city="Abha", address="Road 7")
    body = {"customer_id": other["id"], "take": ["name"]}
    merged = await _do(shop, kept, "merge", body)
    assert (merged["first_name"], merged["city"], merged["address"]) == ("Rana", "Riyadh", None)


async def test_a_customer_is_not_merged_with_itself_or_a_stranger(branch: BranchFixture, other_shop: Shop) -> None:
    shop = branch.shop
    kept, (foreign, *_) = await _add(shop), json_exact(await other_shop.get("/customers"))["data"]
    for other, text in {
        kept["id"]: "must be another customer than the one in the path",
        foreign["id"]: "is not a customer of this business",
        str(uuid4()): "is not a customer of this business",
    }.items():
        answer = await shop.post(f"/customers/{kept['id']}/merge", {"customer_id": other})
        assert assert_error(answer, 422, "validation_error")["errors"] == {"customer_id": [text]}


async def test_two_customers_who_look_alike_are_two(own_shop: Shop) -> None:
    one, other = [await _add(own_shop, last_name="Saad") for _ in range(2)]
    for _ in range(2):
        await _do(own_shop, one, "distinct", {"customer_id": other["id"]})
    same = await own_shop.post(f"/customers/{one['id']}/distinct", {"customer_id": one["id"]})
    assert list(assert_error(same, 422, "validation_error")["errors"]) == ["customer_id"]
    (found,) = await own_shop.sql("SELECT count(*) FROM distinct_customers WHERE tenant_id = $1")
    assert found["count"] == 1
