"""What is chosen at the till stays chosen, nothing is chosen by itself, and short stock is said before the payment."""

import asyncio
import re
from collections.abc import AsyncIterator
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_option, make_product
from tests.factories.changes import change_row
from tests.factories.orders import make_order
from tests.factories.users import make_user
from tests.support.branch import method_of
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.invariants import broken_invariants
from tests.support.pages.counter import Counter
from tests.support.shop import Shop


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER, name="Huda")) as desk:
        yield desk


async def oil_of(shop: Shop, price: str = "100", stock: int | None = 10) -> UUID:
    return await make_product(shop, {"en": "Oil", "ar": "زيت"}, price=price, stock=stock)


def chosen(till: Counter, name: str) -> list[str]:
    return form_fields(till.page, "/till")[name]


async def sales(shop: Shop) -> int:
    rows = await shop.sql("SELECT count(*) FROM orders WHERE tenant_id = $1 AND cashier = 'Huda' AND status <> 'draft'")
    count: int = rows[0][0]
    return count


@pytest.mark.parametrize(
    ("kind", "amount", "opens"), [("discount_kind", "discount", False), ("line_kind", "line_discount", True)]
)
async def test_the_kind_of_a_discount_stays_while_its_amount_is_empty(
    own_shop: Shop, cashier: DashboardClient, kind: str, amount: str, opens: bool
) -> None:
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop, "200")))
    if opens:
        await till.press(open="0")
    await till.press("/till", **{kind: "fixed"}, people="Nobody with this name")
    assert chosen(till, kind) == ["fixed"]
    await till.press(**{amount: "20"})
    assert till.total == 180
    if not opens:
        await till.press(discount="")
        assert chosen(till, kind) == ["fixed"]


async def test_who_gets_the_tip_stays_while_its_amount_is_empty(own_shop: Shop, cashier: DashboardClient) -> None:
    (row,) = await own_shop.sql("SELECT item_id, staff_id FROM staff_services WHERE tenant_id = $1 LIMIT 1")
    till = await Counter(cashier).open()
    await till.press(plain=str(row["item_id"]))
    await till.press(open="0")
    await till.press(staff=str(row["staff_id"]))
    await till.press(go="pay")
    assert chosen(till, "tip_staff") == [str(row["staff_id"])]
    await till.press(tip_staff="")
    assert chosen(till, "tip_staff") == [""]
    await till.press(tip="20")
    assert chosen(till, "tip_staff") == [""]


async def test_a_new_customer_is_not_forgotten_while_the_cart_changes(own_shop: Shop, cashier: DashboardClient) -> None:
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop)))
    await till.press(people="Sara")
    await till.press(who="new")
    await till.press(first_name="Sarah", last_name="Al-Otaibi", phone="0501112233", discount="5")
    assert till.total == 95
    assert [chosen(till, name) for name in ("first_name", "last_name", "phone")] == [
        ["Sarah"], ["Al-Otaibi"], ["0501112233"]
    ]  # fmt: skip


async def test_a_refused_discount_or_price_keeps_the_last_valid_sums(own_shop: Shop, owner: DashboardClient) -> None:
    till = await Counter(owner).open()
    await till.press(add=str(await oil_of(own_shop)))
    await till.press(discount="10", discount_kind="fixed")
    assert till.total == 90
    refused = await till.press(discount="120", discount_kind="percentage")
    assert (refused.status_code, till.total) == (422, Decimal(90))
    assert (chosen(till, "discount"), chosen(till, "discount_kind")) == (["120"], ["percentage"])
    await till.press(discount="10", discount_kind="fixed", open="0")
    address = till.url.removeprefix(owner.origin)
    refused = await till.press(line_discount="500", line_kind="fixed", price="50")
    assert (refused.status_code, till.total) == (422, Decimal(90))
    assert (chosen(till, "line_discount"), chosen(till, "price")) == (["500"], ["50"])
    forged = await Counter(owner).open(address.replace("discount=d10", "discount=r120"))
    assert forged.total == 100  # an address has no last sums: those of the catalogue


