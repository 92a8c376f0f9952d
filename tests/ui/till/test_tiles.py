"""The tiles of the till: their places stay for the day, what is pinned comes first, and one press pays."""

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_product
from tests.factories.changes import change_rows
from tests.support.dashboard import DashboardClient
from tests.support.pages.counter import Counter
from tests.support.shop import Shop


async def cards(shop: Shop) -> str:
    rows = await shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'card'")
    return str(rows[0]["id"])


async def products(shop: Shop) -> list[UUID]:
    await change_rows(shop, "items", status=False)
    await change_rows(shop, "packages", status=False)
    await change_rows(shop, "orders", created_at=datetime.now(UTC))  # nothing was sold before today
    return [
        await make_product(shop, {"en": name, "ar": name}, price="10", stock=50, sort_order=place)
        for place, name in enumerate(["Oil", "Soap", "Comb"])
    ]


def tiles(page: str) -> list[UUID]:
    return [UUID(found) for found in re.findall(r'id="tile-([0-9a-f-]+)"', page)]


async def sell(desk: DashboardClient, shop: Shop, item: UUID, quantity: int) -> None:
    till = await Counter(desk).open(f"/till?cart={item}~{quantity}&step=pay")
    await till.press("/till/pay", method=await cards(shop))
    assert "/receipt" in till.url, till.text


async def test_what_is_sold_today_moves_no_tile_before_tomorrow(own_shop: Shop, owner: DashboardClient) -> None:
    oil, soap, comb = await products(own_shop)
    await sell(owner, own_shop, comb, 9)
    assert tiles((await owner.get("/till")).text) == [oil, soap, comb]
    await change_rows(own_shop, "orders", created_at=datetime.now(UTC) - timedelta(days=2))
    assert tiles((await owner.get("/till")).text)[0] == comb
    assert tiles((await owner.get("/till?view=all")).text) == [oil, soap, comb]


async def test_what_is_pinned_comes_first_for_everybody(own_shop: Shop, owner: DashboardClient) -> None:
    oil, soap, comb = await products(own_shop)
    for item in (comb, soap):
        await owner.post("/till/pins", {"entry": str(item), "pinned": "yes"})
    assert tiles((await owner.get("/till")).text) == [comb, soap, oil]
    assert tiles((await owner.get("/till?view=all")).text) == [oil, soap, comb]
    await owner.post("/till/pins", {"entry": str(comb)})
    await owner.post("/till/pins", {"entry": str(comb)})  # twice
    assert tiles((await owner.get("/till")).text) == [soap, oil, comb]
    assert (await owner.post("/till/pins", {"entry": str(uuid7()), "pinned": "yes"})).status_code == 404


async def test_a_part_waits_for_the_next_method_and_the_last_press_pays(own_shop: Shop, owner: DashboardClient) -> None:
    oil, _, _ = await products(own_shop)
    card = await cards(own_shop)
    till = await Counter(owner).open(f"/till?cart={oil}~3&step=pay")
    await till.press("/till/pay", method=card, part="12.50")
    assert "/till" in till.url
    assert re.search(r'id="pay-0"[^>]*\svalue="12.50"', till.page)
    assert (await till.press("/till/pay", method=card, part="17.51")).status_code == 422
    assert "too high" in till.text
    await till.press("/till/pay", method=card, part="17.50")
    assert "/receipt" in till.url, till.text
    paid = await own_shop.sql(
        "SELECT amount FROM transactions WHERE tenant_id = $1 ORDER BY transaction_no DESC LIMIT 2"
    )
    assert [str(row["amount"]) for row in paid] == ["17.500", "12.500"]
