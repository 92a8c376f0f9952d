"""The till: what it shows is what is stored, and nothing is charged twice."""

import asyncio
import random
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_option, make_product
from tests.factories.changes import change_row, change_rows
from tests.factories.orders import make_order
from tests.factories.people import customer_of
from tests.factories.users import make_user
from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.invariants import broken_invariants
from tests.support.pages.counter import Counter
from tests.support.shop import Shop


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER, name="Huda")) as desk:
        yield desk


async def method(shop: Shop, kind: str) -> str:
    rows = await shop.sql(
        "SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = $2 ORDER BY sort_order, created_at", kind
    )
    return str(rows[0]["id"])


async def service_with_provider(shop: Shop) -> tuple[str, str]:
    """A service without options, and its provider."""
    (row,) = await shop.sql(
        """
        SELECT ss.item_id, ss.staff_id FROM staff_services ss JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id
        WHERE ss.tenant_id = $1 AND NOT EXISTS (
            SELECT FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id) ORDER BY 1, 2 LIMIT 1
        """
    )
    return str(row["item_id"]), str(row["staff_id"])


async def last_order(shop: Shop) -> dict[str, object]:
    return dict((await shop.sql("SELECT * FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1"))[0])


async def payments(shop: Shop, order_id: object) -> list[tuple[Decimal, Decimal | None, str | None]]:
    rows = await shop.sql(
        """
        SELECT amount, tendered_amount, cashier FROM transactions WHERE tenant_id = $1 AND order_id = $2
        ORDER BY transaction_no
        """,
        order_id,
    )
    return [tuple(row) for row in rows]


async def assert_sound(shop: Shop) -> None:
    async with pooled_connection(shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), shop.tenant_id) == []


async def test_a_sale_stores_what_was_shown_and_double_click_and_back_charge_once(
    own_shop: Shop, cashier: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="19.99", stock=10)
    soap = await make_product(own_shop, {"en": "Soap", "ar": "صابون"}, price="7.35", stock=10)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(add=str(oil))
    await till.press(add=str(soap))
    await till.press(discount="12.5", discount_kind="percentage")
    assert till.total == Decimal("41.41")  # 47.33 less 12.5 %
    await cashier.get(till.url.removeprefix(cashier.origin))  # a reload
    await till.press(go="pay")
    before = till.url
    await till.press(method=await method(own_shop, "cash"))
    await till.press(given="50")
    assert "8.59" in till.text  # change
    sent = [till.post("/till/pay") for _ in range(4)]
    answers = await asyncio.gather(*sent)
    assert {answer.status_code for answer in answers} == {303}
    order = await last_order(own_shop)
    assert {answer.headers["location"] for answer in answers} == {f"/orders/{order['id']}/receipt?till=yes&then=print"}
    assert (order["total"], order["source"], order["cashier"]) == (Decimal("41.41"), "pos", "Huda")
    assert order["status"] == "completed"  # paid products are handed over
    assert await payments(own_shop, order["id"]) == [(Decimal("41.41"), Decimal("50.00"), "Huda")]
    again = await cashier.get(before.removeprefix(cashier.origin))
    assert again.headers["location"] == f"/orders/{order['id']}/receipt?till=yes"
    receipt = await till.open(again.headers["location"])
    assert receipt.total == order["total"]
    assert "8.59" in receipt.text
    await assert_sound(own_shop)


