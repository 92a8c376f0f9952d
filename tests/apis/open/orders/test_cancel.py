"""Canceling an order that has an invoice or refunds, which no change of its status can."""

from uuid import UUID

import pytest

from frontdesk.postgres.pool import Connection
from tests.support.acts import issue_invoice
from tests.support.branch import BranchFixture, books, day, line, start
from tests.support.events import record_events
from tests.support.http_errors import assert_error
from tests.support.invariants import broken_invariants
from tests.support.pagination import Document, json_exact

pytestmark = pytest.mark.both_servers

_PAID = {"amount": 140, "payment_method_type": "cash"}
_NOTES = "SELECT total FROM credit_notes WHERE tenant_id = $1 AND order_id = $2"
_REASON = "SELECT cancel_reason ->> 'ar' AS reason, no_show FROM orders WHERE tenant_id = $1 AND id = $2"


async def _booked(branch: BranchFixture) -> Document:
    """A service and two pieces of a product, paid."""
    cut, cream = await branch.add_service(), await branch.add_product()
    await branch.add_provider(cut)
    placed = await branch.place(line(cut), line(cream, "product", 2), start=start(day(3), "10:00"), payment=_PAID)
    return {"cut": cut, "cream": cream, **placed}


async def _refund(branch: BranchFixture, order_id: str, **body: object) -> None:
    json_exact(await branch.shop.post(f"/orders/{order_id}/refunds", body), 201)


async def _cancel(branch: BranchFixture, order_id: str, **body: object) -> Document:
    order: Document = json_exact(await branch.shop.post(f"/orders/{order_id}/cancel", body))["data"]
    return order


async def _refused(branch: BranchFixture, order_id: str, code: str, **body: object) -> Document:
    """And the order and the books are as they were."""
    before = (await books(branch.shop), await branch.read(order_id))
    answer = assert_error(await branch.shop.post(f"/orders/{order_id}/cancel", body), 422, code)
    assert (await books(branch.shop), await branch.read(order_id)) == before
    return answer


async def test_a_fully_refunded_order_is_canceled_and_its_time_is_free(branch: BranchFixture, conn: Connection) -> None:
    order = await _booked(branch)
    await _refund(branch, order["id"], whole=True, restock=True)
    by_status = await branch.shop.post(f"/orders/{order['id']}/status", {"status": "canceled"})
    assert "/cancel" in assert_error(by_status, 422, "invalid_status_transition")["message"]
    events = await record_events(branch.shop)
    canceled = await _cancel(branch, order["id"], note_for_status="Ill", reason="The customer is ill")
    await _cancel(branch, order["id"], reason="The customer has no time")  # again changes nothing
    assert canceled == await branch.read(order["id"])
    assert (canceled["status"], canceled["payment_status"]) == ("canceled", "refunded")
    assert canceled["status_history"][-1]["note"] == "Ill"
    assert "10:00" in await branch.starts(order["cut"], day(3))
    assert await branch.stock(order["cream"]) == 10, "its products are returned once"
    (row,) = await branch.shop.sql(_REASON, UUID(order["id"]))
    assert row["no_show"] is False
    assert row["reason"] not in (None, "The customer is ill")
    assert (await events.types()).count("order.status_changed") == 1
    assert await broken_invariants(conn, branch.shop.tenant_id) == []


async def test_the_rest_of_an_invoice_is_credited(branch: BranchFixture, conn: Connection) -> None:
    order = await _booked(branch)
    await issue_invoice(conn, await branch.shop.tenant(), UUID(order["id"]), None)
    await _refund(branch, order["id"], amount=40)
    assert (await _cancel(branch, order["id"]))["status"] == "canceled"
    notes = await branch.shop.sql(_NOTES, UUID(order["id"]))
    assert [row["total"] for row in notes] == [100]
    assert await broken_invariants(conn, branch.shop.tenant_id) == []


async def test_an_order_without_invoice_and_refunds_is_canceled_too(branch: BranchFixture) -> None:
    cream = await branch.add_product()
    placed = await branch.place(line(cream, "product"))
    assert (await branch.move(placed["id"], "completed"))["status"] == "completed"
    assert (await _cancel(branch, placed["id"], no_show=True))["status"] == "canceled"
    assert await branch.stock(cream) == 10


async def test_a_dry_run_cancels_nothing(branch: BranchFixture) -> None:
    order = await _booked(branch)
    await _refund(branch, order["id"], whole=True)
    tried = await branch.shop.post(f"/orders/{order['id']}/cancel", {}, headers={"frontdesk-dry-run": "true"})
    assert json_exact(tried)["data"]["status"] == "canceled"
    assert (await branch.read(order["id"]))["status"] == "confirmed"


async def test_what_was_performed_or_has_no_appointment_is_refunded_instead(branch: BranchFixture) -> None:
    order = await _booked(branch)
    await _refund(branch, order["id"], amount=1)
    refund_id = (await branch.read(order["id"]))["refund_ids"][0]
    assert "is a refund" in (await _refused(branch, refund_id, "invalid_status_transition"))["message"]
    await branch.move(order["id"], "completed")
    assert "is completed" in (await _refused(branch, order["id"], "invalid_status_transition"))["message"]
    cream = await branch.add_product()
    sold = await branch.place(line(cream, "product"), payment={"amount": 20, "payment_method_type": "cash"})
    await _refund(branch, sold["id"], whole=True)
    assert "no appointment" in (await _refused(branch, sold["id"], "invalid_status_transition"))["message"]


async def test_wrong_reasons_are_answered_with_the_list(branch: BranchFixture) -> None:
    order = await _booked(branch)
    wrong = await _refused(branch, order["id"], "validation_error", reason="Bored")
    assert "The customer is ill, The customer has no time" in wrong["errors"]["reason"][0]
    early = await _refused(branch, order["id"], "validation_error", no_show=True)
    assert list(early["errors"]) == ["no_show"]
