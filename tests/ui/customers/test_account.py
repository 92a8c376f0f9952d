"""Sales on account: who may, how much, what is owed, and paying it; the money stays exact."""

import asyncio
import re
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_branch, make_product
from tests.factories.changes import change_row, change_rows
from tests.factories.orders import make_order
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.invariants import broken_invariants
from tests.support.pages.counter import Counter
from tests.support.shop import Shop


async def method(shop: Shop, kind: str) -> str:
    rows = await shop.sql(
        "SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = $2 ORDER BY sort_order, created_at", kind
    )
    return str(rows[0]["id"])


async def orders_of(shop: Shop, customer: UUID) -> list[tuple[Decimal, Decimal, str, bool]]:
    """Total, paid, payment status and whether it is on account; the oldest first."""
    rows = await shop.sql(
        """
        SELECT total, paid_amount, payment_status, on_account FROM orders WHERE tenant_id = $1 AND customer_id = $2
        ORDER BY order_number
        """,
        customer,
    )
    return [tuple(row) for row in rows]


async def buyer(shop: Shop, owner: DashboardClient, limit: str | None) -> UUID:
    customer = await make_customer(shop, first_name="Hessa", last_name="Al-Dosari")
    if limit is not None:
        answer = await set_limit(owner, customer, limit)
        assert answer == 303
    return customer


async def set_limit(desk: DashboardClient, customer: UUID, limit: str) -> int:
    path = f"/customers/{customer}/account"
    fields = form_fields((await desk.get(path)).text, f"{path}/limit")
    return (await desk.post(f"{path}/limit", {**fields, "limit": limit})).status_code


async def settle(desk: DashboardClient, customer: UUID, **fields: str) -> tuple[int, str]:
    path = f"/customers/{customer}/account"
    sent = {**form_fields((await desk.get(path)).text, path), **fields}
    answer = await desk.post(path, sent)
    return answer.status_code, texts(answer.text)


async def owed(desk: DashboardClient, customer: UUID) -> Decimal:
    found = re.search(r'id="owed">([\d,.]+)<', (await desk.get(f"/customers/{customer}/account")).text)
    assert found
    return Decimal(found[1].replace(",", ""))


async def assert_sound(shop: Shop) -> None:
    async with pooled_connection(shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), shop.tenant_id) == []


async def test_a_customer_with_a_limit_owes_the_rest_and_pays_it_later(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "50")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="19.99", stock=50)
    cart = f"/till?cart={oil}~1&customer={customer}&step=pay"
    till = await Counter(owner).open(cart)
    assert "then owes 19.99" in till.text
    await till.press("/till/pay", on_account="yes")
    assert "/receipt" in till.url, till.text
    till = await Counter(owner).open(cart)
    await till.press("/till/pay", method=await method(own_shop, "card"), part="5")
    await till.press("/till/pay", on_account="yes")
    assert "/receipt" in till.url, till.text
    assert await orders_of(own_shop, customer) == [
        (Decimal("19.99"), Decimal(0), "unpaid", True),
        (Decimal("19.99"), Decimal(5), "partially_paid", True),
    ]
    till = await Counter(owner).open(cart)
    assert "more than the limit of 50.00" in till.text
    assert (await till.press("/till/pay", on_account="yes")).status_code == 422
    assert "may not owe that much" in till.text
    assert "Nobody is waiting" in texts((await owner.get("/till/waiting?search=dosari")).text)
    assert await owed(owner, customer) == Decimal("34.98")
    card = texts((await owner.get(f"/customers/{customer}")).text)
    assert "34.98 on account" in card.replace("\u2066", "").replace("\u2069", "")

    status, text = await settle(owner, customer, amount="34.99")
    assert (status, "The drawer is not open. This cash is counted" in text) == (422, True)
    cash = await method(own_shop, "cash")
    path = f"/customers/{customer}/account"
    form = {**form_fields((await owner.get(path)).text, path), "amount": "25", "method": cash, "given": "30"}
    answers = [(await owner.post(path, form)).status_code for _ in range(2)]  # sent twice, it pays once
    assert answers == [303, 303]
    assert await orders_of(own_shop, customer) == [
        (Decimal("19.99"), Decimal("19.99"), "paid", True),
        (Decimal("19.99"), Decimal("10.01"), "partially_paid", True),
    ]
    taken = await own_shop.sql(
        "SELECT amount, tendered_amount FROM transactions WHERE tenant_id = $1 ORDER BY transaction_no DESC LIMIT 2"
    )
    assert [tuple(row) for row in taken] == [
        (Decimal("5.01"), Decimal("10.01")),  # with the change
        (Decimal("19.99"), Decimal("19.99")),
    ]
    status, text = await settle(owner, customer, amount="9.98", seen="34.98")
    assert (status, "has changed meanwhile" in text) == (422, True)
    assert (await settle(owner, customer, amount="9.98"))[0] == 303
    assert await owed(owner, customer) == 0
    statement = texts((await owner.get(path)).text)
    assert re.search(r"9\.98 0\.00", statement)  # the last row: nothing is owed then
    await assert_sound(own_shop)