async def test_a_tip_is_beside_the_total_and_payments_are_split(own_shop: Shop, cashier: DashboardClient) -> None:
    service, staff = await service_with_provider(own_shop)
    card, cash = await method(own_shop, "card"), await method(own_shop, "cash")
    till = await Counter(cashier).open()
    await till.press(add=service)
    await till.press(open="0")
    await till.press(staff=staff)
    price = till.total
    await till.press(go="pay")
    await till.press(tip="0.005")
    await till.press(method=card)
    assert (await till.press("/till/pay")).status_code == 422  # no cent is halved
    assert "at most 2 decimals" in till.text
    await till.press(tip="10", tip_staff=staff)
    await till.press(method=card)
    await till.press(amount=["5.00"])
    await till.press(method=cash)
    await till.press(given="1000")
    answer = await till.press("/till/pay")
    assert answer.status_code == 303, till.text
    order = await last_order(own_shop)
    assert (order["total"], order["paid_amount"], order["payment_status"]) == (price, price, "paid")
    tips = await own_shop.sql(
        "SELECT staff_id, payment_method_id, amount FROM tips WHERE tenant_id = $1 AND order_id = $2", order["id"]
    )
    assert [tuple(row) for row in tips] == [(UUID(staff), UUID(cash), Decimal(10))]
    paid = await payments(own_shop, order["id"])
    assert [(amount, tendered) for amount, tendered, _ in paid] == [(5, None), (price - 5, Decimal(990))]
    assert "Tip" in till.text
    assert "1,000.00" in till.text  # handed over, for the order and the tip
    await assert_sound(own_shop)


async def test_a_code_adds_at_once_also_that_of_an_option(own_shop: Shop, cashier: DashboardClient) -> None:
    cream = await make_product(own_shop, {"en": "Cream", "ar": "كريم"}, price="9830", stock=9, base_sellable=False)
    option = await make_option(own_shop, cream, "44", quantity=9)
    await change_row(own_shop, "item_options", UUID(option), barcode="6281000000017")
    oil = await make_product(own_shop, {"en": "Rare oil", "ar": "زيت"}, price="5", stock=9)
    await change_row(own_shop, "items", oil, sku="OIL-1")
    till = await Counter(cashier).open()
    await till.press(find="cr")
    assert "44.00" in till.text  # the only option
    assert "9,830.00" not in till.text  # a price of no order that waits on the same page
    await till.press(find="6281000000017")
    await till.press(find="OIL-1")
    assert till.total == 49
    await till.press(find="o")
    assert "items with “o”" in till.text
    assert till.total == 49
    await till.press(find="rare o")  # the only one with this name
    assert till.total == 54
    await till.press(less="1")
    await till.press(add=str(cream))
    assert "Choose an option of Cream" in till.text
    await till.press(add=option)
    assert till.total == 93
    await till.press(less="1")
    assert till.total == 88
    await till.clear()
    assert "Choose an item, or scan a code." in till.text


async def test_prices_are_changed_by_managers_only_and_a_held_sale_keeps_them(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="100", stock=10)
    till = await Counter(owner).open()
    await till.press(add=str(oil))
    await till.press(open="0")
    await till.press(price="80", quantity="2", line_discount="5", line_kind="percentage")
    assert till.total == 152
    await till.press(discount="2", discount_kind="fixed")
    assert till.total == 150
    before = till.url
    held = await till.press("/till/hold")
    assert held.status_code == 303
    assert (await Counter(owner).open(before)).total == 150  # Back resumes what is held
    draft = await last_order(own_shop)
    assert (draft["status"], draft["total"]) == ("draft", 150)
    forged = await Counter(cashier).open(f"/till?cart={oil}~1~p1")
    assert forged.status == 422
    assert "Only owners and managers can change a price." in forged.text
    resumed = await Counter(cashier).open(f"/till?order={draft['id']}")
    assert resumed.total == 150
    await resumed.press(go="pay")
    await resumed.press(method=await method(own_shop, "cash"))
    await resumed.press("/till/pay")
    sold = await last_order(own_shop)
    assert (sold["id"], sold["status"], sold["total"], sold["payment_status"]) == (
        draft["id"],
        "completed",
        150,
        "paid",
    )
    await assert_sound(own_shop)


