"""Applications create, change, retire and delete what a business sells, by the acts of the dashboard."""

from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from tests.factories.changes import change_tenant
from tests.support.branch import BranchFixture, line
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import MAKE, made, package_body, product_body, service_body, tax_class_body
from tests.support.shop import Shop

NAME = {"en": "Blow-dry", "ar": "استشوار"}


async def _patched(shop: Shop, path: str, body: Document) -> Document:
    document: Document = json_exact(await shop.request("PATCH", path, json=body))["data"]
    return document


async def _refused(shop: Shop, path: str, body: Document) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = assert_error(await shop.request("PATCH", path, json=body), 422, "validation_error")[
        "errors"
    ]
    return errors


async def test_a_service_of_an_application_can_be_booked(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    staff_id = await own_branch.add_provider()
    body = {"type": "service", "name": NAME, "price": 80, "duration": 30, "branch_id": str(own_branch.branch_id)}
    item = await made(shop, "/items", {**body, "staff_ids": [str(staff_id), str(staff_id)]})
    assert (item["name"], item["price"], item["duration"], item["version"]) == (NAME, 80, 30, 1)
    assert [member["id"] for member in item["staff"]] == [str(staff_id)]
    assert json_exact(await shop.get(f"/items/{item['id']}"))["data"] == item
    (kept,) = await shop.sql(
        "SELECT action, actor_type::text FROM activity WHERE tenant_id = $1 AND subject_id = $2", UUID(item["id"])
    )
    assert (kept["action"], kept["actor_type"]) == ("item.created", "app")


async def test_lists_and_answers_to_writes_show_the_same_item(own_shop: Shop) -> None:
    for body in (await service_body(own_shop), await product_body(own_shop)):
        await made(own_shop, "/items", body)
    for listed in json_exact(await own_shop.get("/items", params={"per_page": "100"}))["data"]:
        detail = json_exact(await own_shop.get(f"/items/{listed['id']}"))["data"]
        detail.pop("staff", None)
        assert detail == listed
    for listed in json_exact(await own_shop.get("/packages"))["data"]:
        assert json_exact(await own_shop.get(f"/packages/{listed['id']}"))["data"] == listed
    await made(own_shop, "/packages", await package_body(own_shop))


async def test_an_update_changes_what_is_sent_and_nothing_else(own_shop: Shop) -> None:
    item = await made(own_shop, "/items", await service_body(own_shop))
    path = f"/items/{item['id']}"
    changed = await _patched(own_shop, path, {"price": 200, "description": None, "version": item["version"]})
    same = item.keys() - {"price", "entered_price", "description", "html_description", "version", "updated_at"}
    assert {name: changed[name] for name in same} == {name: item[name] for name in same}
    assert (changed["price"], changed["description"], changed["version"]) == (200, None, item["version"] + 1)
    assert await _patched(own_shop, path, {"price": 200}) == changed, "the same values are no change"
    retired = await _patched(own_shop, path, {"status": False})
    assert retired["status"] is False
    assert (await _patched(own_shop, path, {"status": True}))["status"] is True


async def test_an_old_version_changes_nothing(own_shop: Shop) -> None:
    for name in ("PATCH /items/{uuid}", "PATCH /packages/{uuid}", "PATCH /categories/{uuid}"):
        path, body = await MAKE[name](own_shop)
        assert body is not None
        first = await _patched(own_shop, path, body)
        stale = await own_shop.request("PATCH", path, json={**body, "status": False})
        assert_error(stale, 409, "version_conflict")
        assert (await _patched(own_shop, path, {"status": True}))["version"] == first["version"]
    path, body = await MAKE["PATCH /item-options/{uuid}"](own_shop)
    assert body is not None
    await _patched(own_shop, path, body)
    assert_error(await own_shop.request("PATCH", path, json={**body, "price": 1}), 409, "version_conflict")


async def test_prices_are_entered_as_the_business_enters_them(own_shop: Shop) -> None:
    await change_tenant(own_shop, prices_include_tax=False)
    body = {**await product_body(own_shop), "price": 100, "offer_price": None}
    item = await made(own_shop, "/items", body)
    assert (item["price"], item["entered_price"]) == (Decimal("115.00"), Decimal("100.00"))


async def test_who_performs_a_service_is_replaced_and_keeps_their_own_price(own_branch: BranchFixture) -> None:
    shop = own_branch.shop
    cut = await own_branch.add_service()
    old, kept, new = [await own_branch.add_provider(), await own_branch.add_provider(), await own_branch.add_provider()]
    ids = [str(old), str(kept)]
    item = await _patched(shop, f"/items/{cut}", {"staff_ids": ids})
    assert sorted(member["id"] for member in item["staff"]) == sorted(ids)
    item = await _patched(shop, f"/items/{cut}", {"staff_ids": [str(new), str(kept)]})
    assert sorted(member["id"] for member in item["staff"]) == sorted([str(new), str(kept)])
    assert await _refused(shop, f"/items/{cut}", {"staff_ids": [str(new), str(uuid4())]}) == {
        "staff_ids.1": ["is not a staff member of this business"]
    }


async def test_an_option_is_added_changed_and_taken_off_sale(own_shop: Shop) -> None:
    item = await made(own_shop, "/items", {**await product_body(own_shop), "stock": None})
    option = {"name": {"en": "Large"}, "price": 90, "quantity": 4, "sku": uuid4().hex}
    item = await made(own_shop, f"/items/{item['id']}/options", option)
    (added,) = item["options"]
    assert (added["names"], added["quantity"], item["stock"]) == ({"en": "Large"}, 4, 4)
    item = await _patched(own_shop, f"/item-options/{added['id']}", {"price": 95, "is_active": False})
    (changed,) = item["options"]
    assert changed == {**added, "price": 95, "entered_price": 95, "is_active": False}
    errors = await _refused(own_shop, f"/item-options/{added['id']}", {"offer_price": 95})
    assert errors == {"offer_price": ["must be below the price"]}


async def test_stock_begins_once_and_changes_by_movements(own_shop: Shop) -> None:
    item = await made(own_shop, "/items", {**await product_body(own_shop), "stock": None})
    path = f"/items/{item['id']}"
    assert item["stock_counted"] is False
    assert (await _patched(own_shop, path, {"stock": 5}))["stock"] == 5
    told = "is counted already: change it with POST /items/{uuid}/stock-movements"
    assert await _refused(own_shop, path, {"stock": 6}) == {"stock": [told]}
    moved = await made(own_shop, f"{path}/stock-movements", {"reason": "loss", "quantity": 2})
    assert moved["stock"] == 3
    too_many = await own_shop.post(f"{path}/stock-movements", {"reason": "loss", "quantity": 4})
    assert assert_error(too_many, 422, "validation_error")["errors"] == {
        "quantity": ["must be at most 3, the quantity in stock"]
    }


@pytest.mark.parametrize(("type_", "field", "value"), [("service", "cost", 4), ("product", "duration", 30)])
async def test_a_field_of_the_other_type_is_refused(own_shop: Shop, type_: str, field: str, value: int) -> None:
    body = await (service_body if type_ == "service" else product_body)(own_shop)
    answer = assert_error(await own_shop.post("/items", {**body, field: value}), 422, "validation_error")
    assert list(answer["errors"]) == [field]
    item = await made(own_shop, "/items", body)
    assert list(await _refused(own_shop, f"/items/{item['id']}", {field: value})) == [field]


async def test_what_has_orders_stays_and_can_be_taken_off_sale(own_branch: BranchFixture) -> None:
    shop, cream = own_branch.shop, await own_branch.add_product()
    await own_branch.place(line(cream, "product"))
    answer = assert_error(await shop.request("DELETE", f"/items/{cream}"), 422, "validation_error")
    assert answer["message"] == "It has orders and cannot be deleted. Take it off sale instead."
    assert (await _patched(shop, f"/items/{cream}", {"status": False}))["status"] is False


async def test_a_name_needs_a_text_and_a_code_is_used_once(own_shop: Shop) -> None:
    body = await product_body(own_shop)
    await made(own_shop, "/items", body)
    again = assert_error(await own_shop.post("/items", {**body, "name": {}}), 422, "validation_error")
    assert list(again["errors"]) == ["name", "sku", "barcode"]


async def _tax_classes(shop: Shop) -> list[Document]:
    found: list[Document] = json_exact(await shop.get("/tax-classes"))["data"]
    return found


async def test_a_tax_class_is_made_changed_and_deleted(own_shop: Shop) -> None:
    body = await tax_class_body(own_shop)
    made_class = await made(own_shop, "/tax-classes", body)
    assert (made_class["name"], made_class["is_default"]) == (body["name"], False)
    assert made_class in await _tax_classes(own_shop)
    path = f"/tax-classes/{made_class['id']}"
    rates = [{"starts_on": "2026-06-01", "rate": 8}, {"starts_on": "2026-01-01", "rate": 5}]
    changed = json_exact(await own_shop.request("PATCH", path, json={"rates": rates}))["data"]
    assert changed == {
        **made_class,
        "version": made_class["version"] + 1,
        "updated_at": changed["updated_at"],
        "rates": [{"starts_on": "2026-01-01", "rate": Decimal(5)}, {"starts_on": "2026-06-01", "rate": Decimal(8)}],
    }
    assert json_exact(await own_shop.request("PATCH", path, json={"rates": rates}))["data"] == changed
    stale = await own_shop.request("PATCH", path, json={"is_default": True, "version": 1})
    assert_error(stale, 409, "version_conflict")
    assert (await own_shop.request("DELETE", path)).status_code == 204
    assert made_class["id"] not in [found["id"] for found in await _tax_classes(own_shop)]


async def test_a_new_default_takes_the_place_of_the_one_before(own_shop: Shop) -> None:
    before = next(found for found in await _tax_classes(own_shop) if found["is_default"])
    new = await made(own_shop, "/tax-classes", {**await tax_class_body(own_shop), "is_default": True})
    assert [found["id"] for found in await _tax_classes(own_shop) if found["is_default"]] == [new["id"]]
    taken = await own_shop.request("PATCH", f"/tax-classes/{new['id']}", json={"is_default": False})
    assert list(assert_error(taken, 422, "validation_error")["errors"]) == ["is_default"]
    kept = await own_shop.request("DELETE", f"/tax-classes/{new['id']}")
    assert "default" in assert_error(kept, 422, "validation_error")["message"]
    assert json_exact(
        await own_shop.request("PATCH", f"/tax-classes/{before['id']}", json={"is_default": True})
    )["data"]["is_default"]  # fmt: skip


async def test_a_tax_class_of_an_item_stays(own_shop: Shop) -> None:
    used = await made(own_shop, "/tax-classes", await tax_class_body(own_shop))
    await made(own_shop, "/items", {**await product_body(own_shop), "tax_class_id": used["id"]})
    refused = await own_shop.request("DELETE", f"/tax-classes/{used['id']}")
    assert "Items or packages" in assert_error(refused, 422, "validation_error")["message"]


async def test_wrong_rates_are_refused_by_their_place(own_shop: Shop) -> None:
    rates = [{"starts_on": "2026-01-01", "rate": 5}, {"starts_on": "2026-01-01", "rate": 101}]
    body = {**await tax_class_body(own_shop), "rates": rates}
    answer = assert_error(await own_shop.post("/tax-classes", body), 422, "validation_error")
    assert list(answer["errors"]) == ["rates.1.rate", "rates"]


async def test_the_error_of_a_price_names_the_rule_that_it_breaks(own_shop: Shop) -> None:
    item = await made(own_shop, "/items", await product_body(own_shop))
    wrong = {-1: "must be at least 0", 1.125: "must have at most 2 decimals", 1.0005: "must have at most 3 decimals"}
    for price, text in wrong.items():
        assert await _refused(own_shop, f"/items/{item['id']}", {"price": price, "offer_price": None}) == {
            "price": [text]
        }


async def test_all_wrong_fields_are_named(own_shop: Shop) -> None:
    body = await product_body(own_shop)
    del body["branch_id"]
    sent = {**body, "team_id": str(uuid4()), "price": "1", "status": "on"}
    answer = assert_error(await own_shop.post("/items", sent), 422, "validation_error")
    assert answer["errors"].keys() == {"branch_id", "price", "status"}
    assert answer["errors"]["branch_id"] == ["is required; only other operations call it team_id"]
    assert answer["message"].endswith("(and 2 more).")
