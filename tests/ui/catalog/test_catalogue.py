"""The catalogue's pages: what a manager enters is what is sold, and what is in use is never broken."""

import json
import re
from io import BytesIO
from typing import Any
from uuid import UUID

import httpx2
import pytest
from PIL import Image

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_option, make_package, make_product, make_service, make_services
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pagination import json_exact
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

SERVICE = {
    "type": "service",
    "name_en": "Henna",
    "name_ar": "حناء",
    "description_en": "Red & brown",
    "price": "1,200.50",
    "duration": "٤٥",
    "buffer_after": "10",
    "active": "yes",
    "sku": "HEN-1",
}


async def create(desk: DashboardClient, **fields: Any) -> UUID:
    id_ = uuid7()
    made = await desk.post("/catalogue/new", {"id": str(id_), **fields})
    assert made.status_code == 303, re.findall(r'class="error".*|class="note bad".*?</p>', made.text, re.DOTALL)
    return id_


async def stored(shop: Shop, item_id: UUID) -> Any:
    (row,) = await shop.sql("SELECT * FROM items WHERE tenant_id = $1 AND id = $2", item_id)
    return row


async def last_activity(shop: Shop, subject: UUID) -> tuple[str, Any, Any]:
    rows = await shop.sql(
        "SELECT action, before, after FROM activity WHERE tenant_id = $1 AND subject_id = $2 ORDER BY id", subject
    )
    found = rows[-1]
    return found["action"], found["before"], found["after"]


async def test_a_service_is_entered_in_two_languages_and_published(own_shop: Shop, owner: DashboardClient) -> None:
    staff = [row["id"] for row in await own_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 ORDER BY id")]
    performers = {
        "staff_id": [str(id_) for id_ in staff],
        "performs": [str(staff[0])],
        "performer_price": ["999"] + [""] * (len(staff) - 1),
        "performer_duration": [""] * len(staff),
    }
    option_id = str(uuid7())
    options = {
        "option_id": [option_id, str(uuid7())],
        "option_name_en": ["Both hands", ""],
        "option_name_ar": ["كلتا اليدين", ""],
        "option_price": ["1500", ""],
        "option_offer": ["", ""],
        "option_duration": ["60", ""],
        "option_low": ["", ""],
        "option_active": [option_id],
    }
    item_id = await create(owner, **SERVICE, **performers, **options)
    item = json_exact(await own_shop.get(f"/items/{item_id}"))["data"]
    assert item["name"] == {"en": "Henna", "ar": "حناء"}
    assert (str(item["price"]), item["duration"], item["status"]) == ("1200.50", 45, True)
    assert item["html_description"] == {"en": "<p>Red &amp; brown</p>"}
    assert [(option["name"], option["duration"]) for option in item["options"]] == [
        ("كلتا اليدين", 60)
    ]  # the first language
    for language, name in (("ar", "كلتا اليدين"), ("en", "Both hands")):
        await owner.post("/language", {"language": language, "back": "/"})
        assert name in (await owner.get(f"/till?choose={item_id}")).text
    assert [(who["id"], int(who["price"])) for who in item["staff"]] == [(str(staff[0]), 999)]
    assert (await stored(own_shop, item_id))["buffer_after"] == 10
    action, before, after = await last_activity(own_shop, item_id)
    assert (action, before) == ("item.created", None)
    assert "Both hands" in after
    shown = await owner.get(f"/catalogue/{item_id}")
    assert 'value="Henna"' in shown.text
    assert "Both hands" in shown.text
    assert shown.text.count('name="performed"') == 1
    fields = {"id": item_id, "version": "1", **SERVICE, **performers, "performs": []}
    lost = await owner.post(f"/catalogue/{item_id}", fields)
    assert (lost.status_code, "Tick this person too" in lost.text) == (422, True)
    ended = await owner.post(f"/catalogue/{item_id}", {**fields, "performed": str(staff[0])})
    assert ended.status_code == 303, ended.text
    assert json_exact(await own_shop.get(f"/items/{item_id}"))["data"]["staff"] == []


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"name_en": "", "name_ar": ""}, "Enter a name."),
        ({"price": "dear"}, "Enter an amount such as 12.50."),
        ({"price": ""}, "Enter an amount such as 12.50."),
        ({"price": "1.234"}, "Enter an amount such as 12.50."),
        ({"offer_price": "1300"}, "Enter an amount below the price."),
        ({"offer_from": "2026-05-02", "offer_until": "2026-05-01"}, "Enter a day that is not before the first."),
        ({"duration": ""}, "Enter a number of minutes."),
        ({"duration": "2000"}, "Enter a number of minutes from 1 to 1440."),
        ({"buffer_before": "300"}, "Enter a number of minutes from 0 to 240."),
        ({"sku": "PR-009"}, "This code is already used by &#39;Argan shampoo&#39;."),
        ({"category": str(uuid7())}, "Choose a category of the same branch."),
        (
            {
                "option_id": str(uuid7()),
                "option_name_en": "x",
                "option_name_ar": "",
                "option_price": "",
                "option_offer": "",
                "option_low": "",
            },
            "12.50",
        ),
    ],
)
async def test_errors_are_explained_and_nothing_is_stored(
    own_shop: Shop, owner: DashboardClient, fields: dict[str, str], error: str
) -> None:
    before = await own_shop.sql("SELECT count(*) FROM items WHERE tenant_id = $1")
    answer = await owner.post("/catalogue/new", {"id": str(uuid7()), **SERVICE, **fields})
    assert answer.status_code == 422
    assert error in answer.text
    assert fields.get("name_ar", "حناء") in answer.text
    assert await own_shop.sql("SELECT count(*) FROM items WHERE tenant_id = $1") == before


