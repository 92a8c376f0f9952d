"""Moving an order from one status to another, with what that frees and takes."""

import asyncio
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection, connect
from frontdesk.values.actor import Actor
from tests.factories.changes import change_row, change_rows, change_tenant
from tests.factories.states import turn_into_draft
from tests.support.acts import issue_invoice, refund_order
from tests.support.branch import BranchFixture, books, day, line, local, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.service import served_patiently
from tests.support.shop import Shop
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers

STATUSES = ("confirmed", "in-progress", "completed", "canceled")
SYSTEM = Actor("system", None)
WAITING = """SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND $1::uuid IS NOT NULL"""


async def _sale(branch: BranchFixture, at: str = "10:00", **more: Any) -> Document:
    """A service at this time and two pieces of a product, of which there are ten."""
    cut, cream = await branch.add_service(), await branch.add_product()
    await branch.add_provider(cut)
    return {
        "cut": cut,
        "cream": cream,
        **await branch.place(line(cut), line(cream, "product", 2), start=start(day(3), at), **more),
    }


async def _refusal(branch: BranchFixture, order_id: str, status: str, code: str) -> Document:
    """Refused, and the order and the books are as they were."""
    before = (await books(branch.shop), await branch.read(order_id))
    answer = assert_error(await branch.shop.post(f"/orders/{order_id}/status", {"status": status}), 422, code)
    assert (await books(branch.shop), await branch.read(order_id)) == before
    return answer


async def _paid_sale(branch: BranchFixture) -> Document:
    return await _sale(branch, payment={"amount": 140, "payment_method_type": "cash"})


async def _invoice(branch: BranchFixture, conn: Connection, order_id: str) -> None:
    await issue_invoice(conn, await branch.shop.tenant(), UUID(order_id), None)


async def _refund(branch: BranchFixture, conn: Connection, order_id: str) -> str:
    business = await branch.shop.tenant()
    return str(await refund_order(conn, business, UUID(order_id), RefundRequest(amount=Decimal(1)), SYSTEM))


# Moves


@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
async def test_any_status_may_follow_any_other(branch: BranchFixture, before: str, after: str) -> None:
    order = await _sale(branch)
    await branch.move(order["id"], before)
    moved = await branch.move(order["id"], after)
    assert moved["status"] == after
    assert [booking["status"] for booking in moved["bookings"]] == [after]
    assert moved == await branch.read(order["id"])
    slot_is_taken = "10:00" not in await branch.starts(order["cut"], day(3))
    assert (slot_is_taken, await branch.stock(order["cream"])) == ((False, 10) if after == "canceled" else (True, 8))


async def test_the_same_status_again_changes_nothing(branch: BranchFixture) -> None:
    order = await _sale(branch)
    for status in STATUSES:
        moved = await branch.move(order["id"], status)
        before = await books(branch.shop)
        assert await branch.move(order["id"], status, note_for_status="Once more") == moved
        assert await books(branch.shop) == before


async def test_the_same_status_is_no_error_even_where_the_move_would_be(
    branch: BranchFixture, conn: Connection
) -> None:
    """An order that was canceled before it got an invoice or a refund by other ways."""
    order = await _paid_sale(branch)
    await _refund(branch, conn, order["id"])
    await _invoice(branch, conn, order["id"])
    await change_row(branch.shop, "orders", UUID(order["id"]), status="canceled")
    assert (await branch.move(order["id"], "canceled"))["status"] == "canceled"


async def test_every_change_is_kept_with_who_when_and_note(branch: BranchFixture) -> None:
    order = await _sale(branch)
    await branch.move(order["id"], "in-progress", note_for_status="  Came early ")
    detail = await branch.move(order["id"], "completed", note_for_status=None)
    (client,) = await branch.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
    by = {"type": "app", "id": str(client["id"])}
    unmoved = {"previous_start": None, "new_start": None}
    times = [change.pop("created_at") for change in detail["status_history"]]
    assert detail["status_history"] == [
        {"from": None, "to": "confirmed", "note": None, **unmoved, "changed_by": by},
        {"from": "confirmed", "to": "in-progress", "note": "Came early", **unmoved, "changed_by": by},
        {"from": "in-progress", "to": "completed", "note": None, **unmoved, "changed_by": by},
    ]
    assert times == sorted(times)
    assert (times[0], times[-1]) == (detail["created_at"], detail["updated_at"])
    assert datetime.fromisoformat(times[0]) < datetime.fromisoformat(times[1])


# Cancel and come back


async def test_canceling_frees_the_slot_and_the_stock_for_others(branch: BranchFixture) -> None:
    order = await _sale(branch)
    await branch.move(order["id"], "canceled")
    again = await branch.place(line(order["cut"]), line(order["cream"], "product", 10), start=start(day(3), "10:00"))
    assert again["status"] == "confirmed"


