"""Applications move categories, items, staff members and payment methods, and pin items to the top of the till."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.support.events import record_events
from tests.support.full_requests.places import method_body
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import category_body, made, package_body, product_body, staff_body
from tests.support.shop import Shop

MakeBody = Callable[[Shop], Awaitable[Document]]
_LISTS: list[tuple[str, MakeBody, str | None]] = [
    ("/categories", category_body, "category.updated"),
    ("/items", product_body, None),  # whose published form has no place
    ("/staff", staff_body, "staff.updated"),
    ("/payment-methods", method_body, "payment_method.updated"),
]


@pytest.mark.parametrize(("path", "body", "event"), _LISTS, ids=[path for path, *_ in _LISTS])
async def test_a_record_moves_before_another_one_or_to_the_end(
    own_shop: Shop, path: str, body: MakeBody, event: str | None
) -> None:
    one, two, three = [(await made(own_shop, path, await body(own_shop)))["id"] for _ in range(3)]

    async def order() -> list[str]:
        listed: Any = json_exact(await own_shop.get(path, params={"per_page": "100"}))["data"]
        found = sorted(listed, key=lambda record: record.get("sort_order", 0))
        return [record["id"] for record in found if record["id"] in (one, two, three)]

    await own_shop.post(f"{path}/{two}/move", {})
    await own_shop.post(f"{path}/{three}/move", {})
    assert await order() == [one, two, three]
    recorder = await record_events(own_shop)
    moved = json_exact(await own_shop.post(f"{path}/{three}/move", {"before": one}))["data"]
    assert (moved["id"], await order()) == (three, [three, one, two])
    events = await recorder.new_events()
    assert {(told["type"], *told["data"]["changed"]) for told in events} == (
        {(event, "sort_order")} if event else set()
    )
    itself = await own_shop.post(f"{path}/{two}/move", {"before": two})
    assert list(assert_error(itself, 422, "validation_error")["errors"]) == ["before"]


async def test_an_item_moves_among_those_of_its_category(own_shop: Shop) -> None:
    item, body = await made(own_shop, "/items", await product_body(own_shop)), await product_body(own_shop)
    loose = await made(own_shop, "/items", {**body, "category_id": None})
    answer = await own_shop.post(f"/items/{item['id']}/move", {"before": loose["id"]})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["before"]


async def test_who_left_has_no_place(own_shop: Shop) -> None:
    here, left = [await made(own_shop, "/staff", await staff_body(own_shop)) for _ in range(2)]
    json_exact(await own_shop.request("PATCH", f"/staff/{left['id']}", json={"status": False}))
    assert_error(await own_shop.post(f"/staff/{left['id']}/move", {"before": here["id"]}), 404, "not_found")
    answer = await own_shop.post(f"/staff/{here['id']}/move", {"before": left["id"]})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["before"]


async def test_items_and_packages_are_pinned_and_taken_away(own_shop: Shop) -> None:
    package = await made(own_shop, "/packages", await package_body(own_shop))
    item = await made(own_shop, "/items", await product_body(own_shop))
    before = json_exact(await own_shop.get("/pinned-items"))["data"]
    pinned = [
        json_exact(await own_shop.request("PUT", f"/pinned-items/{one['id']}"))["data"] for one in (package, item)
    ]
    assert [(one["id"], one["type"]) for one in pinned] == [(package["id"], "package"), (item["id"], "product")]
    again = json_exact(await own_shop.request("PUT", f"/pinned-items/{package['id']}"))["data"]
    assert again == pinned[0]
    assert json_exact(await own_shop.get("/pinned-items"))["data"] == [*before, *pinned]
    last = json_exact(await own_shop.get("/pinned-items", params={"page": len(before) + 2, "per_page": 1}))
    assert (last["data"], last["meta"]["total"], last["links"]["next"]) == (pinned[1:], len(before) + 2, None)
    for _ in range(2):
        assert (await own_shop.request("DELETE", f"/pinned-items/{package['id']}")).status_code == 204
    assert json_exact(await own_shop.get("/pinned-items"))["data"] == [*before, pinned[1]]