async def test_an_invalid_payment_stays_in_its_field(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(go="pay")
    await till.press(method=await method(own_shop, "cash"))
    for action in ("/till", "/till/pay"):
        assert (await till.press(action, amount=["1O"])).status_code == 422
        assert re.search(r'id="pay-0"[^>]*\svalue="1O"[^>]* aria-invalid="true"', till.page), action
        assert "Enter an amount such as 12.50." in till.text


@pytest.mark.parametrize("field", ["discount", "line_discount", "quantity"])
async def test_an_invalid_amount_is_refused_and_stays_in_its_field(
    own_shop: Shop, cashier: DashboardClient, field: str
) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(open="0")
    answer = await till.press(**{field: "lots"})
    assert answer.status_code == 422
    assert 'value="lots"' in till.page
    assert "Enter a" in till.text
    assert till.total == 10


async def test_the_cart_tells_missing_stock_before_the_payment(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    assert "not enough in stock" not in till.text
    await till.press(more="0")
    assert "There is not enough in stock." in till.text


async def test_prices_that_change_meanwhile_are_shown(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(go="pay")
    await till.press(method=await method(own_shop, "cash"))
    await change_row(own_shop, "items", oil, price=12)
    answer = await till.press("/till/pay")
    assert answer.status_code == 422
    assert "Prices have changed meanwhile" in till.text
    assert till.total == 12
    assert (await own_shop.sql("SELECT count(*) FROM transactions WHERE tenant_id = $1 AND cashier = 'Huda'"))[0][
        0
    ] == 0


async def test_an_order_is_paid_where_its_deposit_ends(own_shop: Shop, cashier: DashboardClient) -> None:
    order_id = await make_order(own_shop, 3, price="10", paid="12.50")
    card, cash = await method(own_shop, "card"), await method(own_shop, "cash")
    till = await Counter(cashier).open(f"/till?order={order_id}")
    assert "−12.50" in till.text
    await till.press(method=cash)
    await till.press(amount=["20"])
    assert "The payments are 2.50 too high." in till.text
    refused = await till.press("/till/pay", given="18")
    assert refused.status_code == 422
    assert "The payments are 2.50 too high. Enter what the customer hands over as cash given." in till.text
    assert "Less cash was given" not in till.text
    await till.press(amount=["10"], given="")
    await till.press(method=card)
    await till.press("/till/pay")
    assert [amount for amount, *_ in await payments(own_shop, order_id)] == [Decimal("12.5"), 10, Decimal("7.5")]
    paid = await Counter(cashier).open(f"/till?order={order_id}")
    assert "This order is paid." in paid.text
    assert 'formaction="/till/pay"' not in paid.page
    assert 'name="tip"' not in paid.page
    await assert_sound(own_shop)


async def test_an_order_that_was_paid_in_another_tab_says_so_and_has_no_form(
    own_shop: Shop, cashier: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 1, price="10")
    card = await method(own_shop, "card")
    first, second, third = [await Counter(cashier).open(f"/till?order={order_id}") for _ in range(3)]
    for tab in (first, second, third):
        await tab.press(method=card)
    await first.press(amount=["4"])
    await first.press("/till/pay")
    assert (await second.press("/till/pay")).status_code == 422
    assert "What is left to pay has changed meanwhile." in second.text
    assert 'name="due" value="6.00"' in second.page
    await second.press("/till/pay")
    assert (await third.press("/till/pay")).status_code == 422
    assert "This order was paid meanwhile. Nothing was taken now." in third.text
    assert "/receipt" in third.page
    assert 'formaction="/till/pay"' not in third.page
    assert 'name="amount"' not in third.page
    assert [amount for amount, *_ in await payments(own_shop, order_id)] == [4, 6]


async def test_a_tile_shows_the_lowest_price_of_the_options(own_shop: Shop, cashier: DashboardClient) -> None:
    polish = await make_product(own_shop, {"en": "Lacquer", "ar": "طلاء"}, price="77.77", stock=10, base_sellable=False)
    await make_option(own_shop, polish, "31", quantity=5)
    await make_option(own_shop, polish, "48.50", quantity=5)
    till = await Counter(cashier).open("/till?search=lacquer")
    assert "from 31.00" in till.text
    assert "77.77" not in till.text


@pytest.mark.parametrize(("price", "paid"), [("25", [10, 15]), ("4", [4]), ("10", [10])])
async def test_an_exchange_moves_only_the_difference(
    own_shop: Shop, owner: DashboardClient, price: str, paid: list[int]
) -> None:
    order_id = await make_order(own_shop, 2, price="10", paid="20")
    other = await make_product(own_shop, {"en": "Other", "ar": "آخر"}, price=price, stock=5)
    number = (await last_order(own_shop))["order_number"]
    cash = await method(own_shop, "cash")
    till = await Counter(owner).open(f"/till/return?receipt={number}")
    assert f"Order {number}" in till.text
    scanned = await owner.get("/till/return", params={"receipt": f"https://desk.example/receipts/x/{order_id}"})
    assert scanned.headers["location"] == f"/till/return?order={order_id}"
    (line,) = await own_shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id)
    back = {"order": str(order_id), "method": cash, "line": str(line["id"]), "quantity": "1", "restock": "yes"}
    answer = await owner.post("/till/return", {**back, "then": "exchange"})
    await till.open(answer.headers["location"])
    await till.press(add=str(other))
    to_pay = f"Difference to pay {max(int(price) - 10, 0)}.00"
    assert (to_pay in texts(till.text)) == (int(price) >= 10)
    await till.press(go="pay")
    await till.press(method=cash)
    assert (await till.press("/till/pay", has="tip", tip="1", tip_staff=str(uuid7()))).status_code == 422  # nobody
    done = await till.press("/till/pay")
    assert done.status_code == 303, till.text
    sold = await last_order(own_shop)
    assert (sold["total"], sold["payment_status"]) == (Decimal(price), "paid")
    assert [amount for amount, *_ in await payments(own_shop, sold["id"])] == paid
    (refund,) = await own_shop.sql("SELECT total, source FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    assert tuple(refund) == (-10, "pos")
    await assert_sound(own_shop)


async def test_money_goes_back_without_an_exchange_but_not_by_a_cashier(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 2, price="10", paid="20")
    (line,) = await own_shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id)
    path = f"/till?back={order_id}&give={line['id']}~1&back_method={await method(own_shop, 'cash')}&step=pay"
    refused = await (await Counter(cashier).open(path)).post("/till/pay")
    assert refused.status_code == 422
    till = await Counter(owner).open(path)
    assert "Give back" in till.text
    await till.press("/till/pay")
    assert "Refunded: SAR 10.00" in till.text.replace("\u2066", "").replace("\u2069", "")
    await assert_sound(own_shop)


async def test_what_is_shown_is_what_is_stored_for_any_cart(own_shop: Shop, owner: DashboardClient) -> None:
    chance = random.Random(14)
    items = [
        await make_product(own_shop, {"en": f"Item {n}", "ar": f"{n}"}, price=f"{n}.{n}7", stock=999)
        for n in range(1, 6)
    ]
    customer = await customer_of(own_shop)
    for _ in range(6):
        till = await Counter(owner).open(f"/till?customer={customer}")
        for item in chance.sample(items, 3):
            await till.press(add=str(item))
        await till.press(open="1")
        kind = chance.choice(["percentage", "fixed"])
        await till.press(
            quantity=str(chance.randint(1, 9)),
            line_discount=str(chance.randint(0, 2)),
            line_kind=kind,
            price=chance.choice(["", "3.33"]),
        )
        await till.press(discount=f"{chance.randint(0, 3)}.{chance.randint(0, 99)}", discount_kind=kind)
        await till.press(go="pay")
        shown = till.total
        await till.press(method=await method(own_shop, "card"))
        await till.press("/till/pay")
        order = await last_order(own_shop)
        assert (order["total"], order["paid_amount"], order["customer_id"]) == (shown, shown, customer)
        assert till.total == shown
    await assert_sound(own_shop)


async def test_the_rest_of_the_catalogue_stays_in_sight_after_the_first_sale(
    own_shop: Shop, cashier: DashboardClient
) -> None:
    room = await open_branch(own_shop)
    await room.add_service(name={"en": "Never sold"}, duration=30)
    sold = await room.add_service(name={"en": "Sold once"}, duration=30)
    provider = await room.add_provider(sold)
    await room.place(line(sold, "service", staff_id=str(provider)), start=start(day(3), "10:00"))
    await change_rows(own_shop, "orders", created_at=datetime.now(UTC) - timedelta(days=2))  # not what is sold today
    page = texts((await cashier.get("/till", params={"branch": str(room.branch_id)})).text)
    assert page.index("Sold once") < page.index("Never sold")
    assert "Show all items" in page