async def test_missing_and_malformed_fields_are_shown_at_once(own_shop: Shop, owner: DashboardClient) -> None:
    wrong = {"name_en": "", "name_ar": "", "price": "dear", "duration": "long", "sku": "PR-009"}
    answer = await owner.post("/catalogue/new", {"id": str(uuid7()), **SERVICE, **wrong})
    assert answer.status_code == 422
    for text in (
        "Enter a name.",
        "Enter an amount such as 12.50.",
        "Enter a whole number.",
        "This code is already used",
    ):
        assert text in answer.text
    # Nothing else is wrong, and still nothing is stored.
    before = await own_shop.sql("SELECT count(*) FROM items WHERE tenant_id = $1")
    answer = await owner.post("/catalogue/new", {"id": str(uuid7()), **SERVICE, "cost": "dear"})
    assert (answer.status_code, "location" in answer.headers) == (422, False)
    assert "Saved" not in answer.text
    assert await own_shop.sql("SELECT count(*) FROM items WHERE tenant_id = $1") == before


async def test_a_form_sent_twice_creates_one_and_a_stale_one_changes_nothing(
    own_shop: Shop, owner: DashboardClient
) -> None:
    fields = {"id": str(uuid7()), **SERVICE}
    for _ in range(2):
        answer = await owner.post("/catalogue/new", fields)
        assert answer.headers["location"] == f"/catalogue/{fields['id']}"
    item_id = UUID(fields["id"])
    edited = {**SERVICE, "id": fields["id"], "version": "1", "name_en": "Henna evening"}
    assert (await owner.post(f"/catalogue/{item_id}", edited)).status_code == 303
    stale = await owner.post(f"/catalogue/{item_id}", {**edited, "name_en": "Henna morning"})
    assert stale.status_code == 422
    assert "Henna evening" in stale.text
    assert 'value="Henna morning"' in stale.text
    assert 'name="version" value="2"' in stale.text
    assert json.loads((await stored(own_shop, item_id))["name"])["en"] == "Henna evening"


