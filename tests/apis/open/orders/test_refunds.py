"""An application refunds an order, by the act of the order's page."""

from typing import Any

import pytest

from tests.support.branch import BranchFixture, books, day, line, method_of, start
from tests.support.events import record_events
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact

pytestmark = pytest.mark.both_servers


async def _paid(branch: BranchFixture, *lines: Document, amount: float, **more: Any) -> Document:
    payment = {"amount": amount, "payment_method_id": await method_of(branch.shop)}
    placed = await branch.place(*lines, payment=payment, **more)
    return await branch.read(placed["id"])


async def _refund(branch: BranchFixture, order: Document, **body: Any) -> Document:
    answer = await branch.shop.post(f"/orders/{order['id']}/refunds", body)
    child: Document = json_exact(answer, 201)["data"]
    return child


async def _stock(branch: BranchFixture, item_id: object) -> int:
    found: int = json_exact(await branch.shop.get(f"/items/{item_id}"))["data"]["stock"]
    return found


async def test_a_refund_of_lines_is_an_order_of_its_own(own_branch: BranchFixture) -> None:
    cream = await own_branch.add_product(stock=10)
    order = await _paid(own_branch, line(cream, "product", 3), amount=60)
    recorder = await record_events(own_branch.shop)
    lines = [{"line_id": order["items"][0]["line_id"], "quantity": 2}]
    child = await _refund(own_branch, order, lines=lines, restock=True, reason="Torn")
    assert (child["parent_id"], child["total"], child["source"]) == (order["id"], -40, "api")
    assert [entry["amount"] for entry in child["transactions"]] == ["-40.00"]
    assert child == await own_branch.read(child["id"])
    parent = await own_branch.read(order["id"])
    assert (parent["payment_status"], parent["refund_ids"]) == ("partially_refunded", [child["id"]])
    assert await _stock(own_branch, cream) == 9
    assert "item.stock_changed" in await recorder.types()


async def test_an_amount_goes_back_by_another_method(own_branch: BranchFixture) -> None:
    order = await _paid(own_branch, line(await own_branch.add_product(), "product"), amount=20)
    card = await method_of(own_branch.shop, "card")
    child = await _refund(own_branch, order, amount=5, payment_method_id=card)
    assert [entry["payment_method"]["slug"] for entry in child["transactions"]] == ["card"]
    body = {"amount": 15.01}
    refused = assert_error(await own_branch.shop.post(f"/orders/{order['id']}/refunds", body), 422, "validation_error")
    assert refused["details"]["remaining"] == "15.00"


async def test_a_whole_refund_gives_up_the_appointment(own_branch: BranchFixture) -> None:
    cut = await own_branch.add_service()
    await own_branch.add_provider(cut)
    order = await _paid(own_branch, line(cut), amount=100, start=start(day(3), "10:00"))
    child = await _refund(own_branch, order, whole=True, cancel_order=True)
    assert child["total"] == -100
    parent = await own_branch.read(order["id"])
    assert (parent["status"], parent["payment_status"]) == ("canceled", "refunded")
    assert "10:00" in await own_branch.starts(cut, day(3))


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"lines"}),
        ({"amount": 5, "whole": True}, {"amount", "whole"}),
        ({"amount": 5, "restock": True}, {"restock"}),
        ({"whole": True, "cancel_order": True}, {"cancel_order"}),
    ],
)
async def test_a_refund_that_cannot_be_is_refused(branch: BranchFixture, body: Document, fields: set[str]) -> None:
    order = await _paid(branch, line(await branch.add_product(), "product"), amount=20)
    before = await books(branch.shop)
    answer = await branch.shop.post(f"/orders/{order['id']}/refunds", body)
    assert set(assert_error(answer, 422, "validation_error")["errors"]) == fields
    assert await books(branch.shop) == before