async def test_sales_at_the_same_time_stay_within_the_limit(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "25")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=50)
    tills = [await Counter(owner).open(f"/till?cart={oil}~1&customer={customer}&step=pay") for _ in range(4)]
    answers = await asyncio.gather(*(till.post("/till/pay", on_account="yes") for till in tills))
    assert sorted(answer.status_code for answer in answers) == [303, 303, 422, 422]
    assert await owed(owner, customer) == 20
    await assert_sound(own_shop)


async def test_an_order_that_exists_is_put_on_account(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "100")
    order_id = await make_order(own_shop, 1, price="40", paid="15", customer_id=customer)
    till = await Counter(owner).open(f"/till?order={order_id}")
    await till.press("/till/pay", on_account="yes")
    assert "/receipt" in till.url, till.text
    changed = await make_order(own_shop, 1, price="40", customer_id=customer)
    till = await Counter(owner).open(f"/till?order={changed}")
    await till.press(more="0")
    assert (await till.press("/till/pay", on_account="yes")).status_code == 422  # 25 and 80
    await till.press(less="0")
    await till.press("/till/pay", on_account="yes")
    assert "/receipt" in till.url, till.text
    assert await owed(owner, customer) == 65
    held = await Counter(owner).open(f"/till?cart={await make_product(own_shop, {'en': 'Comb'}, price='30')}~1")
    await held.press(customer=str(customer))
    await held.press("/till/hold")
    (draft,) = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND status = 'draft' AND total = 30")
    held = await Counter(owner).open(f"/till?order={draft['id']}")
    await held.press(go="pay")
    await held.press("/till/pay", on_account="yes")
    assert "/receipt" in held.url, held.text
    assert await owed(owner, customer) == 95
    await assert_sound(own_shop)


@pytest.mark.parametrize("limit", [None, ""])
async def test_a_customer_without_a_limit_buys_nothing_on_account(
    own_shop: Shop, owner: DashboardClient, limit: str | None
) -> None:
    customer = await buyer(own_shop, owner, limit)
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=50)
    for buys in (f"&customer={customer}", ""):
        till = await Counter(owner).open(f"/till?cart={oil}~1{buys}&step=pay")
        assert 'id="on-account"' not in till.page
        assert (await till.press("/till/pay", on_account="yes")).status_code == 422
    assert await orders_of(own_shop, customer) == []


async def test_a_cashier_takes_payments_and_sets_no_limit(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "100")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as cashier:
        page = (await cashier.get(f"/customers/{customer}/account")).text
        assert "May owe at most" in texts(page)
        assert "account/limit" not in page
        sent = {"version": "1", "limit": "9999", "id": str(uuid7())}
        assert (await cashier.post(f"/customers/{customer}/account/limit", sent)).status_code == 403


async def sell(desk: DashboardClient, customer: UUID, item: str | UUID, quantity: int = 1) -> Counter:
    till = await Counter(desk).open(f"/till?cart={item}~{quantity}&customer={customer}&step=pay")
    await till.press("/till/pay", on_account="yes")
    return till


async def last_order(shop: Shop) -> UUID:
    rows = await shop.sql("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1")
    found: UUID = rows[0]["id"]
    return found


async def test_the_rest_stays_owed_after_a_refund(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "30")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    till = await Counter(owner).open(f"/till?cart={oil}~1&customer={customer}&step=pay")
    await till.press("/till/pay", method=await method(own_shop, "card"), part="5")
    await till.press("/till/pay", on_account="yes")
    order_id = await last_order(own_shop)
    refund = {"id": str(uuid7()), "what": "whole", "sure": "yes"}
    assert (await owner.post(f"/orders/{order_id}/refund", refund)).status_code == 303
    assert await owed(owner, customer) == 15
    card = texts((await owner.get(f"/customers/{customer}")).text).replace("\u2066", "").replace("\u2069", "")
    assert "15.00 on account" in card
    statement = (await owner.get(f"/customers/{customer}/account")).text
    assert re.findall(r'<b class="number">([\d.]+)</b></td>', statement)[-1] == "15.00"
    assert "may not owe that much" in (await sell(owner, customer, oil)).text
    assert (await settle(owner, customer, amount="15"))[0] == 303
    assert await owed(owner, customer) == 0
    await assert_sound(own_shop)


async def test_an_order_on_account_grows_within_the_limit(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "50")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    await sell(owner, customer, oil)
    order_id = await last_order(own_shop)
    for quantity, status in (("3", 422), ("2", 303)):
        page = (await owner.get(f"/orders/{order_id}/edit")).text
        changed = {**form_fields(page, f"/orders/{order_id}/edit"), "quantity": quantity, "act": "update"}
        seen = await owner.post(f"/orders/{order_id}/edit", changed)
        saved = {**form_fields(seen.text, f"/orders/{order_id}/edit"), "act": "save"}
        answer = await owner.post(f"/orders/{order_id}/edit", saved)
        assert answer.status_code == status, texts(answer.text)
        assert ("may not owe that much" in answer.text) is (status == 422)
    assert await owed(owner, customer) == 40
    till = await Counter(owner).open(f"/till?order={order_id}")
    await till.press(more="0")
    part = {"method": await method(own_shop, "card"), "part": "5"}
    await till.press("/till/pay", **part)
    assert (await till.press("/till/pay", on_account="yes")).status_code == 422  # 55 would be left
    assert await owed(owner, customer) == 40
    till = await Counter(owner).open(f"/till?order={order_id}")
    await till.press(more="0")
    assert (await till.press("/till/pay", method=part["method"])).status_code == 303  # all of it is paid
    assert await owed(owner, customer) == 0
    await assert_sound(own_shop)