async def test_an_item_with_orders_is_taken_off_sale_and_one_without_is_deleted(
    own_shop: Shop, owner: DashboardClient
) -> None:
    await make_order(own_shop, 1)
    (sold,) = await own_shop.sql(
        "SELECT item_id AS id FROM order_lines WHERE tenant_id = $1 AND item_id IS NOT NULL LIMIT 1"
    )
    unsold, packed = await make_service(own_shop), await make_product(own_shop)
    await make_package(own_shop, {packed: 1})
    assert "it cannot be deleted" in (await owner.get(f"/catalogue/{sold['id']}/delete")).text
    for kept in (sold["id"], packed):
        assert (await owner.post(f"/catalogue/{kept}/delete", {"id": str(uuid7())})).status_code == 422
        assert await stored(own_shop, kept)
    off = {"on_sale": "no"}
    assert (await owner.post(f"/catalogue/{sold['id']}/status", off)).status_code == 303
    assert (await stored(own_shop, sold["id"]))["status"] is False
    (count,) = await own_shop.sql("SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:items'")
    assert (await owner.post(f"/catalogue/{unsold}/delete", {"id": str(uuid7())})).status_code == 303
    assert await own_shop.sql("SELECT FROM items WHERE tenant_id = $1 AND id = $2", unsold) == []
    (after,) = await own_shop.sql("SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:items'")
    assert after["value"] == count["value"] - 1
    assert (await last_activity(own_shop, unsold))[0] == "item.deleted"


async def test_a_copy_is_off_sale_without_codes_and_stock(own_shop: Shop, owner: DashboardClient) -> None:
    source = await create(owner, type="product", name_en="Soap", price="9", stock="7", sku="SOAP", active="yes")
    await make_option(own_shop, source, "5", quantity=3)
    picture = BytesIO()
    Image.new("RGB", (10, 10), "red").save(picture, "PNG")
    edit = {"type": "product", "version": "1", "name_en": "Soap", "price": "9", "sku": "SOAP", "active": "yes"}
    (option,) = await own_shop.sql("SELECT id FROM item_options WHERE tenant_id = $1 AND item_id = $2", source)
    rows = {f"option_{name}": "" for name in ("offer", "low", "sku", "barcode", "stock")}
    rows |= {"option_id": str(option["id"]), "option_name_en": "Small", "option_name_ar": "", "option_price": "5"}
    token = await owner.form_token()
    changed = await owner.http.post(
        f"/catalogue/{source}",
        data={"form_token": token, "id": str(source), **edit, **rows},
        files={"picture": ("soap.png", picture.getvalue(), "image/png")},
        headers={"origin": owner.origin},
    )
    assert changed.status_code == 303, changed.text
    refused = await owner.http.post(
        f"/catalogue/{source}",
        data={"form_token": token, "id": str(source), **edit, **rows, "price": "dear", "low_stock": "few"},
        files={"picture": ("", b"", "application/octet-stream")},  # as browsers send a field without a file
        headers={"origin": owner.origin},
    )
    assert "Enter a whole number." in refused.text
    assert "Is not valid" not in refused.text
    copy_id = uuid7()
    assert (await owner.post(f"/catalogue/{source}/copy", {"id": str(copy_id)})).status_code == 303
    made, old = await stored(own_shop, copy_id), await stored(own_shop, source)
    assert json.loads(made["name"]) == {"en": "Soap (copy)"}
    assert (made["status"], made["sku"], made["stock"], made["price"]) == (False, None, 0, 9)
    assert made["picture_id"] not in (None, old["picture_id"])
    for row in (made, old):
        assert (await owner.get(f"/pictures/{own_shop.tenant_id}/{row['picture_id']}")).status_code == 200


