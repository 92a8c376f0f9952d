"""Looking sales up at the till."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.branch import BranchFixture, day, line, open_branch
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till


@pytest.fixture(scope="module")
async def sold(service: Service, other_shop: Shop) -> tuple[Till, list[Document]]:
    branch: BranchFixture = await open_branch(await service.new_shop())
    till, soap = Till(branch), await branch.add_product(price="20", stock=50)
    first = await till.ring_up("20", line(soap, "product"), cashier="Huda", payment_methods=[await till.paid("20")])
    second = await till.ring_up("40", line(soap, "product", 2), cashier="Amal", customer_id=str(branch.customer_id))
    third = await till.ring_up("20", line(soap, "product"), cashier="huda a", isDraft=True)
    await branch.shop.sql(
        "UPDATE orders SET created_at = created_at - interval '400 days' WHERE tenant_id = $1 AND order_number < $2",
        int(first["order_number"]),
    )
    return till, [first, second, third]


async def _found(till: Till, query: str) -> list[str]:
    page = json_exact(await till.request("GET", f"/pos/orders?{query}"))
    assert page["meta"]["total"] == len(page["data"])
    return [order["id"] for order in page["data"]]


async def test_sales_are_found_by_what_a_till_knows(sold: tuple[Till, list[Document]]) -> None:
    till, (first, second, third) = sold
    assert await _found(till, f"number={second['order_number']}") == [second["id"]]
    assert await _found(till, f"day={day(0)}") == [third["id"], second["id"], first["id"]]
    assert await _found(till, f"customer_id={till.branch.customer_id}") == [second["id"]]
    assert await _found(till, "cashier=HUDA") == [third["id"], first["id"]]
    assert await _found(till, "status=draft&cashier=huda") == [third["id"]]
    assert await _found(till, f"number={second['order_number']}&cashier=huda") == []
    assert await _found(till, "cashier=%25") == []


async def test_a_sale_is_read_again_with_all_of_its_receipt(sold: tuple[Till, list[Document]]) -> None:
    till, (first, second, _) = sold
    read: dict[str, Any] = json_exact(await till.request("GET", f"/pos/orders/{first['id']}"))["data"]
    assert {name: read[name] for name in first} == first
    detail = await till.branch.read(second["id"])
    read = json_exact(await till.request("GET", f"/pos/orders/{second['id']}"))["data"]
    for name in ("parent_id", "source", "start", "note", "refund_ids", "updated_at"):
        assert read[name] == detail[name]
    assert (read["customer"]["id"], read["branch"]["id"]) == (detail["customer"]["id"], detail["branch"]["id"])


async def test_orders_of_another_business_are_unknown(sold: tuple[Till, list[Document]], other_shop: Shop) -> None:
    till, (first, *_) = sold
    theirs = await other_shop.first("/orders")
    assert_error(await till.request("GET", f"/pos/orders/{theirs['id']}"), 404, "not_found")
    assert_error(await other_shop.key_call("GET", f"/pos/orders/{first['id']}"), 404, "not_found")
    for unknown in (uuid4(), (await other_shop.first("/customers"))["id"]):
        answer = assert_error(await till.request("GET", f"/pos/orders?customer_id={unknown}"), 422, "validation_error")
        assert list(answer["errors"]) == ["customer_id"]


async def test_a_customer_is_found_by_phone_or_by_email_but_not_by_both(shop: Shop) -> None:
    answer = await shop.key_call("GET", "/customers/find?phone=966503456038&email=layla.ghamdi@example.com")
    assert sorted(assert_error(answer, 422, "validation_error")["errors"]) == ["email", "phone"]