async def test_a_fixed_discount_above_the_total_is_refused(own_shop: Shop, owner: DashboardClient) -> None:
    till = await Counter(owner).open()
    await till.press(add=str(await oil_of(own_shop)))
    refused = await till.press(discount="100.01", discount_kind="fixed")
    assert (refused.status_code, till.total) == (422, Decimal(100))
    assert "The discount is above the total." in till.text
    assert (chosen(till, "discount"), chosen(till, "discount_kind")) == (["100.01"], ["fixed"])
    assert (await till.press(discount="100", discount_kind="fixed")).status_code == 303
    assert till.total == 0


async def test_a_refused_amount_stays_until_it_is_mended(own_shop: Shop, cashier: DashboardClient) -> None:
    """A second press of the key that finishes takes the same amount again, and not the one before."""
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop)))
    await till.press(go="pay")
    await till.press(method=await method_of(own_shop, "card"))
    await till.press(method=await method_of(own_shop), amount="60")
    assert chosen(till, "amount") == ["60.00", "40.00"]
    for changed in ({"amount": ["5060.00", "40.00"]}, {}):
        refused = await till.press("/till/pay", **changed)
        assert (refused.status_code, chosen(till, "amount")) == (422, ["5060.00", "40.00"])
        assert "too high" in till.text
        assert re.search(r'id="pay-0"[^>]* aria-invalid="true"', till.page)
    assert await sales(own_shop) == 0
    await till.press("/till/pay", amount=["60.00", "40.00"])
    assert await sales(own_shop) == 1


async def test_a_discount_beyond_the_role_keeps_the_last_valid_sums(own_shop: Shop, cashier: DashboardClient) -> None:
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop)))
    refused = await till.press(discount="60", discount_kind="fixed")
    assert (refused.status_code, till.total) == (422, Decimal(100))
    assert chosen(till, "discount_kind") == ["fixed"]


async def test_nothing_is_paid_before_a_method_is_chosen(own_shop: Shop, cashier: DashboardClient) -> None:
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop)))
    await till.press(go="pay")
    keys = re.findall(r'name="method" value="[^"]+"[^>]* data-key="(f\d+)"', till.page)
    assert keys == [f"f{6 + n}" for n in range(len(keys))]
    assert len(keys) > 1
    assert ("Choose how it is paid" in till.text, 'data-key="f4"' in till.page) == (True, False)
    assert (await till.press("/till/pay")).status_code == 422  # as a second key press would
    assert await sales(own_shop) == 0
    cash = await method_of(own_shop)
    await till.press(method=cash)
    assert ("Choose how it is paid" in till.text, 'data-key="f4"' in till.page) == (False, True)
    await till.press(go="items")
    await till.press(go="pay")  # what was chosen on an earlier page no longer counts
    assert (await till.press("/till/pay")).status_code == 422
    await till.press(method=cash)
    assert (await till.press("/till/pay")).status_code == 303
    assert await sales(own_shop) == 1


async def test_the_checkout_of_a_booking_asks_how_it_is_paid(own_shop: Shop, cashier: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="10")
    till = await Counter(cashier).open(f"/till?order={order_id}")
    assert ("Choose how it is paid" in till.text, 'data-key="f4"' in till.page) == (True, False)
    assert (await till.press("/till/pay")).status_code == 422
    await till.press(method=await method_of(own_shop))
    assert (await till.press("/till/pay")).status_code == 303