async def test_a_package_gives_back_what_it_took_whatever_it_holds_today(branch: BranchFixture) -> None:
    cream, soap = await branch.add_product(), await branch.add_product()
    package = await branch.add_package({cream: 3})
    order = await branch.place(line(package, "package", 2))
    await change_rows(branch.shop, "package_items", {"package_id": package}, item_id=soap, quantity=1)
    await branch.move(order["id"], "canceled")
    assert (await branch.stock(cream), await branch.stock(soap)) == (10, 10)
    await branch.move(order["id"], "confirmed")
    assert (await branch.stock(cream), await branch.stock(soap)) == (4, 10)


async def test_a_canceled_order_does_not_come_back_when_its_time_was_taken(branch: BranchFixture) -> None:
    order = await _sale(branch)
    await branch.move(order["id"], "canceled")
    await branch.place(line(order["cut"]), start=start(day(3), "10:15"))
    for status in ("confirmed", "in-progress", "completed"):
        answer = await _refusal(branch, order["id"], status, "timeslot_unavailable")
        assert answer["details"]["reason"] == "booked"
        assert len(answer["details"]["alternatives"]) == 3


async def _hours(branch: BranchFixture, staff_id: UUID) -> str:
    await branch.set_hours({n: [("12:00", "17:00")] for n in range(7)}, staff_id=staff_id)
    return "outside_working_hours"


async def _time_off(branch: BranchFixture, staff_id: UUID) -> str:
    await branch.take_off(staff_id, local(day(3), "09:30"), local(day(3), "10:30"))
    return "time_off"


async def _closed(branch: BranchFixture, staff_id: UUID) -> str:
    await branch.close(day(3))
    return "outside_working_hours"


@pytest.mark.parametrize("change", [_hours, _time_off, _closed])
async def test_an_order_comes_back_only_where_a_new_one_could_be_booked(branch: BranchFixture, change: Any) -> None:
    cut = await branch.add_service(duration=60)
    staff_id = await branch.add_provider(cut)
    order = await branch.place(line(cut, staff_id=staff_id), start=start(day(3), "10:00"))
    await branch.move(order["id"], "canceled")
    reason = await change(branch, staff_id)
    before = await books(branch.shop)
    for status in ("confirmed", "in-progress", "completed"):
        answer = await _refusal(branch, order["id"], status, "timeslot_unavailable")
        assert answer["details"]["reason"] == reason
        assert [one["staff_id"] for one in answer["details"]["alternatives"]] == [str(staff_id)] * 3
    assert await books(branch.shop) == before


@pytest.mark.parametrize(
    ("table", "change", "error"),
    [
        ("items", {"status": False}, "requires items that are for sale"),
        ("customers", {"blocked": True}, "requires a customer who is not blocked"),
    ],
)
@pytest.mark.parametrize("was", ["canceled", "draft"])
async def test_an_order_comes_back_only_with_what_is_for_sale_and_who_may_book(
    branch: BranchFixture, table: str, change: dict[str, bool], error: str, was: str
) -> None:
    cut = await branch.add_service(duration=60)
    await branch.add_provider(cut)
    order = await branch.place(line(cut), start=start(day(3), "10:00"))
    if was == "canceled":
        await branch.move(order["id"], "canceled")
    else:
        await turn_into_draft(branch, order["id"])
    await change_row(branch.shop, table, cut if table == "items" else branch.customer_id, **change)
    answer = await _refusal(branch, order["id"], "confirmed", "validation_error")
    assert answer["errors"] == {"status": [error]}


async def test_an_order_comes_back_at_its_own_time(branch: BranchFixture) -> None:
    """Also where the grid has changed since: the appointment had its time before."""
    cut = await branch.add_service(duration=30)
    staff_id = await branch.add_provider(cut)
    order = await branch.place(line(cut, staff_id=staff_id), start=start(day(3), "10:15"))
    await branch.move(order["id"], "canceled")
    await change_tenant(branch.shop, grid_minutes=60)
    try:
        (booking,) = (await branch.move(order["id"], "confirmed"))["bookings"]
    finally:
        await change_tenant(branch.shop, grid_minutes=15)
    assert (booking["start"][11:16], booking["end"][11:16], booking["staff_id"]) == ("10:15", "10:45", str(staff_id))


async def test_a_canceled_order_does_not_come_back_to_a_provider_who_has_left(branch: BranchFixture) -> None:
    cut = await branch.add_service(duration=60)
    staff_id = await branch.add_provider(cut)
    order = await branch.place(line(cut), start=start(day(3), "10:00"))
    await branch.move(order["id"], "canceled")
    await change_row(branch.shop, "staff", staff_id, active=False)
    answer = await _refusal(branch, order["id"], "confirmed", "timeslot_unavailable")
    assert answer["details"]["reason"] == "outside_working_hours"


async def test_a_canceled_order_does_not_come_back_when_its_goods_were_sold(branch: BranchFixture) -> None:
    order = await _sale(branch)
    await branch.move(order["id"], "canceled")
    await branch.place(line(order["cream"], "product", 9))
    answer = await _refusal(branch, order["id"], "confirmed", "validation_error")
    assert answer["errors"] == {"status": ["requires products that are no longer in stock"]}
    assert "10:00" in await branch.starts(order["cut"], day(3))


