"""Changing a customer: an omitted field stays, null clears it, and only a real change emits an event."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.branch import BranchFixture
from tests.support.events import as_in_events, record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


def _number() -> str:
    return f"+96650{uuid4().int % 10**7:07}"


async def _customer(shop: Shop, **more: Any) -> Document:
    body = {"first_name": "Rana", "last_name": "Saleh", "phone": _number(), "phone_country": "sa", "city": "Jeddah"}
    made: Document = json_exact(await shop.post("/customers", {**body, **more}), 201)["data"]
    return made


async def _change(shop: Shop, customer: Document, **changes: Any) -> Document:
    changed: Document = json_exact(await shop.request("PATCH", f"/customers/{customer['id']}", json=changes))["data"]
    return changed


async def test_a_customer_change_leaves_omitted_fields(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    before, recorder, number = await _customer(shop, note="Tea"), await record_events(shop), _number()
    changed = await _change(
        shop, before, first_name=" Rania ", phone=number, phone_country="SA", city=None, email="Rania@EXAMPLE.com"
    )
    expected = {"first_name": "Rania", "phone": number, "city": None, "email": "Rania@example.com"}
    assert changed == {**before, **expected, "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > before["updated_at"]
    assert json_exact(await shop.get(f"/customers/{before['id']}"))["data"] == changed
    told = {"customer": as_in_events(changed), "changed": ["city", "email", "first_name", "phone"]}
    assert await recorder.one("customer.updated") == told
    found = json_exact(await shop.get("/customers", params={"name": "rania sal"}))["data"]
    assert [one["id"] for one in found] == [before["id"]]


async def test_a_customer_change_with_null_clears_optional_fields(own_branch: BranchFixture) -> None:
    before = await _customer(own_branch.shop, email="r@example.com", address="Olaya 1", note="x", type="company")
    optional = ("last_name", "email", "phone", "phone_country", "type", "city", "address", "note")
    changed = await _change(own_branch.shop, before, **dict.fromkeys((*optional, "tax_registration_number")))
    assert [changed[name] for name in ("last_name", "email", "phone", "city", "address", "note")] == [None] * 6
    assert changed["type"] == "individual"
    (kept,) = await own_branch.shop.sql(
        "SELECT phone_country FROM customers WHERE tenant_id = $1 AND id::text = $2", before["id"]
    )
    assert kept["phone_country"] is None


async def test_a_customer_change_to_the_same_values_emits_no_event(own_branch: BranchFixture) -> None:
    before, recorder = await _customer(own_branch.shop), await record_events(own_branch.shop)
    same = {"first_name": before["first_name"], "phone": before["phone"], "phone_country": "SA", "note": None}
    assert await _change(own_branch.shop, before, **same) == before
    assert await _change(own_branch.shop, before) == before
    assert await recorder.types() == []


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"first_name": None}, "first_name"),
        ({"first_name": "R"}, "first_name"),
        ({"phone": "0501234567"}, "phone_country"),
        ({"phone_country": "SA"}, "phone"),
        ({"phone": "12", "phone_country": "SA"}, "phone"),
        ({"email": "rana@"}, "email"),
        ({"type": "person"}, "type"),
        ({"tax_registration_number": "1"}, "tax_registration_number"),
    ],
)
async def test_an_invalid_customer_change_is_refused_as_a_whole(
    branch: BranchFixture, changes: Document, field: str
) -> None:
    before = await _customer(branch.shop)
    answer = await branch.shop.request("PATCH", f"/customers/{before['id']}", json={"city": "Riyadh", **changes})
    assert field in assert_error(answer, 422, "validation_error")["errors"]
    assert json_exact(await branch.shop.get(f"/customers/{before['id']}"))["data"] == before


async def test_a_phone_belongs_to_one_customer(branch: BranchFixture) -> None:
    one, other = await _customer(branch.shop), await _customer(branch.shop)
    sent = {"phone": other["phone"], "phone_country": "SA"}
    answer = assert_error(
        await branch.shop.request("PATCH", f"/customers/{one['id']}", json=sent), 422, "validation_error"
    )
    assert answer["errors"] == {"phone": ["already belongs to another customer"]}


async def test_customers_of_others_are_unknown_and_reading_is_not_writing(
    branch: BranchFixture, other_shop: Shop
) -> None:
    customer = await _customer(branch.shop)
    path = f"/customers/{customer['id']}"
    assert_error(await other_shop.request("PATCH", path, json={"note": "Mine"}), 404, "not_found")
    token = await branch.shop.new_token("customers:read")
    assert_error(
        await branch.shop.request("PATCH", path, json={"note": "Mine"}, token=token), 403, "insufficient_scope"
    )