async def test_short_stock_is_said_before_the_payment_and_not_sold(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await oil_of(own_shop, stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(more="0")
    await till.press(go="pay")
    assert 'name="method"' not in till.page
    assert "There is not enough in stock." in till.text
    assert "an owner or a manager can sell it anyway" in till.text
    await till.press(oversell="0")  # a forged button
    await till.press(go="pay")
    assert 'name="method"' not in till.page
    await till.press(less="0")
    await till.press(go="pay")
    assert 'name="method"' in till.page


async def test_lines_of_one_product_share_its_stock(own_shop: Shop, owner: DashboardClient) -> None:
    oil = await oil_of(own_shop, stock=5)
    small = await make_option(own_shop, oil, "10", quantity=2)
    large = await make_option(own_shop, oil, "20", quantity=3)
    till = await Counter(owner).open()
    for option, count in ((small, 2), (large, 3)):
        await till.press(add=option)
        for _ in range(count - 1):
            await till.press(more=str(0 if option == small else 1))
    assert "not enough in stock" not in till.text
    await till.press(more="1")
    assert "There is not enough in stock." in till.text


async def test_a_manager_sells_all_the_same_and_it_is_recorded(own_shop: Shop, owner: DashboardClient) -> None:
    oil = await oil_of(own_shop, stock=1)
    till = await Counter(owner).open()
    await till.press(add=str(oil))
    await till.press(more="0")
    await till.press(more="0")
    await till.press(oversell="0")
    assert "There is not enough in stock." not in till.text
    await till.press(go="pay")
    await till.press(method=await method_of(own_shop))
    assert (await till.press("/till/pay")).status_code == 303
    rows = await own_shop.sql(
        "SELECT reason, change, quantity FROM stock_movements WHERE tenant_id = $1 AND item_id = $2", oil
    )
    assert sorted(map(tuple, rows)) == [("oversold", 2, 3), ("sale", -3, 0)]
    activity = texts((await owner.get("/activity")).text)
    assert "sold more of Oil than there was in stock" in activity
    (event,) = await own_shop.sql(
        "SELECT data ->> 'previous_stock' AS before, data ->> 'stock' AS after FROM events "
        "WHERE tenant_id = $1 AND type = 'item.stock_changed' AND data -> 'item' ->> 'id' = $2",
        str(oil),
    )
    assert tuple(event) == ("1", "0")
    async with pooled_connection(own_shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), own_shop.tenant_id) == []


async def test_the_last_one_that_goes_during_the_payment_is_sold_and_recorded(
    own_shop: Shop, cashier: DashboardClient
) -> None:
    """The card was charged on the device, so the sale is not refused any more."""
    oil = await oil_of(own_shop, stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(go="pay")
    await till.press(method=await method_of(own_shop, "card"))
    await change_row(own_shop, "items", oil, stock=0)
    assert (await till.press("/till/pay")).status_code == 303
    (row,) = await own_shop.sql(
        "SELECT actor_type, after FROM activity WHERE tenant_id = $1 AND action = 'item.oversold' AND subject_id = $2",
        oil,
    )
    assert row["actor_type"] == "user"


async def test_a_held_sale_is_sold_all_the_same_by_a_manager(
    own_shop: Shop, cashier: DashboardClient, owner: DashboardClient
) -> None:
    oil = await oil_of(own_shop, stock=1)
    till = await Counter(cashier).open()
    await till.press(add=str(oil))
    await till.press(more="0")
    await till.press("/till/hold")
    (draft,) = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1")
    mine = await Counter(owner).open(f"/till?order={draft['id']}")
    await mine.press(oversell="0")
    await mine.press(go="pay")
    await mine.press(method=await method_of(own_shop))
    assert (await mine.press("/till/pay")).status_code == 303
    (row,) = await own_shop.sql("SELECT status, total FROM orders WHERE tenant_id = $1 AND id = $2", draft["id"])
    assert tuple(row) == ("completed", Decimal(200))


async def test_a_customer_who_was_typed_and_not_chosen_is_asked_about(own_shop: Shop, cashier: DashboardClient) -> None:
    till = await Counter(cashier).open()
    await till.press(add=str(await oil_of(own_shop)))
    await till.press(people="Sara", go="pay")
    assert "“Sara” was typed, but no customer is chosen." in till.text
    assert ('name="method"' in till.page, chosen(till, "people")) == (False, ["Sara"])
    await till.press(people="", go="pay")  # taken back
    assert 'name="method"' in till.page
    await till.press(go="items")
    await till.press(people="Sara", go="pay")
    await till.press(go="walk_in")
    assert 'name="method"' in till.page
    assert "Walk-in" in till.text
    await till.press(go="items")
    held = await till.press("/till/hold", people="Sara")
    assert (held.status_code, chosen(till, "people")) == (422, ["Sara"])
    assert "Choose the customer that you typed, or go on without one." in till.text


async def test_cash_without_an_open_drawer_says_so(own_shop: Shop, cashier: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="10")
    oil = await oil_of(own_shop)
    for path in (f"/till?cart={oil}~1&step=pay", f"/till?order={order_id}"):
        till = await Counter(cashier).open(path)
        await till.press(method=await method_of(own_shop, "card"))
        assert "The drawer is not open" not in till.text
        await till.press(method=await method_of(own_shop))
        assert "The drawer is not open. This cash is counted as taken before it was opened." in till.text
        assert 'href="/drawer"' in till.page
    opened = {"branch": str(await branch_of(own_shop)), "id": str(uuid7()), "float": "100"}
    assert (await cashier.post("/drawer/open", opened)).status_code == 303
    till = await Counter(cashier).open(f"/till?order={order_id}")
    await till.press(method=await method_of(own_shop))
    assert "The drawer is not open" not in till.text


async def test_an_exchange_takes_what_comes_back(own_shop: Shop, owner: DashboardClient) -> None:
    """The last one is sold, comes back and is taken again: it is not short."""
    oil = await oil_of(own_shop, stock=1)
    till = await Counter(owner).open(f"/till?cart={oil}~1&step=pay")
    await till.press(method=await method_of(own_shop))
    await till.press("/till/pay")
    (sold,) = await own_shop.sql(
        "SELECT l.id, l.order_id FROM order_lines l WHERE l.tenant_id = $1 AND l.item_id = $2", oil
    )
    back = f"back={sold['order_id']}&give={sold['id']}~1&back_method={await method_of(own_shop)}"
    assert "not enough in stock" in (await Counter(owner).open(f"/till?cart={oil}~1&{back}&restock=no")).text
    till = await Counter(owner).open(f"/till?cart={oil}~1&{back}&step=pay")
    assert "not enough in stock" not in till.text
    assert (await till.press("/till/pay")).status_code == 303
    rows = await own_shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", oil)
    assert rows[0]["stock"] == 0


async def test_two_tills_that_sell_the_last_piece_at_once_both_take_the_payment(
    own_shop: Shop, cashier: DashboardClient, owner: DashboardClient
) -> None:
    oil = await oil_of(own_shop, stock=1)
    tills = [await Counter(desk).open(f"/till?cart={oil}~1&step=pay") for desk in (cashier, owner)]
    for till in tills:
        await till.press(method=await method_of(own_shop))
    answers = await asyncio.gather(*(till.post("/till/pay") for till in tills))
    assert [answer.status_code for answer in answers] == [303, 303]
    rows = await own_shop.sql("SELECT reason, change FROM stock_movements WHERE tenant_id = $1 AND item_id = $2", oil)
    assert sorted(map(tuple, rows)) == [("oversold", 1), ("sale", -1), ("sale", -1)]
    async with pooled_connection(own_shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), own_shop.tenant_id) == []


async def test_a_cart_with_a_malformed_price_can_be_cleared(own_shop: Shop, owner: DashboardClient) -> None:
    oil = await oil_of(own_shop)
    till = await Counter(owner).open()
    await till.press(add=str(oil))
    await till.press(open="0")
    assert (await till.press(price="abc")).status_code == 422
    await till.clear()
    assert "Choose an item, or scan a code." in till.text