async def test_what_is_canceled_and_revived_is_no_longer_on_account(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "25")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    await sell(owner, customer, oil)
    order_id = await last_order(own_shop)
    path = f"/orders/{order_id}/cancel"
    assert await owed(owner, customer) == 20
    assert (await owner.post(path, form_fields((await owner.get(path)).text, path))).status_code == 303
    assert "/receipt" in (await sell(owner, customer, oil)).url
    (order,) = await own_shop.sql("SELECT version FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    revived = {"status": "confirmed", "version": str(order["version"])}
    assert (await owner.post(f"/orders/{order_id}/status", revived)).status_code == 303
    assert await owed(owner, customer) == 20
    assert [row[3] for row in await orders_of(own_shop, customer)] == [False, True]


@pytest.mark.parametrize("part", ["", "5"])
async def test_a_sale_on_account_is_voided(own_shop: Shop, owner: DashboardClient, part: str) -> None:
    customer = await buyer(own_shop, owner, "25")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    till = await Counter(owner).open(f"/till?cart={oil}~1&customer={customer}&step=pay")
    if part:
        await till.press("/till/pay", method=await method(own_shop, "card"), part=part)
    await till.press("/till/pay", on_account="yes")
    order_id = await last_order(own_shop)
    path = f"/orders/{order_id}/void"
    answer = await owner.post(path, form_fields((await owner.get(f"/orders/{order_id}/receipt")).text, path))
    assert answer.status_code == 303, texts(answer.text)
    assert (await owner.get(answer.headers["location"])).status_code == 200
    assert await owed(owner, customer) == 0
    (order,) = await own_shop.sql(
        "SELECT status, paid_amount - refunded_amount AS kept FROM orders WHERE tenant_id = $1 AND id = $2", order_id
    )
    assert tuple(order) == ("canceled", 0)
    (item,) = await own_shop.sql("SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", UUID(str(oil)))
    assert item["stock"] == 50
    again = await owner.post(path, {"id": str(uuid7())})
    assert again.status_code == 422
    await assert_sound(own_shop)


async def test_what_is_paid_now_has_a_method_and_nothing_comes_back(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "100")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    cash, card = await method(own_shop, "cash"), await method(own_shop, "card")
    cart = f"/till?cart={oil}~1&customer={customer}&step=pay"
    till = await Counter(owner).open(cart)
    assert (await till.press("/till/pay", part="5", on_account="yes")).status_code == 422
    assert "Choose how this part is paid first." in till.text
    till = await Counter(owner).open(cart)
    await till.press(method=cash)
    assert (await till.press("/till/pay", given="5", on_account="yes")).status_code == 422
    sold = await make_order(own_shop, 1, price="10", paid="10", customer_id=customer)
    (line,) = await own_shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", sold)
    till = await Counter(owner).open(f"{cart}&back={sold}&give={line['id']}~1&back_method={cash}")
    assert (await till.press("/till/pay", on_account="yes")).status_code == 422
    assert "cannot be put on account" in till.text
    assert len(await orders_of(own_shop, customer)) == 1
    await sell(owner, customer, oil)
    assert (await settle(owner, customer, amount="5", method=card, given="10"))[0] == 422
    assert (await settle(owner, customer, amount="5", method=cash, given="999999999999"))[0] == 422
    assert await owed(owner, customer) == 20


async def test_what_is_on_account_is_not_listed_as_unpaid(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "100")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    await sell(owner, customer, oil)
    order_id = await last_order(own_shop)
    for on_account in (True, False):
        await change_rows(own_shop, "orders", on_account=on_account)
        overview = texts((await owner.get("/")).text)
        assert bool(re.search(r"Done and unpaid, SAR\W+0\.00", overview)) is on_account, overview
        assert (str(order_id) in (await owner.get("/day-close")).text) is not on_account


async def test_a_payment_is_for_the_orders_of_one_branch(own_shop: Shop, owner: DashboardClient) -> None:
    customer = await buyer(own_shop, owner, "100")
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="20", stock=50)
    await sell(owner, customer, oil)
    await sell(owner, customer, oil, 2)
    first = await make_branch(own_shop)  # by name, so it is the one that is chosen
    await change_row(own_shop, "orders", await last_order(own_shop), branch_id=first)
    assert await owed(owner, customer) == 60
    page = texts((await owner.get(f"/customers/{customer}/account")).text)
    assert re.search(r"20\.00\W* is owed beside these", page), page
    assert (await settle(owner, customer, amount="41"))[0] == 422
    assert (await settle(owner, customer, amount="40"))[0] == 303
    assert await owed(owner, customer) == 20