async def test_stock_is_changed_with_a_reason(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await create(owner, type="product", name_en="Soap", price="9", stock="7", low_stock="5", active="yes")

    async def change(reason: str, quantity: int, status: int = 303) -> httpx2.Response:
        form = {"id": str(uuid7()), "reason": reason, "quantity": str(quantity), "note": "Slip 4"}
        answer = await owner.post(f"/catalogue/{item_id}/stock", form)
        assert answer.status_code == status, answer.text
        return answer

    await change("delivery", 10)
    await change("loss", 2)
    await change("correction", 4)
    assert "There are only 4 in stock." in (await change("loss", 5, 422)).text
    rows = await own_shop.sql(
        "SELECT reason, change, quantity FROM stock_movements WHERE tenant_id = $1 AND item_id = $2 ORDER BY id",
        item_id,
    )
    expected = [("opening", 7, 7), ("delivery", 10, 17), ("loss", -2, 15), ("correction", -11, 4)]
    assert sorted(map(tuple, rows)) == sorted(expected)
    events = await own_shop.sql("SELECT type FROM events WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 3")
    assert {row["type"] for row in events} == {"item.stock_changed"}
    page = (await owner.get(f"/catalogue/{item_id}")).text
    assert "Slip 4" in page
    assert "only 4 left" in page
    assert page.index("Options and stock") < page.index("Stock movements") < page.index("Name and description")
    assert "at the present pace" not in page
    lines = [{"id": str(item_id), "type": "product", "quantity": 3}]
    buyer = {"team_id": str(await branch_of(own_shop)), "customer_id": str(await make_customer(own_shop))}
    sold = await own_shop.post("/orders", {**buyer, "items": lines})
    assert sold.status_code == 201, sold.text
    page = (await owner.get(f"/catalogue/{item_id}")).text
    assert "Soap runs out in about 10 days at the present pace." in page
    await owner.post(f"/orders/{sold.json()['data']['id']}/cancel")
    page = (await owner.get(f"/catalogue/{item_id}")).text  # what was taken back was not sold
    assert ("0 sold in the last 90 days" in page, "at the present pace" in page) == (True, False)
    assert (await last_activity(own_shop, item_id))[0] == "item.stock_changed"


async def test_options_of_a_product_hold_its_stock(own_shop: Shop, owner: DashboardClient) -> None:
    ids = [str(uuid7()), str(uuid7())]
    options = {f"option_{name}": ["", ""] for name in ("offer", "low", "sku", "barcode")}
    options |= {
        "option_id": ids,
        "option_name_en": ["S", "L"],
        "option_name_ar": ["", ""],
        "option_price": ["5", "8"],
        "option_stock": ["3", "4"],
    }
    item_id = await create(owner, type="product", name_en="Soap", price="9", **options)
    assert (await stored(own_shop, item_id))["stock"] == 7
    edit = {"type": "product", "version": "1", "name_en": "Soap", "price": "9", **options, "drop_option": ids[0]}
    refused = await owner.post(f"/catalogue/{item_id}", {"id": str(item_id), **edit})
    assert "has orders or stock" in refused.text
    change = {"id": str(uuid7()), "reason": "correction", "quantity": "0", "option": ids[0]}
    assert (await owner.post(f"/catalogue/{item_id}/stock", change)).status_code == 303
    assert (await owner.post(f"/catalogue/{item_id}", {"id": str(item_id), **edit})).status_code == 303
    left = await own_shop.sql(
        "SELECT name ->> 'en', quantity FROM item_options WHERE tenant_id = $1 AND item_id = $2", item_id
    )
    assert [tuple(row) for row in left] == [("L", 4)]


async def test_categories_and_items_are_moved_and_an_empty_category_is_deleted(
    own_shop: Shop, owner: DashboardClient
) -> None:
    new = {"id": str(uuid7()), "name_en": "Bath", "name_ar": "حمام", "active": "yes"}
    assert (await owner.post("/catalogue/categories/new", new)).status_code == 303
    assert "has this name." in (await owner.post("/catalogue/categories/new", {**new, "id": str(uuid7())})).text

    async def categories() -> list[str]:
        return [category["name"]["en"] for category in json_exact(await own_shop.get("/categories"))["data"]]

    here = f"/catalogue/categories/{new['id']}"
    assert (await owner.post(here, {**new, "name_ar": "حمّام", "version": "1"})).status_code == 303
    stale = await owner.post(here, {**new, "name_en": "Baths", "version": "1"})
    assert (stale.status_code, "حمّام, Bath" in stale.text) == (422, True)  # what differs is in the other language
    *others, last = await categories()
    assert last == "Bath"
    await owner.post(f"/catalogue/categories/{new['id']}/move", {"to": "up"})
    assert (await categories())[-2] == "Bath"
    (first,) = await own_shop.sql("SELECT id FROM categories WHERE tenant_id = $1 ORDER BY sort_order LIMIT 1")
    await owner.post(f"/catalogue/categories/{new['id']}/move", {"to": str(first["id"])})
    assert await categories() == ["Bath", *others]

    made = [await create(owner, **{**SERVICE, "sku": "", "name_en": f"B{n}"}, category=new["id"]) for n in range(3)]

    async def names() -> list[str]:
        listed = json_exact(await own_shop.get("/items", params={"per_page": 100}))["data"]
        return [item["name"]["en"] for item in listed if item["category"]["id"] == new["id"]]

    for item_id, to, order in ((made[2], "up", "021"), (made[0], "", "210"), (made[0], str(made[2]), "021")):
        await owner.post(f"/catalogue/{item_id}/move", {"to": to})
        assert await names() == [f"B{n}" for n in order]
    assert (await owner.post(f"/catalogue/categories/{new['id']}/delete", {"id": str(uuid7())})).status_code == 422
    for item_id in made:
        await owner.post(f"/catalogue/{item_id}/delete", {"id": str(uuid7())})
    assert (await owner.post(f"/catalogue/categories/{new['id']}/delete", {"id": str(uuid7())})).status_code == 303
    assert "Bath" not in await categories()


async def test_a_provider_sees_services_only_and_changes_nothing(own_shop: Shop) -> None:
    product = await make_product(own_shop, "Secret soap")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.PROVIDER)) as provider:
        page = (await provider.get("/catalogue?kind=product")).text
        assert "Secret soap" not in page
        assert (await provider.get(f"/catalogue/{product}")).status_code == 404
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as cashier:
        assert "Secret soap" in (await cashier.get("/catalogue?search=secret")).text
        shown = (await cashier.get(f"/catalogue/{product}")).text
        assert "<fieldset" in shown
        assert " disabled" in shown
        assert "Bought for" not in shown


