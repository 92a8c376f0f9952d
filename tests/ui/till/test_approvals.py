"""What a role may not do at the till is allowed on the spot by the PIN of an owner or a manager: once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.catalog import make_product
from tests.factories.changes import change_rows
from tests.factories.orders import make_order
from tests.factories.users import change_user, make_user, owner_of
from tests.support.branch import method_of
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.pages.counter import Counter
from tests.support.shop import Shop

PIN = "2749"


@pytest.fixture
async def cashier(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER, name="Huda")) as desk:
        yield desk


@pytest.fixture
async def approver(own_shop: Shop, owner: DashboardClient) -> str:
    answer = await owner.post("/settings/account/pin", {"pin": PIN})
    assert answer.status_code == 303, answer.text
    return str(await owner_of(own_shop))


async def _oil(shop: Shop) -> str:
    return str(await make_product(shop, {"en": "Oil", "ar": "زيت"}, price="100", stock=20))


async def _entries(shop: Shop, action: str) -> list[dict[str, Any]]:
    rows = await shop.sql(
        "SELECT actor_id, approved_by, approval_reason FROM activity WHERE tenant_id = $1 AND action = $2", action
    )
    return [dict(row) for row in rows]


async def _pay(till: Counter, shop: Shop) -> int:
    await till.press(go="pay")
    await till.press(method=await method_of(shop))
    return (await till.press("/till/pay")).status_code


@pytest.mark.parametrize("pin", ["123", "123456789", "12a4", "4321", "7777", "1212", "1987"])
async def test_a_pin_is_digits_that_are_not_guessed_first(own_shop: Shop, owner: DashboardClient, pin: str) -> None:
    assert (await owner.post("/settings/account/pin", {"pin": pin})).status_code == 422


async def test_a_discount_above_the_limit_is_allowed_for_one_cart(
    own_shop: Shop, owner: DashboardClient, cashier: DashboardClient, approver: str
) -> None:
    oil = await _oil(own_shop)
    till = await Counter(cashier).open()
    await till.press(add=oil)
    await till.press(discount="30", discount_kind="percentage")
    assert till.status == 422
    assert till.total == 100, "the last good total stays"
    assert "Allow this discount" in till.text
    await till.press("/till/approve", approver=approver, pin="90210817", reason="complaint")
    assert "Wrong PIN. Tries left before a pause: 4." in till.text
    assert "90210817" not in till.page
    await till.press("/till/approve", approver=approver, pin="٢٧٤٩", reason="complaint")
    assert till.total == 70
    allowed = till.url
    await till.press(discount="31", discount_kind="percentage")
    assert till.status == 422, "more than was allowed"
    await till.open(allowed)
    assert await _pay(till, own_shop) == 303
    (entry,) = [row for row in await _entries(own_shop, "order.created") if row["approved_by"]]
    assert (str(entry["approved_by"]), entry["approval_reason"]) == (approver, "complaint")
    assert "allowed by" in (await owner.get("/activity")).text
    assert (await _entries(own_shop, "member.pin_refused"))[0]["actor_id"] == entry["actor_id"]
    again = await Counter(cashier).open(allowed)
    assert "This sale was already taken." in again.text
    other = await Counter(cashier).open(allowed.replace(f"sale={_sale(allowed)}", f"sale={uuid7()}"))
    assert (other.status, "Allow this discount" in other.text) == (422, True), "of another cart"
    assert (await cashier.get("/settings/members")).status_code == 403, "nothing else is allowed"


def _sale(url: str) -> str:
    return url.split("sale=")[1].split("&", maxsplit=1)[0]


async def test_an_approval_is_of_one_user_and_ends_with_the_role(
    own_shop: Shop, cashier: DashboardClient, owner: DashboardClient
) -> None:
    manager = await make_user(own_shop, Role.MANAGER, name="Samira")
    async with await dashboard_of(own_shop, manager) as desk:
        await desk.post("/settings/account/pin", {"pin": PIN})
    oil = await _oil(own_shop)
    till = await Counter(cashier).open()
    await till.press(add=oil)
    await till.press(open="0")
    await till.press(price="40")
    assert "Allow this price" in till.text
    await till.press("/till/approve", approver=str(manager), pin=PIN)
    assert till.total == 40
    sale = UUID(_sale(till.url))
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.CASHIER)) as other:
        assert (await Counter(other).open(till.url)).status == 422
    await till.press(go="pay")
    await till.press(method=await method_of(own_shop))
    await owner.post(f"/settings/members/{manager}/remove", {"sure": "yes"})
    assert (await till.press("/till/pay")).status_code == 422
    assert await own_shop.sql("SELECT FROM orders WHERE tenant_id = $1 AND id = $2", sale) == []


async def test_tries_at_the_same_time_cannot_exceed_the_limits(
    own_shop: Shop, cashier: DashboardClient, approver: str
) -> None:
    sent = {"approver": approver, "reason": "Because", "id": str(uuid7())}
    order_id = await _sell(own_shop, cashier)
    await change_user(own_shop, UUID(approver), pin_failures=3)
    answers = await asyncio.gather(
        *(cashier.post(f"/orders/{order_id}/void", {**sent, "pin": f"38{n}7"}) for n in range(6))
    )
    assert sum("Tries left before a pause: 1." in answer.text for answer in answers) == 1
    assert len(await _entries(own_shop, "member.pin_refused")) == 2, "then a pause, also for the right one"
    paused = await cashier.post(f"/orders/{order_id}/void", {**sent, "pin": PIN})
    assert "Too many wrong PINs." in paused.text
    earlier = datetime.now(UTC) - timedelta(minutes=6)
    await change_user(own_shop, UUID(approver), pin_failures=9, pin_tried_at=earlier)
    locked = await cashier.post(f"/orders/{order_id}/void", {**sent, "pin": "3817"})
    assert "no longer works" in locked.text
    assert approver not in (await cashier.get(f"/orders/{order_id}/receipt")).text
    assert await own_shop.sql("SELECT FROM refunds WHERE tenant_id = $1 AND order_id = $2", order_id) == []


async def _sell(shop: Shop, desk: DashboardClient) -> UUID:
    till = await Counter(desk).open()
    await till.press(add=await _oil(shop))
    assert await _pay(till, shop) == 303
    rows = await shop.sql("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY order_number DESC LIMIT 1")
    order_id: UUID = rows[0]["id"]
    return order_id


async def test_the_last_sale_is_voided_once_within_minutes(
    own_shop: Shop, cashier: DashboardClient, approver: str
) -> None:
    first = await _sell(own_shop, cashier)
    second = await _sell(own_shop, cashier)
    assert "Void this sale" not in (await cashier.get(f"/orders/{first}/receipt")).text
    sent = {"approver": approver, "pin": PIN, "reason": "Wrong size"}
    assert "Only the last sale" in (await cashier.post(f"/orders/{first}/void", {**sent, "id": str(uuid7())})).text
    assert (await cashier.post(f"/orders/{second}/void", {"id": str(uuid7()), "reason": "x"})).status_code == 422
    once = {**sent, "id": str(uuid7())}
    answers = await asyncio.gather(*(cashier.post(f"/orders/{second}/void", once) for _ in range(3)))
    assert {answer.status_code for answer in answers} <= {303, 409, 422}
    assert 303 in {answer.status_code for answer in answers}
    more = await cashier.post(f"/orders/{second}/void", {**sent, "id": str(uuid7())})
    assert more.status_code == 422
    refunds = await own_shop.sql("SELECT amount FROM refunds WHERE tenant_id = $1 AND order_id = $2", second)
    assert [row["amount"] for row in refunds] == [100]
    assert {str(row["approved_by"]) for row in await _entries(own_shop, "order.refunded")} == {approver}
    third = await _sell(own_shop, cashier)
    await change_rows(own_shop, "orders", created_at=datetime.now(UTC) - timedelta(minutes=16))
    late = await cashier.post(f"/orders/{third}/void", {**sent, "id": str(uuid7())})
    assert "for 15 minutes" in late.text


async def test_a_return_is_allowed_before_the_money_goes_back(
    own_shop: Shop, cashier: DashboardClient, approver: str
) -> None:
    order_id = await make_order(own_shop, 2, price="10", paid="20")
    (line,) = await own_shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id)
    back = {"order": str(order_id), "method": await method_of(own_shop), "line": str(line["id"]), "quantity": "1"}
    answer = await cashier.post("/till/return", {**back, "then": "refund"})
    till = await Counter(cashier).open(answer.headers["location"])
    assert "Allow this return" in till.text
    assert (await till.post("/till/pay")).status_code == 422
    await till.press("/till/approve", approver=approver, pin=PIN)
    assert "Allow this return" not in till.text
    assert (await till.press("/till/pay")).status_code == 303
    (entry,) = await _entries(own_shop, "order.refunded")
    assert str(entry["approved_by"]) == approver
