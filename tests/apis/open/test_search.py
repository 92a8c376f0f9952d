"""One search over customers, orders, items and staff: each with its own scope, and only of the business that asks."""

from typing import Any
from uuid import UUID

import pytest

from tests.factories.catalog import make_product
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.factories.people import make_customer, make_staff
from tests.support.events import as_in_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

KINDS = ("customers", "orders", "items", "staff")


async def search(shop: Shop, q: str, token: str | None = None, **params: Any) -> Document:
    answer = await shop.get("/search", params={"q": q, **params}, token=token)
    found: Document = json_exact(answer)["data"]
    assert tuple(found) == KINDS
    return found


def ids(found: Document) -> dict[str, list[str]]:
    """Of the kinds that have any."""
    return {kind: [record["id"] for record in records] for kind, records in found.items() if records}


async def test_each_kind_is_found_by_what_people_type(own_shop: Shop, other_shop: Shop) -> None:
    product = await make_product(own_shop, "Argan quartz oil", price="10", stock=3)
    await change_row(own_shop, "items", product, barcode="6281234567890", sku="QZ-1")
    member = await make_staff(own_shop, name="Quartz Al-Amri")
    customer = await make_customer(own_shop, "Quartzia", "Buyer", email="stone@example.com")
    expected = {"customers": [str(customer)], "items": [str(product)], "staff": [str(member)]}
    assert ids(await search(own_shop, " QUARTZ ")) == expected
    assert ids(await search(other_shop, "quartz")) == {}
    for code in ("6281234567890", "qz-1"):
        assert str(product) in ids(await search(own_shop, code))["items"], code
    assert ids(await search(own_shop, "stone@ buyer")) == {"customers": [str(customer)]}


async def test_records_look_as_in_their_lists(own_shop: Shop) -> None:
    customer = await make_customer(own_shop, "Zumurrud", "Al-Farsi")
    order = await make_order(own_shop, 2, customer_id=customer)
    (found,) = (await search(own_shop, "zumurrud"))["customers"]
    (listed,) = json_exact(await own_shop.get("/customers", params={"name": "zumurrud"}))["data"]
    assert found == as_in_events(listed)
    (row,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order)
    (numbered,) = (await search(own_shop, f"#{row['order_number']}"))["orders"]
    assert numbered == as_in_events(json_exact(await own_shop.get("/orders", params={"per_page": 1}))["data"][0])


async def test_packages_are_found_among_the_items(own_shop: Shop) -> None:
    (package,) = json_exact(await own_shop.get("/packages", params={"per_page": 1}))["data"]
    found = (await search(own_shop, package["name"]["en"]))["items"]
    fields = {name: package[name] for name in ("id", "name", "sku", "branch", "status")}
    assert {**fields, "type": "package"} in found


async def test_newest_customers_and_active_staff_come_first(own_shop: Shop) -> None:
    customers = [await make_customer(own_shop, "Ghaliya", "Twin") for _ in range(3)]
    left = await make_staff(own_shop, name="Ghaliya A", active=False)
    works = await make_staff(own_shop, name="Ghaliya B")
    found = await search(own_shop, "ghaliya", limit=2)
    assert [UUID(one["id"]) for one in found["customers"]] == customers[:0:-1]
    assert [(UUID(one["id"]), one["status"]) for one in found["staff"]] == [(works, True), (left, False)]


async def test_what_the_token_may_not_read_is_null(own_shop: Shop) -> None:
    for kind in KINDS:
        found = await search(own_shop, "a", await own_shop.new_token(f"{kind}:read"))
        assert [name for name in KINDS if found[name] is not None] == [kind]
    found = await search(own_shop, "a", await own_shop.new_token("branches:read"))
    assert found == dict.fromkeys(KINDS)


@pytest.mark.parametrize("text", ["%", "_", "'", "9" * 255, "٤٢", "\u202e", " ", "$1", "{0}"])
async def test_any_text_can_be_searched(shop: Shop, text: str) -> None:
    answer = await shop.get("/search", params={"q": text})
    if answer.status_code != 200:
        assert_error(answer, 422, "validation_error")


async def test_a_text_of_which_nothing_is_compared_finds_nothing(shop: Shop) -> None:
    assert ids(await search(shop, "ء")) == {}


@pytest.mark.parametrize("params", [{}, {"q": ""}, {"q": "a", "limit": 26}, {"q": "a", "limit": 0}, {"q": "x" * 256}])
async def test_wrong_parameters_are_refused(shop: Shop, params: dict[str, Any]) -> None:
    assert_error(await shop.get("/search", params=params), 422, "validation_error")
