"""The page of a package: contents, price, copy."""

from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_product, make_service
from tests.factories.people import assign_service, make_customer, make_staff
from tests.support.dashboard import DashboardClient
from tests.support.pagination import json_exact
from tests.support.shop import Shop


async def test_a_package_keeps_its_contents_in_order(own_shop: Shop, owner: DashboardClient) -> None:
    first, second = await make_service(own_shop, "Cut", price="300"), await make_product(own_shop, "Oil", price="100")
    package_id = uuid7()
    fields = {"id": str(package_id), "name_en": "Treat", "price": "340", "active": "yes", "quantity": ["1", "2", ""]}
    made = await owner.post("/catalogue/packages/new", {**fields, "part": [str(second), str(first), ""]})
    assert made.status_code == 303, made.text
    again = {**fields, "part": [str(second), str(first), ""], "version": "1", "move_up": str(first)}
    assert (await owner.post(f"/catalogue/packages/{package_id}", again)).status_code == 303
    package = json_exact(await own_shop.get(f"/packages/{package_id}"))["data"]
    assert [(part["name"]["en"], part["quantity"]) for part in package["items"]] == [("Cut", 2), ("Oil", 1)]
    page = (await owner.get(f"/catalogue/{package_id}")).text
    assert "−360.00" in page
    assert "Booked 0 times in the last 90 days" in page
    assert "How it is booked" in page
    assert "<dd>60 min</dd>" in page  # twice the cut
    assert page.count("Nobody performs it yet") == 1  # the oil is not performed
    await assign_service(own_shop, await make_staff(own_shop, "Noura"), first)
    page = (await owner.get(f"/catalogue/{package_id}")).text
    assert "<small><bdi>Noura</bdi></small>" in page
    percent = {**again, "version": "2", "price": "", "percent_off": "12.5"}
    assert (await owner.post(f"/catalogue/packages/{package_id}", {**percent, "percent_off": "120"})).status_code == 422
    assert (await owner.post(f"/catalogue/packages/{package_id}", percent)).status_code == 303
    copy_id = str(uuid7())
    assert (await owner.post(f"/catalogue/packages/{package_id}/copy", {"id": copy_id})).status_code == 303
    copy = json_exact(await own_shop.get(f"/packages/{copy_id}"))["data"]
    assert (copy["name"]["en"], copy["status"], str(copy["price"])) == ("Treat (copy)", False, "612.50")
    assert [part["quantity"] for part in copy["items"]] == [2, 1]
    assert (await owner.post(f"/catalogue/packages/{package_id}/delete", {"id": str(uuid7())})).status_code == 303


async def test_the_page_counts_every_sale_once(own_shop: Shop, owner: DashboardClient) -> None:
    package_id, oil = str(uuid7()), await make_product(own_shop, "Oil", price="100")
    fields = {"id": package_id, "name_en": "Twice", "price": "180", "active": "yes", "quantity": "2"}
    assert (await owner.post("/catalogue/packages/new", {**fields, "part": str(oil)})).status_code == 303
    buyer = {"team_id": str(await branch_of(own_shop)), "customer_id": str(await make_customer(own_shop))}
    lines = [{"id": package_id, "type": "package", "quantity": 1}]
    json_exact(await own_shop.post("/orders", {**buyer, "items": lines}), 201)
    assert "Booked 1 time in the last 90 days" in (await owner.get(f"/catalogue/{package_id}")).text


async def test_a_type_and_a_way_back_that_no_form_has_are_not_followed(own_shop: Shop, owner: DashboardClient) -> None:
    refused = await owner.post("/catalogue/new", {"id": str(uuid7()), "type": "shoe", "name_en": "Cut", "price": "1"})
    assert refused.status_code == 422
    cut = await make_service(own_shop, "Cut")
    for back in ("/catalogue\r\nX-Other: 1", "/catalogue/\u0635"):
        answer = await owner.post(f"/catalogue/{cut}/status", {"on_sale": "no", "back": back})
        assert (answer.status_code, answer.headers["location"]) == (303, "/catalogue")