async def test_two_thousand_items_are_listed_with_few_statements(
    own_shop: Shop, owner: DashboardClient, capfd: pytest.CaptureFixture[str]
) -> None:
    await make_services(own_shop, 2000)
    for path in ("/catalogue", "/catalogue?page=20", "/catalogue?search=many+1999"):
        capfd.readouterr()
        answer = await owner.get(path)
        assert answer.status_code == 200
        log = [json.loads(line) for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
        (entry,) = [line for line in log if line.get("route") == "GET /catalogue"]
        assert entry["statements"] <= 4
    assert answer.text.count('class="rowlink"') == 1


async def test_an_option_of_another_item_cannot_be_changed(own_shop: Shop, owner: DashboardClient) -> None:
    oil, branch_id = await make_product(own_shop), str(await branch_of(own_shop))
    foreign = await make_option(own_shop, oil, "90")
    row = {
        "option_id": str(foreign),
        "option_name_en": "Mine",
        "option_name_ar": "",
        "option_price": "1",
        "option_offer": "",
        "option_low": "",
    }
    fields = SERVICE | row | {"id": str(uuid7()), "branch": branch_id, "sku": ""}
    assert (await owner.post("/catalogue/new", fields)).status_code == 422
    (kept,) = await own_shop.sql(
        "SELECT name ->> 'en' AS name, price FROM item_options WHERE tenant_id = $1 AND id = $2", foreign
    )
    assert (kept["name"], kept["price"]) == ("A variant", 90)


async def test_labels_show_the_barcode_and_the_price(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await create(
        owner, type="product", name_en="Soap <1>", price="9", barcode="5901234123450", supplier="Najd Supplies"
    )
    page = (await owner.get(f"/catalogue/{item_id}")).text
    assert "The check digit is wrong: for the other digits it is 7." in page
    assert (await stored(own_shop, item_id))["supplier"] == "Najd Supplies"
    labels = (await owner.get(f"/catalogue/{item_id}/labels?copies=2")).text
    assert labels.count('<svg class="barcode-lines"') == labels.count("Soap &lt;1&gt;</bdi>") == 2
