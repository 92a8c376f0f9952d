"""What people who may not set prices can do at the till, typing mistakes, and what the till helps with."""

from collections.abc import AsyncIterator
from decimal import Decimal

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_option, make_product
from tests.factories.changes import change_row, change_rows
from tests.factories.orders import make_order
from tests.factories.users import make_user
from tests.support.branch import method_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.counter import Counter
from tests.support.shop import Shop

LIMIT = "Only owners and managers can give a discount of more than 20 percent."


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER, name="Huda")) as desk:
        yield desk


async def _last(shop: Shop) -> dict[str, object]:
    return dict((await shop.sql("SELECT * FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1"))[0])


async def test_a_held_price_is_for_what_was_held_only(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="100", stock=20)
    till = await Counter(owner).open()
    await till.press(add=str(oil))
    await till.press(open="0")
    await till.press(price="40", quantity="2")
    await till.press("/till/hold")
    draft = (await _last(own_shop))["id"]
    resumed = await Counter(cashier).open(f"/till?order={draft}")
    assert resumed.total == 80
    await resumed.press(more="0")
    assert resumed.status == 422
    assert "Only owners and managers can change a price." in resumed.text
    for cart in (f"{oil}~3~p40", f"{oil}~2~p40_{oil}~2~p40"):
        forged = await Counter(cashier).open(f"/till?order={draft}&cart={cart}")
        assert forged.status == 422
    assert (await resumed.open(f"/till?order={draft}")).total == 80


async def test_discounts_of_cashiers_have_a_limit(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="100", stock=20)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(discount="20", discount_kind="percentage")
    assert till.total == 80
    await till.press(discount="20.01", discount_kind="fixed")
    assert (till.status, LIMIT in till.text) == (422, True)
    assert (await till.press("/till/hold")).status_code == 422
    much = await Counter(owner).open()
    await much.press(add=str(oil))
    await much.press(discount="50", discount_kind="percentage")
    await much.press("/till/hold")
    held = await Counter(cashier).open(f"/till?order={(await _last(own_shop))['id']}")
    assert held.total == 50
    await held.press(go="pay")
    await held.press(method=await method_of(own_shop))
    assert (await held.press("/till/pay")).status_code == 303
    assert (await _last(own_shop))["total"] == 50


async def test_the_till_refuses_implausible_amounts(own_shop: Shop, owner: DashboardClient) -> None:
    rows = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND status = 'confirmed' AND paid_amount = 0")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=20)
    till = await Counter(owner).open()
    await till.press(add=str(oil))
    await till.press(go="pay")
    await till.press(method=await method_of(own_shop))
    await till.press(given="123456789012")
    refused = await till.press("/till/pay")
    assert refused.status_code == 422
    assert "Enter at most 10,000,000." in till.text
    await till.open(f"/till?order={rows[0]['id']}")
    await till.press(method=await method_of(own_shop))
    await till.press(tip="123456789012")
    refused = await till.press("/till/pay")
    assert (refused.status_code, "Enter at most 10,000,000." in till.text) == (422, True)
    at = {"branch": str(await branch_of(own_shop))}
    assert (await owner.post("/drawer/open", {**at, "id": str(uuid7()), "float": "0"})).status_code == 303
    moved = {**at, "id": str(uuid7()), "kind": "in", "amount": "123456789012", "reason": "Change"}
    answer = await owner.post("/drawer/move", moved)
    assert (answer.status_code, "Enter at most 10,000,000." in answer.text) == (422, True)


async def test_a_customer_is_made_without_losing_the_cart(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=20)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    phone = "0551230987"
    await till.press(people=f"Zahra Q {phone}")
    assert "Nobody found." in till.text
    await till.press(who="new")
    assert 'value="Zahra"' in till.page
    assert f'value="{phone}"' in till.page
    wrong = await till.press("/till/customer", first_name="")
    assert (wrong.status_code, "Enter a name." in till.text) == (422, True)
    assert till.total == 10
    made = await till.press("/till/customer", first_name="Zahra", last_name="Q", phone=phone)
    assert made.status_code == 303
    assert "Zahra Q" in till.text
    assert till.total == 10
    await till.press(walk_in="yes")
    await till.press(people="Zahra")
    await till.press(who="new")
    taken = await till.press("/till/customer", first_name="Zahra", phone=phone)
    assert taken.status_code == 422
    assert "Find who has this number" in till.text
    await till.press(people=phone)
    assert "Zahra Q" in till.text


async def test_the_invoice_is_issued_where_the_sale_ends(own_shop: Shop, cashier: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    page = await cashier.get(f"/orders/{order_id}/receipt?till=yes")
    assert "Issue the invoice" in page.text
    sent = {"id": str(uuid7()), "till": "yes"}
    asked = await cashier.post(
        f"/orders/{order_id}/receipt/invoice", sent
    )  # without the script, which asks in a dialog
    assert (asked.status_code, "can never be changed" in asked.text) == (200, True)
    assert await own_shop.sql("SELECT FROM invoices WHERE tenant_id = $1 AND order_id = $2", order_id) == []
    sent["sure"] = "yes"
    answers = [await cashier.post(f"/orders/{order_id}/receipt/invoice", sent) for _ in range(2)]
    assert {answer.headers["location"] for answer in answers} == {f"/orders/{order_id}/receipt?till=yes"}
    after = (await cashier.get(f"/orders/{order_id}/receipt?till=yes")).text
    assert "Issue the invoice" not in after
    assert "Simplified tax invoice" in after
    again = await cashier.post(f"/orders/{order_id}/receipt/invoice", {**sent, "id": str(uuid7())})
    assert again.status_code in (409, 422)


async def test_an_empty_till_leads_to_the_catalogue_and_returns_name_the_option(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient
) -> None:
    cream = await make_product(own_shop, {"en": "Cream", "ar": "كريم"}, price="30", stock=9)
    option = await make_option(own_shop, cream, "44", quantity=9)
    await change_row(own_shop, "item_options", option, name='{"en": "Large tub"}')
    till = await Counter(owner).open(f"/till?cart={cream}~1~o{option}&step=pay")
    await till.press(method=await method_of(own_shop))
    await till.press("/till/pay")
    order = await _last(own_shop)
    assert order["total"] == Decimal(44)
    assert "Large tub" in (await Counter(owner).open(f"/till/return?order={order['id']}")).text
    await change_rows(own_shop, "items", status=False)
    await change_rows(own_shop, "packages", status=False)
    assert "Add an item" in (await Counter(owner).open()).text
    nothing = await Counter(cashier).open()
    assert "Nothing is on sale yet" in nothing.text
    assert "Add an item" not in nothing.text
