"""A booking at the till is a cart like any other: what is added, taken off and paid is one act."""

import asyncio
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.users import make_user, owner_of
from tests.support.branch import BranchFixture, day, line, method_of, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.counter import Counter
from tests.support.shop import Shop


@pytest.fixture
async def room(own_shop: Shop) -> BranchFixture:
    return await open_branch(own_shop)


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER, name="Huda")) as desk:
        yield desk


async def _booking(room: BranchFixture, **more: Any) -> UUID:
    service = await room.add_service(price="200")
    await room.add_provider(service)
    placed = await room.place(line(service), start=start(day(2), "10:00"), **more)
    return UUID(placed["id"])


async def _oil(room: BranchFixture) -> str:
    return str(await room.add_product(price="100", stock=5))


async def _order(shop: Shop, order_id: UUID) -> dict[str, Any]:
    (row,) = await shop.sql(
        """
        SELECT o.total, o.discount_amount, o.paid_amount, o.version, o.starts_at,
            (SELECT count(*) FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id) AS lines,
            (SELECT count(*) FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = o.id) AS bookings,
            (SELECT coalesce(sum(t.amount), 0) FROM tips t WHERE t.tenant_id = $1 AND t.order_id = o.id) AS tips
        FROM orders o WHERE o.tenant_id = $1 AND o.id = $2
        """,
        order_id,
    )
    return dict(row)


async def test_a_booking_is_changed_and_paid_on_one_page(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient
) -> None:
    order_id, oil = await _booking(room), await _oil(room)
    till = await Counter(cashier).open(f"/till?order={order_id}")
    assert till.total == 200
    assert "How is it paid?" in till.text
    await till.press(add=oil)
    await till.press(more="1")
    assert till.total == 400
    await till.press(discount="10", discount_kind="percentage")
    assert till.total == 360
    await till.press(tip="15")
    await till.press(method=await method_of(own_shop))
    before = await _order(own_shop, order_id)
    assert (before["total"], before["paid_amount"]) == (200, 0), "nothing is written before the payment"
    assert (await till.press("/till/pay")).status_code == 303
    after = await _order(own_shop, order_id)
    assert (after["total"], after["discount_amount"], after["paid_amount"], after["tips"]) == (360, 40, 360, 15)
    assert (after["lines"], after["bookings"], after["starts_at"]) == (2, 1, before["starts_at"])
    assert "360.00" in till.text
    again = await Counter(cashier).open(f"/till?order={order_id}")
    assert "This order is paid." in again.text


async def test_an_unchanged_booking_is_only_paid_and_the_rest_stays_open(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient
) -> None:
    order_id = await _booking(room)
    till = await Counter(cashier).open(f"/till?order={order_id}")
    await room.move(order_id, "completed")
    await till.press(method=await method_of(own_shop))
    await till.press(amount=["50"])
    assert "Finish, 150.00 left to pay" in till.text
    assert (await till.press("/till/pay")).status_code == 303
    edits = "SELECT FROM activity WHERE tenant_id = $1 AND subject_id = $2 AND action = 'order.edited'"
    assert await own_shop.sql(edits, order_id) == []
    assert (await _order(own_shop, order_id))["paid_amount"] == 50


async def test_a_booking_has_the_discount_limit_of_a_sale(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient, owner: DashboardClient
) -> None:
    order_id = await _booking(room)
    await owner.post("/settings/account/pin", {"pin": "2749"})
    till = await Counter(cashier).open(f"/till?order={order_id}")
    await till.press(discount="20", discount_kind="percentage")
    assert till.total == 160
    await till.press(discount="50", discount_kind="percentage")
    assert till.status == 422
    assert till.total == 160
    await till.press("/till/approve", approver=str(await owner_of(own_shop)), pin="2749")
    assert till.total == 100
    await till.press(method=await method_of(own_shop))
    assert (await till.press("/till/pay")).status_code == 303
    (entry,) = await own_shop.sql(
        "SELECT approved_by FROM activity WHERE tenant_id = $1 AND subject_id = $2 AND action = 'order.edited'",
        order_id,
    )
    assert entry["approved_by"] == await owner_of(own_shop)
    assert (await _order(own_shop, order_id))["total"] == 100


async def test_two_tills_take_the_payment_of_a_booking_once(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient
) -> None:
    order_id, oil = await _booking(room), await _oil(room)
    tills = [await Counter(cashier).open(f"/till?order={order_id}") for _ in range(3)]
    for till in tills:
        await till.press(add=oil)
        await till.press(method=await method_of(own_shop))
    answers = await asyncio.gather(*(till.post("/till/pay") for till in tills))
    assert all(answer.status_code in (303, 422) for answer in answers)
    after = await _order(own_shop, order_id)
    assert (after["total"], after["paid_amount"], after["lines"]) == (300, 300, 2)
    paid = await own_shop.sql("SELECT amount FROM transactions WHERE tenant_id = $1 AND order_id = $2", order_id)
    assert [row["amount"] for row in paid] == [300]


async def test_an_order_that_was_changed_elsewhere_is_shown_again(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient, owner: DashboardClient
) -> None:
    order_id, oil = await _booking(room), await _oil(room)
    till = await Counter(cashier).open(f"/till?order={order_id}")
    await till.press(add=oil)
    await till.press(method=await method_of(own_shop))
    other = await Counter(owner).open(f"/till?order={order_id}")
    await other.press(discount="100", discount_kind="fixed")
    await other.press(method=await method_of(own_shop))
    await other.press(amount=["20"])
    assert (await other.press("/till/pay")).status_code == 303
    assert (await till.press("/till/pay")).status_code == 422, "what is left to pay is another sum"
    await till.press("/till/pay")
    assert "This order was changed meanwhile." in till.text
    assert till.total == 100
    after = await _order(own_shop, order_id)
    assert (after["total"], after["paid_amount"], after["lines"]) == (Decimal(100), Decimal(20), 1)


async def test_a_damaged_cart_of_an_order_is_refused(
    own_shop: Shop, room: BranchFixture, cashier: DashboardClient
) -> None:
    order_id, oil = await _booking(room), await _oil(room)
    forged = f"/till?order={order_id}&version=1&step=pay&cart={oil}~1~l{uuid7()}"
    assert (await Counter(cashier).open(forged)).status == 422