async def test_a_past_order_can_be_canceled_and_restored(busy_shop: Shop, branch: BranchFixture) -> None:
    (past,) = await busy_shop.sql(
        """
        SELECT o.id FROM orders o JOIN bookings b ON b.tenant_id = $1 AND b.order_id = o.id AND b.is_active
        WHERE o.tenant_id = $1 AND upper(b.during) < now() AND o.status = 'completed' AND NOT EXISTS (
            SELECT FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id)
        AND NOT EXISTS (SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id)
        ORDER BY o.order_number LIMIT 1
        """
    )
    await branch.move(past["id"], "canceled")
    assert (await branch.move(past["id"], "completed"))["status"] == "completed"


async def test_ten_cancellations_at_once_give_back_once(branch: BranchFixture) -> None:
    order = await _sale(branch)
    await asyncio.gather(*(branch.move(order["id"], "canceled") for _ in range(10)))
    assert await branch.stock(order["cream"]) == 10
    assert len((await branch.read(order["id"]))["status_history"]) == 2


# Invoices and refunds


async def test_an_order_with_an_invoice_cannot_be_canceled(branch: BranchFixture, conn: Connection) -> None:
    order = await _sale(branch)
    await _invoice(branch, conn, order["id"])
    await _refusal(branch, order["id"], "canceled", "order_has_invoice")
    assert (await branch.move(order["id"], "completed"))["status"] == "completed"


async def test_an_order_with_a_refund_cannot_be_canceled_and_neither_can_the_refund(
    branch: BranchFixture, conn: Connection
) -> None:
    order = await _paid_sale(branch)
    child = await _refund(branch, conn, order["id"])
    await _refusal(branch, order["id"], "canceled", "invalid_status_transition")
    await _refusal(branch, child, "canceled", "invalid_status_transition")
    assert (await branch.move(order["id"], "completed"))["status"] == "completed"


async def test_a_cancellation_reports_the_invoice_before_the_refund(branch: BranchFixture, conn: Connection) -> None:
    order = await _paid_sale(branch)
    await _refund(branch, conn, order["id"])
    await _invoice(branch, conn, order["id"])
    await _refusal(branch, order["id"], "canceled", "order_has_invoice")


@pytest.mark.parametrize(("act", "code"), [(_invoice, "order_has_invoice"), (_refund, "invalid_status_transition")])
async def test_a_cancellation_that_waited_for_an_invoice_or_refund_sees_it(
    branch: BranchFixture, act: Any, code: str
) -> None:
    order = await _paid_sale(branch)
    raw = await connect(branch.shop.dsn)
    try:
        async with served_patiently(branch.shop) as patient:
            transaction = raw.transaction()
            await transaction.start()
            await act(branch, Connection(raw), order["id"])
            canceling = asyncio.create_task(patient.post(f"/orders/{order['id']}/status", {"status": "canceled"}))
            await eventually(lambda: branch.shop.sql(WAITING))
            await transaction.commit()
            assert_error(await canceling, 422, code)
    finally:
        await raw.close()
    assert (await branch.read(order["id"]))["status"] == "confirmed"


# Refusals


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"status": ["is required"]}),
        ({"status": None}, {"status": ["must be one of confirmed, in-progress, completed, canceled"]}),
        ({"status": "draft"}, {"status": ["must be one of confirmed, in-progress, completed, canceled"]}),
        ({"status": "cancelled"}, {"status": ["must be one of confirmed, in-progress, completed, canceled"]}),
        ({"status": "in_progress"}, {"status": ["must be one of confirmed, in-progress, completed, canceled"]}),
        ({"status": "Completed"}, {"status": ["must be one of confirmed, in-progress, completed, canceled"]}),
        ({"status": "completed", "note_for_status": 1}, {"note_for_status": ["must be a string"]}),
        (
            {"status": "completed", "note_for_status": "x" * 5001},
            {"note_for_status": ["must have at most 5000 characters"]},
        ),
    ],
)
async def test_a_wrong_status_is_refused_at_its_field(
    branch: BranchFixture, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    order = await branch.place(line(await branch.add_product(), "product"))
    answer = assert_error(await branch.shop.post(f"/orders/{order['id']}/status", body), 422, "validation_error")
    assert answer["errors"] == errors
    assert (await branch.read(order["id"]))["status"] == "confirmed"


async def test_an_order_of_another_business_cannot_be_moved(branch: BranchFixture, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql(
        "SELECT id, status FROM orders WHERE tenant_id = $1 AND status = 'completed' LIMIT 1"
    )
    for unknown in (theirs["id"], uuid4(), "42"):
        assert_error(await branch.shop.post(f"/orders/{unknown}/status", {"status": "confirmed"}), 404, "not_found")
    (still,) = await other_shop.sql("SELECT status FROM orders WHERE tenant_id = $1 AND id = $2", theirs["id"])
    assert still["status"] == "completed"
