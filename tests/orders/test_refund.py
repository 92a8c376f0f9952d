"""Refunds give back exactly what was paid, in whatever steps, and leave books that add up."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from tests.support.acts import refund_order
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

SYSTEM = Actor("system", None)


@pytest.fixture
async def own_shop(service: Service, other_shop: Shop) -> Shop:
    return await service.new_shop()


async def sell(shop: Shop, *, quantity: int, discount: float, pay: list[float]) -> dict[str, Any]:
    """A sale of one product, paid in parts, as the Open API shows it."""
    product = (await shop.get("/items?type=product")).json()["data"][0]
    branch, customer = await shop.first("/branches"), await unblocked_customer(shop)
    line = {
        "id": product["id"],
        "type": "product",
        "quantity": quantity,
        "unit_amount": 10,
        "discount_amount": discount,
    }
    placed = await shop.post("/orders", {"team_id": branch["id"], "customer_id": customer["id"], "items": [line]})
    assert placed.status_code == 201, placed.text
    order_id = placed.json()["data"]["id"]
    methods = (await shop.get("/payment-methods")).json()["data"]
    for part, amount in enumerate(pay):
        paid = await shop.post(
            f"/orders/{order_id}/payments", {"amount": amount, "payment_method_id": methods[part % 2]["id"]}
        )
        assert paid.status_code == 201, paid.text
    return await read(shop, order_id)


async def unblocked_customer(shop: Shop) -> dict[str, Any]:
    for customer in (await shop.get("/customers")).json()["data"]:
        detail: dict[str, Any] = (await shop.get(f"/customers/{customer['id']}")).json()["data"]
        if not detail["blocked"]:
            return detail
    raise AssertionError("every customer is blocked")


async def read(shop: Shop, order_id: str | UUID) -> dict[str, Any]:
    order: dict[str, Any] = (await shop.get(f"/orders/{order_id}")).json()["data"]
    return order


async def line_ids(shop: Shop, order_id: str) -> list[UUID]:
    rows = await shop.sql(
        "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position", UUID(order_id)
    )
    return [row["id"] for row in rows]


async def test_a_sale_refunded_in_three_steps_gives_back_every_minor_unit(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=3, discount=0.01, pay=[20, 9.99])
    business, (line,) = await own_shop.tenant(), await line_ids(own_shop, sale["id"])
    children = []
    for _ in range(3):
        child_id = await refund_order(conn, business, UUID(sale["id"]), RefundRequest({line: 1}, restock=False), SYSTEM)
        children.append(await read(own_shop, child_id))
    after = await read(own_shop, sale["id"])
    assert sum(Decimal(str(child["total"])) for child in children) == Decimal("-29.99")
    assert (after["payment_status"], after["refunded_amount"]) == ("refunded", 29.99)
    assert after["refund_ids"] == [child["id"] for child in children]
    assert all(child["parent_id"] == sale["id"] and child["status"] == "completed" for child in children)
    assert {t["status"] for t in after["transactions"]} == {"refunded"}


async def test_the_confirmed_amounts_are_what_the_business_really_took(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=2, discount=0, pay=[12, 8])
    business, (line,) = await own_shop.tenant(), await line_ids(own_shop, sale["id"])
    child_id = await refund_order(conn, business, UUID(sale["id"]), RefundRequest({line: 1}, restock=False), SYSTEM)
    child, after = await read(own_shop, child_id), await read(own_shop, sale["id"])
    confirmed = [t for t in (*after["transactions"], *child["transactions"]) if t["status"] == "confirmed"]
    assert sum(Decimal(t["amount"]) for t in confirmed) == Decimal("10.00")
    assert after["payment_status"] == "partially_refunded"
    assert child["items"][0]["quantity"] == -1


async def test_a_refund_is_never_more_than_was_paid(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=3, discount=0, pay=[10])
    before = await own_shop.sql("SELECT value FROM tenant_counters WHERE tenant_id = $1 ORDER BY name")
    request = RefundRequest(amount=Decimal("10.01"))
    with pytest.raises(Problem, match=r"ABOVE_REMAINING .*10\.00"):
        await refund_order(conn, await own_shop.tenant(), UUID(sale["id"]), request, SYSTEM)
    assert await own_shop.sql("SELECT value FROM tenant_counters WHERE tenant_id = $1 ORDER BY name") == before
    assert (await read(own_shop, sale["id"]))["refund_ids"] == []


async def test_nothing_is_refunded_twice(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=1, discount=0, pay=[10])
    business = await own_shop.tenant()
    await refund_order(conn, business, UUID(sale["id"]), RefundRequest(None, restock=False), SYSTEM)
    with pytest.raises(Problem, match="NOTHING_LEFT"):
        await refund_order(conn, business, UUID(sale["id"]), RefundRequest(None, restock=False), SYSTEM)


async def test_a_refund_restocks_only_if_requested(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=4, discount=0, pay=[40])
    item, business = sale["items"][0]["id"], await own_shop.tenant()
    (line,) = await line_ids(own_shop, sale["id"])
    sold = (await own_shop.get(f"/items/{item}")).json()["data"]["stock"]
    await refund_order(conn, business, UUID(sale["id"]), RefundRequest({line: 1}, restock=False), SYSTEM)
    assert (await own_shop.get(f"/items/{item}")).json()["data"]["stock"] == sold
    await refund_order(conn, business, UUID(sale["id"]), RefundRequest({line: 3}, restock=True), SYSTEM)
    assert (await own_shop.get(f"/items/{item}")).json()["data"]["stock"] == sold + 3


async def test_a_refunded_sale_can_no_longer_be_canceled(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=1, discount=0, pay=[10])
    child_id = await refund_order(
        conn, await own_shop.tenant(), UUID(sale["id"]), RefundRequest(None, restock=False), SYSTEM
    )
    for order_id in (sale["id"], child_id):
        refused = await own_shop.post(f"/orders/{order_id}/status", {"status": "canceled"})
        assert (refused.status_code, refused.json()["error"]) == (422, "invalid_status_transition")


async def test_a_line_of_another_order_is_not_refunded(own_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=1, discount=0, pay=[10])
    other = await sell(own_shop, quantity=1, discount=0, pay=[10])
    (foreign,) = await line_ids(own_shop, other["id"])
    with pytest.raises(Problem, match="UNKNOWN_LINE"):
        await refund_order(
            conn, await own_shop.tenant(), UUID(sale["id"]), RefundRequest({foreign: 1}, restock=False), SYSTEM
        )


async def test_another_business_cannot_refund_the_order(own_shop: Shop, other_shop: Shop, conn: Connection) -> None:
    sale = await sell(own_shop, quantity=1, discount=0, pay=[10])
    with pytest.raises(Problem, match="NOT_FOUND"):
        await refund_order(
            conn, await other_shop.tenant(), UUID(sale["id"]), RefundRequest(None, restock=False), SYSTEM
        )
