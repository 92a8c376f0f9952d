"""What a receipt says about its payments, and returns that are refused where they are entered."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from html import unescape
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_product
from tests.factories.changes import age_rows, change_row, change_rows, change_tenant
from tests.factories.orders import make_order
from tests.factories.people import customer_of
from tests.factories.users import make_user
from tests.support.branch import method_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pages.counter import Counter
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as desk:
        yield desk


async def _method(shop: Shop, kind: str) -> str:
    rows = await shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = $2 ORDER BY created_at", kind)
    return str(rows[0]["id"])


async def _line(shop: Shop, order_id: UUID) -> str:
    (line,) = await shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id)
    return str(line["id"])


async def _coming_order(shop: Shop) -> UUID:
    rows = await shop.sql(
        """
        SELECT id FROM orders WHERE tenant_id = $1 AND starts_at > now() + interval '1 hour' AND paid_amount = 0
            AND total > 60 AND status = 'confirmed' ORDER BY order_number LIMIT 1
        """
    )
    order_id: UUID = rows[0]["id"]
    return order_id


async def test_more_than_was_sold_is_refused_at_its_field(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, price="10", paid="20")
    sent = {"order": str(order_id), "method": await _method(own_shop, "card"), "line": await _line(own_shop, order_id)}
    refused = await owner.post("/till/return", {**sent, "quantity": "5", "reason": "Broken", "then": "refund"})
    assert refused.status_code == 422
    assert "<h1>Return or exchange</h1>" in refused.text
    assert "Enter a number from 0 to 2: what is not yet refunded." in refused.text
    assert 'value="5"' in refused.text
    assert 'value="Broken"' in refused.text
    assert f'value="{sent["method"]}" selected' in refused.text
    assert 'name="restock" value="yes" checked' not in refused.text
    assert 'id="pay"' not in refused.text
    unknown = await owner.post("/till/return", {**sent, "quantity": "many", "then": "refund"})
    assert unknown.status_code == 422
    assert 'value="many"' in unknown.text


async def test_parts_paid_at_once_are_no_deposits_and_name_the_cashier(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await _coming_order(own_shop)
    card, cash = await _method(own_shop, "card"), await _method(own_shop, "cash")
    till = await Counter(owner).open(f"/till?order={order_id}")
    await till.press(method=cash)
    await till.press(amount=["30"])
    await till.press("/till/pay")
    assert "Deposit of" in till.text
    await till.open(f"/till?order={order_id}")
    await till.press(method=cash)
    await till.press(amount=["10"])
    await till.press(method=card)
    assert (await till.press("/till/pay")).status_code == 303
    assert till.text.count("Deposit of") == 1
    assert "Cashier" in till.text
    deposits = await own_shop.sql(
        "SELECT is_deposit FROM transactions WHERE tenant_id = $1 AND order_id = $2 ORDER BY transaction_no", order_id
    )
    assert [row[0] for row in deposits] == [True, True, False]  # as published


async def test_the_receipt_of_an_exchange_names_what_came_back(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, price="30", paid="60")
    (row,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    other = await make_product(own_shop, {"en": "Other", "ar": "آخر"}, price="100", stock=5)
    card, cash = await _method(own_shop, "card"), await _method(own_shop, "cash")
    back = {"order": str(order_id), "method": card, "line": await _line(own_shop, order_id), "quantity": "2"}
    answer = await owner.post("/till/return", {**back, "then": "exchange"})
    till = await Counter(owner).open(answer.headers["location"])
    await till.press(add=str(other))
    await till.press(go="pay")
    await till.press(method=cash)
    assert (await till.press("/till/pay")).status_code == 303
    assert f"Returned from order {row['order_number']} 60.00" in till.text
    assert "Cash 40.00" in till.text
    assert "Card" not in till.text
    assert "Give back:" not in till.text
    sold = await own_shop.sql(
        "SELECT status FROM orders WHERE tenant_id = $1 AND parent_id IS NULL ORDER BY order_number DESC LIMIT 1"
    )
    assert sold[0]["status"] == "completed", "as any other sale of products"


async def test_an_exchange_for_less_says_what_to_give_back(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, price="30", paid="60")
    other = await make_product(own_shop, {"en": "Other", "ar": "آخر"}, price="45.50", stock=5)
    back = {"order": str(order_id), "method": await _method(own_shop, "cash"), "line": await _line(own_shop, order_id)}
    answer = await owner.post("/till/return", {**back, "quantity": "2", "then": "exchange"})
    till = await Counter(owner).open(answer.headers["location"])
    await till.press(add=str(other))
    assert "Returned −60.00 Difference to give back 14.50" in texts(till.text)
    await till.press(go="pay")
    assert "Difference to give back 14.50" in texts(till.text)
    assert (await till.press("/till/pay")).status_code == 303
    assert "Give back: SAR 14.50" in till.text.replace("\u2066", "").replace("\u2069", "")


async def test_what_was_done_is_said_on_the_page_of_the_receipt(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, paid="10")
    answer = await owner.post(f"/orders/{order_id}/receipt/link")
    page = await owner.http.get(answer.headers["location"])
    assert "The receipt has an address now." in page.text


async def test_the_button_says_what_is_left_and_cash_that_is_short(own_shop: Shop, owner: DashboardClient) -> None:
    item = await make_product(own_shop, {"en": "Other", "ar": "آخر"}, price="120", stock=5)
    till = await Counter(owner).open()
    assert 'href="/drawer"' in till.page
    assert "The drawer is not open." in till.text
    await till.press(add=str(item))
    await till.press(go="pay")
    await till.press(method=await _method(own_shop, "cash"))
    assert all(f'value="{note}.00"' in till.page for note in (120, 150, 200, 500))
    await till.press(given="110")
    assert "10.00 short" in till.text
    assert "Change to give" not in till.text
    await till.press(given="200")
    assert "Made up of 1 × 50.00 , 1 × 20.00 , 1 × 10.00" in till.text
    await till.press(amount=["50"], given="")
    assert "70.00 left to pay" in till.text
    assert "Finish" not in till.text
    assert (await till.press("/till/pay")).status_code == 422
    assert 'aria-invalid="true"' in till.page
    await till.press(go="items")
    await till.press(find="6281999")
    assert "No item has this name or code: 6281999" in till.text


async def test_the_receipt_of_a_booking_says_when_it_was_paid(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    await change_row(own_shop, "orders", order_id, created_at=datetime(2026, 1, 2, 9, 0, tzinfo=UTC))
    await change_rows(own_shop, "transactions", {"order_id": order_id}, date=datetime(2026, 1, 5, 14, 30, tzinfo=UTC))
    page = (await owner.http.get(f"/orders/{order_id}/receipt")).text
    assert "2026-01-05 17:30" in page
    assert "2026-01-02" not in page


async def test_the_change_of_a_deposit_is_not_given_again(own_shop: Shop, cashier: DashboardClient) -> None:
    order_id = await make_order(own_shop, 3, price="10", paid="12.50")
    await change_rows(own_shop, "transactions", {"order_id": order_id}, tendered_amount=Decimal(50))
    till = await Counter(cashier).open(f"/till?order={order_id}")
    await till.press(method=await _method(own_shop, "card"))
    paid = await till.post("/till/pay")
    page = await cashier.get(paid.headers["location"])
    assert "Paid." in page.text
    assert "Change to give" not in page.text


async def test_the_receipt_is_printed_mailed_or_left_out(own_shop: Shop, cashier: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Oil", "ar": "زيت"}, price="10", stock=9)

    async def sell(customer: UUID | None = None, **fields: str) -> list[str]:
        till = await Counter(cashier).open()
        await till.press(add=str(oil))
        if customer:
            await till.press(customer=str(customer))
        await till.press(go="pay")
        await till.press(method=await method_of(own_shop))
        await till.press(given="50", **fields)
        answers = [await till.post("/till/pay") for _ in range(2)]
        assert {answer.status_code for answer in answers} == {303}
        return [answer.headers["location"] for answer in answers]

    ready, again = await sell(receipt="none")
    assert ready == again
    page = await Counter(cashier).open(ready)
    assert "Change to give: SAR 40.00" in page.text.replace("\u2066", "").replace("\u2069", "")
    await page.press(add=str(oil))
    assert "Change to give" not in page.text
    assert (await sell())[0].startswith("/till?")  # as after the last sale
    asked, _ = await sell(receipt="mail")
    assert re.search(r'name="email"[^>]* autofocus', (await cashier.get(asked)).text)
    customer = await customer_of(own_shop)
    await change_row(own_shop, "customers", customer, email="her@example.com")
    order_id = (await sell(customer, receipt="mail"))[1].split("/")[2]
    sent = await own_shop.sql("SELECT kind, email FROM messages WHERE tenant_id = $1 AND order_id = $2", UUID(order_id))
    assert [tuple(row) for row in sent] == [("receipt", "her@example.com")]


async def test_a_receipt_is_shared_by_an_address_that_cannot_be_guessed(
    own_shop: Shop, cashier: DashboardClient, stranger: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    await cashier.post(f"/orders/{order_id}/receipt/link", {})
    await cashier.post(f"/orders/{order_id}/receipt/link", {})
    (link,) = await own_shop.sql("SELECT id FROM receipt_links WHERE tenant_id = $1 AND order_id = $2", order_id)
    page = (await cashier.get(f"/orders/{order_id}/receipt?size=a4")).text
    assert f"/receipts/{own_shop.tenant_id}/{link['id']}" in page
    assert "/receipt/mail" in page
    shared = await stranger.get(f"/receipts/{own_shop.tenant_id}/{link['id']}?language=ar")
    assert shared.status_code == 200
    assert shared.headers["x-robots-tag"] == "noindex, nofollow"
    assert 'dir="rtl"' in shared.text
    assert "/receipt/mail" not in shared.text
    for wrong in (f"{own_shop.tenant_id}/{order_id}", f"{order_id}/{link['id']}"):
        assert (await stranger.get(f"/receipts/{wrong}")).status_code == 404


async def test_the_receipt_of_an_invoice_has_its_title_seller_and_time(service: Service, other_shop: Shop) -> None:
    """Whatever the business, the branch or the order become later: it is the same invoice, with the same code."""
    shop = await service.new_shop()
    async with await dashboard_of(shop, await make_user(shop, Role.OWNER)) as owner:
        titles = []
        for number in ("310122393500003", None):
            await change_tenant(shop, name="Lamsa", tax_registration_number=number)
            order_id = await make_order(shop, 2, price="10", paid="20")
            await age_rows(shop, "transactions", "date", by=timedelta(days=3), where={"order_id": order_id})
            await owner.post(f"/orders/{order_id}/receipt/invoice", {"id": str(uuid7()), "sure": "yes"})
            back = await shop.key_call(
                "POST", f"/pos/orders/{order_id}/refunds", json={"amount": 10, "reason": "Faded"}
            )
            refund_id = back.json()["data"]["id"]
            await change_tenant(shop, name="Other")
            papers = [(await owner.get(f"/orders/{id_}/receipt")).text for id_ in (order_id, refund_id)]
            (invoice,) = await shop.sql(
                "SELECT invoice_number, left((issued_at AT TIME ZONE 'Asia/Riyadh')::text, 16) AS issued_at "
                "FROM invoices WHERE tenant_id = $1 AND order_id = $2",
                order_id,
            )
            assert invoice["issued_at"] in papers[0]
            assert ["<bdi>Faded</bdi>" in paper for paper in papers] == [False, True]
            for paper in papers:
                assert "<h1><bdi>Lamsa</bdi></h1>" in paper
                assert re.search(rf'<dt>Invoice</dt>\s+<dd><span class="number">{invoice["invoice_number"]}<', paper)
                titles += re.findall('<span lang="en" dir="ltr">([^<]*)</span>', paper)
    assert titles == ["Simplified tax invoice", "Simplified tax credit note", "Invoice", "Credit note"]


async def test_a_receipt_keeps_the_names_that_were_sold(own_shop: Shop, owner: DashboardClient) -> None:
    oil = await make_product(own_shop, {"en": "Argan oil", "ar": "زيت الأرغان"}, price="10", stock=9)
    orders = [await make_order(own_shop, 1, price="10", paid="10") for _ in range(3)]
    for order_id in orders:
        await change_rows(own_shop, "order_lines", {"order_id": order_id}, item_id=oil, name="Argan oil")
    plain, invoiced, late = orders
    issue = {"id": str(uuid7()), "sure": "yes"}
    await owner.post(f"/orders/{invoiced}/receipt/invoice", issue)
    await owner.post("/language", {"language": "ar"})
    assert "زيت الأرغان" in (await owner.get(f"/orders/{plain}/receipt")).text
    await change_row(own_shop, "items", oil, name='{"en": "Rose oil", "ar": "زيت الورد"}')
    await owner.post(f"/orders/{late}/receipt/invoice", {**issue, "id": str(uuid7())})
    for order_id, name in ((plain, "Argan oil"), (invoiced, "زيت الأرغان"), (late, "Argan oil")):
        paper = (await owner.get(f"/orders/{order_id}/receipt")).text
        assert (name in paper, "زيت الورد" in paper) == (True, False)
    for order_id, name in ((invoiced, "زيت الأرغان"), (late, "Argan oil")):
        assert name in (await owner.get(f"/orders/{order_id}/invoice?language=ar")).text


async def test_a_receipt_is_not_mailed_again_and_again(own_shop: Shop, cashier: DashboardClient) -> None:
    orders = [await make_order(own_shop, 1, price="10", paid="10") for _ in range(3)]
    chosen = [*[orders[0]] * 6, *[orders[1]] * 5, orders[2]]
    answers = [
        await cashier.post(f"/orders/{order_id}/receipt/mail", {"email": f"{n}@example.com"})
        for n, order_id in enumerate(chosen)
    ]
    assert [answer.status_code for answer in answers] == [*[303] * 5, 429, *[303] * 5, 429]
    assert "This receipt was mailed several times in the last minute. Try again in" in answers[5].text
    assert "You have mailed many receipts in the last minute. Try again in" in answers[-1].text
    assert len(await own_shop.sql("SELECT FROM messages WHERE tenant_id = $1 AND kind = 'receipt'")) == 10


async def test_a_receipt_in_another_language_leaves_the_interface_as_it_is(
    own_shop: Shop, owner: DashboardClient
) -> None:
    await owner.post("/language", {"language": "en"})
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    plain = (await owner.get(f"/orders/{order_id}/receipt?till=yes")).text
    assert 'action="/language"' not in plain
    (arabic,) = re.findall(r'<a class="button button-bare" href="([^"]+)" lang="ar">', plain)
    page = (await owner.get(f"/orders/{order_id}/receipt{unescape(arabic)}")).text
    before, paper, after = re.split(r"(<article .*?</article>)", page, flags=re.DOTALL)
    assert ('lang="ar" dir="rtl"' in paper, "الإجمالي" in paper) == (True, True)
    assert ("New sale" in before, "Make a link for the customer" in after) == (True, True)
    assert '<html lang="en"' in page
    assert '<html lang="en"' in (await owner.get("/till")).text


async def test_the_code_of_a_receipt_finds_the_sale(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1, price="10", paid="10")
    (row,) = await own_shop.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    page = (await owner.get(f"/orders/{order_id}/receipt")).text
    (code,) = re.findall(r'<div class="code"><svg .*?<span class="number">(\d+)</span></div>', page, re.DOTALL)
    assert code == f"{row['order_number']:06}"  # digits alone: keyboards of all languages type them alike
    found = await owner.get(f"/till/return?receipt={code}")
    assert found.headers["location"] == f"/till/return?order={order_id}"


async def test_cash_for_several_payments_is_one_line(own_shop: Shop, owner: DashboardClient) -> None:
    """On the receipt of the refund, in the drawer and at the close of the day."""
    branch = str(await branch_of(own_shop))
    await owner.post("/drawer/open", {"branch": branch, "id": str(uuid7()), "float": "100"})
    order_id = await make_order(own_shop, 1, price="50")
    till = await Counter(owner).open(f"/till?order={order_id}")
    await till.press(method=await _method(own_shop, "card"))
    await till.press(method=await _method(own_shop, "cash"), amount="30")
    assert (await till.press("/till/pay")).status_code == 303
    sent = {"order": str(order_id), "method": await _method(own_shop, "cash"), "line": await _line(own_shop, order_id)}
    await till.open((await owner.post("/till/return", {**sent, "quantity": "1", "then": "refund"})).headers["location"])
    assert (await till.press("/till/pay")).status_code == 303
    assert re.findall(r"Cash (\S+)", till.text.partition("Total, SAR")[2]) == ["−50.00"]
    (refund,) = await own_shop.sql(
        "SELECT id, order_number FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id
    )
    for path in (f"/drawer?branch={branch}", f"/day-close?branch={branch}"):
        page = (await owner.get(path)).text
        assert page.count(f'href="/orders/{refund["id"]}"') == 1, path
        assert "−50.00" in page
