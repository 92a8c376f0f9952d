"""A product without opening stock is not counted: it is never short, and every page and interface says so."""

from typing import Any
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of
from tests.factories.people import make_customer
from tests.support.dashboard import DashboardClient
from tests.support.forms import texts
from tests.support.pagination import json_exact
from tests.support.shop import Shop


async def create(desk: DashboardClient, **fields: Any) -> UUID:
    id_ = uuid7()
    form = {"id": str(id_), "type": "product", "name_en": "Candle", "price": "9", "active": "yes", **fields}
    made = await desk.post("/catalogue/new", form)
    assert made.status_code == 303, texts(made.text)
    return id_


def options(ids: list[UUID], *stock: str) -> dict[str, Any]:
    empty = {f"option_{name}": ["" for _ in ids] for name in ("offer", "low", "sku", "barcode", "name_ar")}
    names = [f"Size {n}" for n, _ in enumerate(ids)]
    numbered = {"option_id": [str(id_) for id_ in ids], "option_name_en": names, "option_price": ["5" for _ in ids]}
    active = [str(id_) for id_ in ids]
    return {**empty, **numbered, "option_stock": list(stock), "option_active": active}


async def stock(shop: Shop, item_id: UUID) -> tuple[int | None, list[int | None]]:
    (row,) = await shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", item_id)
    kept = await shop.sql(
        "SELECT quantity FROM item_options WHERE tenant_id = $1 AND item_id = $2 ORDER BY sort_order", item_id
    )
    return row["stock"], [option["quantity"] for option in kept]


async def movements(shop: Shop, item_id: UUID) -> list[tuple[str, int, int]]:
    rows = await shop.sql(
        "SELECT reason, change, quantity FROM stock_movements WHERE tenant_id = $1 AND item_id = $2 ORDER BY id",
        item_id,
    )
    return [tuple(row) for row in rows]


async def order(shop: Shop, item_id: UUID, quantity: int, **more: Any) -> str:
    buyer = {"team_id": str(await branch_of(shop)), "customer_id": str(await make_customer(shop))}
    lines = [{"id": str(item_id), "type": "product", "quantity": quantity, **more}]
    placed: str = json_exact(await shop.post("/orders", {**buyer, "items": lines}), 201)["data"]["id"]
    return placed


async def test_a_product_without_opening_stock_is_sold_and_given_back(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await create(owner)
    sold = await order(own_shop, item_id, 500)
    assert (await own_shop.post(f"/orders/{sold}/status", {"status": "canceled"})).status_code == 200
    assert await stock(own_shop, item_id) == (None, [])
    assert await movements(own_shop, item_id) == []
    document = json_exact(await own_shop.get(f"/items/{item_id}"))["data"]
    assert (document["stock"], document["stock_counted"]) == (0, False)
    pages = ["/catalogue?kind=product", f"/catalogue/{item_id}", "/reports/stock"]
    for page in pages:
        assert "not counted" in texts((await owner.get(page)).text), page
    assert "None left" not in texts((await owner.get("/till?search=Candle")).text)
    assert (await owner.get(f"/catalogue/{item_id}/stock")).headers["location"] == f"/catalogue/{item_id}"


async def test_counting_begins_with_an_opening_stock_and_ends_by_hand(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await create(owner)
    form = {"id": str(item_id), "type": "product", "version": "1", "name_en": "Candle", "price": "9", "active": "yes"}
    assert (await owner.post(f"/catalogue/{item_id}", {**form, "stock": "3"})).status_code == 303
    assert await stock(own_shop, item_id) == (3, [])
    again = {**form, "version": "2", "stock": "8"}  # an old page: what is counted is changed with a reason only
    assert (await owner.post(f"/catalogue/{item_id}", again)).status_code == 303
    assert await stock(own_shop, item_id) == (3, [])
    stop = {"id": str(uuid7()), "reason": "uncounted", "quantity": ""}
    assert (await owner.post(f"/catalogue/{item_id}/stock", stop)).status_code == 303
    assert await stock(own_shop, item_id) == (None, [])
    assert await movements(own_shop, item_id) == [("opening", 3, 3), ("correction", -3, 0)]
    rows = await own_shop.sql(
        "SELECT data FROM events WHERE tenant_id = $1 AND type = 'item.stock_changed' ORDER BY sequence DESC LIMIT 2"
    )
    assert ['"stock_counted" : false' in row["data"] for row in rows] == [True, False]
    assert "stopped counting the stock of" in texts((await owner.get("/activity")).text)


async def test_options_without_opening_stock_are_not_counted(own_shop: Shop, owner: DashboardClient) -> None:
    ids = [uuid7(), uuid7()]
    item_id = await create(owner, **options(ids, "", ""))
    assert await stock(own_shop, item_id) == (None, [None, None])
    await order(own_shop, item_id, 20, option_id=str(ids[0]))
    form = {"id": str(item_id), "type": "product", "name_en": "Candle", "price": "9", "active": "yes"}
    first = {**form, "version": "1", **options(ids, "4", "")}
    assert (await owner.post(f"/catalogue/{item_id}", first)).status_code == 303
    assert await stock(own_shop, item_id) == (None, [4, None])
    shown = json_exact(await own_shop.get(f"/items/{item_id}"))["data"]["options"]
    assert [(one["quantity"], one["quantity_counted"]) for one in shown] == [(4, True), (0, False)]
    second = {**form, "version": "2", **options(ids, "", "6")}
    assert (await owner.post(f"/catalogue/{item_id}", second)).status_code == 303
    assert await stock(own_shop, item_id) == (10, [4, 6])


async def test_a_package_sells_what_is_not_counted(own_shop: Shop, owner: DashboardClient) -> None:
    item_id = await create(owner)
    box = uuid7()
    parts = {"part": [str(item_id)], "quantity": ["2"]}
    form = {"id": str(box), "type": "package", "name_en": "Box", "price": "15", "active": "yes", **parts}
    made = await owner.post("/catalogue/packages/new", form)
    assert made.status_code == 303, texts(made.text)
    buyer = {"team_id": str(await branch_of(own_shop)), "customer_id": str(await make_customer(own_shop))}
    lines = [{"id": str(box), "type": "package", "quantity": 3}]
    json_exact(await own_shop.post("/orders", {**buyer, "items": lines}), 201)
    held = await own_shop.sql("SELECT units FROM order_line_stock WHERE tenant_id = $1 AND item_id = $2", item_id)
    assert [row["units"] for row in held] == [2]  # so that a later count and a return agree
