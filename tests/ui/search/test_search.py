"""The search of the top bar finds customers and orders of the business, within what the role may see."""

import pytest

from frontdesk.auth.types import Role
from tests.factories.catalog import make_product
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.factories.people import make_customer, make_staff
from tests.factories.users import make_user
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop


async def number_of(own_shop: Shop, order_id: object) -> int:
    (row,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    number: int = row["order_number"]
    return number


async def test_the_only_result_opens(own_shop: Shop, owner: DashboardClient, neighbour: Shop) -> None:
    customer_id = await make_customer(own_shop, "Zumurrud", "Al-Farsi")
    await make_customer(neighbour, "Zumurrud", "Elsewhere")
    found = await owner.get("/search?search=zumurrud")
    assert (found.status_code, found.headers["location"]) == (303, f"/customers/{customer_id}")


async def test_an_order_is_found_by_its_number_beside_phone_numbers(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1)
    number = await number_of(own_shop, order_id)
    customer_id = await make_customer(own_shop, "Rim", phone=f"+96650{number:07}")
    found = await owner.get(f"/search?search={number}")
    assert found.status_code == 200
    assert found.text.index(f'href="/orders/{order_id}" autofocus') < found.text.index(
        f'href="/customers/{customer_id}"'
    )


async def test_several_customers_are_listed_and_nothing_offers_a_new_one(
    own_shop: Shop, owner: DashboardClient
) -> None:
    for _ in range(2):
        await make_customer(own_shop, "Ghaliya", "Twin")
    found = await owner.get("/search?search=ghaliya")
    assert found.text.count('class="rowlink" href="/customers/') == 2
    assert "Nothing found" in (await owner.get("/search?search=qqqqq")).text


@pytest.mark.parametrize("text", ["%", "_", "'", "9" * 255, "٤٢", "\u202e"])
async def test_any_text_can_be_searched(own_shop: Shop, owner: DashboardClient, text: str) -> None:
    assert (await owner.get("/search", params={"search": text})).status_code in (200, 303)


async def test_a_provider_finds_neither_orders_nor_customers_of_others(own_shop: Shop) -> None:
    order_id = await make_order(own_shop, 1)
    await make_customer(own_shop, "Zumurrud", "Al-Farsi")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.PROVIDER)) as provider:
        for text in (str(await number_of(own_shop, order_id)), "zumurrud"):
            assert "Nothing found" in (await provider.get(f"/search?search={text}")).text


async def test_items_and_staff_are_found_by_name_and_code(own_shop: Shop, owner: DashboardClient) -> None:
    product = await make_product(own_shop, {"en": "Argan quartz oil", "ar": "زيت"}, price="10", stock=3)
    await change_row(own_shop, "items", product, barcode="6281234567890")
    for text in ("quartz", "6281234567890"):
        found = await owner.get("/search", params={"search": text})
        assert (found.status_code, found.headers.get("location")) == (303, f"/catalogue/{product}"), text
    member = await make_staff(own_shop, name="Quartz Al-Amri")
    page = (await owner.get("/search?search=quartz")).text
    assert f'href="/catalogue/{product}"' in page
    assert f'href="/staff/{member}"' in page
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.PROVIDER)) as provider:
        assert "Nothing found" in (await provider.get("/search?search=quartz")).text
