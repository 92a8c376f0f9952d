"""What a receipt says about its payments, and returns that are refused where they are entered."""

from uuid import UUID

from tests.factories.catalog import make_product
from tests.factories.orders import make_order
from tests.support.counter import Counter
from tests.support.dashboard import DashboardClient
from tests.support.shop import Shop


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


async def test_more_than_was_sold_is_refused_at_its_field(salon: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(salon, 2, price="10", paid="20")
    sent = {"order": str(order_id), "method": await _method(salon, "card"), "line": await _line(salon, order_id)}
    refused = await owner.post("/till/return", {**sent, "quantity": "5", "reason": "Broken", "then": "refund"})
    assert refused.status_code == 422
    assert "<h1>Return or exchange</h1>" in refused.text
    assert "Enter a number from 0 to 2: what is not yet refunded." in refused.text
    assert 'value="5"' in refused.text
    assert 'value="Broken"' in refused.text
    assert f'value="{sent["method"]}" selected' in refused.text
    assert 'name="restock" value="yes" checked' not in refused.text
    assert "Take payment" not in refused.text
    unknown = await owner.post("/till/return", {**sent, "quantity": "many", "then": "refund"})
    assert unknown.status_code == 422
    assert 'value="many"' in unknown.text


async def test_parts_paid_at_once_are_no_deposits_and_name_the_cashier(salon: Shop, owner: DashboardClient) -> None:
    order_id = await _coming_order(salon)
    card, cash = await _method(salon, "card"), await _method(salon, "cash")
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
    deposits = await salon.sql(
        "SELECT is_deposit FROM transactions WHERE tenant_id = $1 AND order_id = $2 ORDER BY transaction_no", order_id
    )
    assert [row[0] for row in deposits] == [True, True, False]  # as published


async def test_the_receipt_of_an_exchange_names_what_came_back(salon: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(salon, 2, price="30", paid="60")
    (row,) = await salon.sql("SELECT order_number FROM orders WHERE tenant_id = $1 AND id = $2", order_id)
    other = await make_product(salon, {"en": "Other", "ar": "آخر"}, price="100", stock=5)
    card, cash = await _method(salon, "card"), await _method(salon, "cash")
    back = {"order": str(order_id), "method": card, "line": await _line(salon, order_id), "quantity": "2"}
    answer = await owner.post("/till/return", {**back, "then": "exchange"})
    till = await Counter(owner).open(answer.headers["location"])
    await till.press(add=str(other))
    await till.press(go="pay")
    await till.press(method=cash)
    assert (await till.press("/till/pay")).status_code == 303
    assert f"Returned from order {row['order_number']} 60.00" in till.text
    assert "Cash 40.00" in till.text
    assert "Card" not in till.text


async def test_the_button_says_what_is_left_and_cash_that_is_short(salon: Shop, owner: DashboardClient) -> None:
    item = await make_product(salon, {"en": "Other", "ar": "آخر"}, price="120", stock=5)
    till = await Counter(owner).open()
    assert 'href="/drawer"' in till.page
    assert "The drawer is not open." in till.text
    await till.press(add=str(item))
    await till.press(go="pay")
    await till.press(method=await _method(salon, "cash"))
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


async def test_the_receipt_of_a_booking_says_when_it_was_paid(salon: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(salon, 1, price="10", paid="10")
    await salon.sql(
        "UPDATE orders SET created_at = '2026-01-02T09:00Z' WHERE tenant_id = $1 AND id = $2 RETURNING id", order_id
    )
    await salon.sql(
        "UPDATE transactions SET date = '2026-01-05T14:30Z' WHERE tenant_id = $1 AND order_id = $2 RETURNING id",
        order_id,
    )
    page = (await owner.http.get(f"/orders/{order_id}/receipt")).text
    assert "2026-01-05 17:30" in page
    assert "2026-01-02" not in page
