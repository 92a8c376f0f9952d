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
from tests.factories.changes import change_row, change_tenant
from tests.support.acts import issue_invoice, refund_order
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.salon import Salon, books, day, line, local, start
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

STATUSES = ("confirmed", "in-progress", "completed", "canceled")
SYSTEM = Actor("system", None)


async def _sale(salon: Salon, at: str = "10:00", **more: Any) -> Document:
    """A service at this time and two pieces of a product, of which there are ten."""
    cut, cream = await salon.add_service(), await salon.add_product()
    await salon.add_provider(cut)
    return {
        "cut": cut,
        "cream": cream,
        **await salon.place(line(cut), line(cream, "product", 2), start=start(day(3), at), **more),
    }


async def _refusal(salon: Salon, order_id: str, status: str, code: str) -> Document:
    """Refused, and the order and the books are as they were."""
    before = (await books(salon.shop), await salon.read(order_id))
    answer = assert_error(await salon.shop.post(f"/orders/{order_id}/status", {"status": status}), 422, code)
    assert (await books(salon.shop), await salon.read(order_id)) == before
    return answer


async def _paid_sale(salon: Salon) -> Document:
    return await _sale(salon, payment={"amount": 140, "payment_method_type": "cash"})


async def _invoice(salon: Salon, conn: Connection, order_id: str) -> None:
    await issue_invoice(conn, await salon.shop.tenant(), UUID(order_id), None)


async def _refund(salon: Salon, conn: Connection, order_id: str) -> str:
    business = await salon.shop.tenant()
    return str(await refund_order(conn, business, UUID(order_id), RefundRequest(amount=Decimal(1)), SYSTEM))


# Moves


@pytest.mark.parametrize("before", STATUSES)
@pytest.mark.parametrize("after", STATUSES)
async def test_any_status_may_follow_any_other(salon: Salon, before: str, after: str) -> None:
    order = await _sale(salon)
    await salon.move(order["id"], before)
    moved = await salon.move(order["id"], after)
    assert moved["status"] == after
    assert [booking["status"] for booking in moved["bookings"]] == [after]
    assert moved == await salon.read(order["id"])
    slot_is_taken = "10:00" not in await salon.starts(order["cut"], day(3))
    assert (slot_is_taken, await salon.stock(order["cream"])) == ((False, 10) if after == "canceled" else (True, 8))


async def test_the_same_status_again_changes_nothing(salon: Salon) -> None:
    order = await _sale(salon)
    for status in STATUSES:
        moved = await salon.move(order["id"], status)
        before = await books(salon.shop)
        assert await salon.move(order["id"], status, note_for_status="Once more") == moved
        assert await books(salon.shop) == before


async def test_the_same_status_is_no_error_even_where_the_move_would_be(salon: Salon, conn: Connection) -> None:
    """An order that was canceled before it got an invoice or a refund by other ways."""
    order = await _paid_sale(salon)
    await _refund(salon, conn, order["id"])
    await _invoice(salon, conn, order["id"])
    await change_row(salon.shop, "orders", UUID(order["id"]), status="canceled")
    assert (await salon.move(order["id"], "canceled"))["status"] == "canceled"


async def test_every_change_is_kept_with_who_when_and_note(salon: Salon) -> None:
    order = await _sale(salon)
    await salon.move(order["id"], "in-progress", note_for_status="  Came early ")
    detail = await salon.move(order["id"], "completed", note_for_status=None)
    (client,) = await salon.shop.sql("SELECT id FROM api_clients WHERE tenant_id = $1 AND install_id IS NULL")
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


async def test_canceling_frees_the_slot_and_the_stock_for_others(salon: Salon) -> None:
    order = await _sale(salon)
    await salon.move(order["id"], "canceled")
    again = await salon.place(line(order["cut"]), line(order["cream"], "product", 10), start=start(day(3), "10:00"))
    assert again["status"] == "confirmed"


async def test_a_package_gives_back_what_it_took_whatever_it_holds_today(salon: Salon) -> None:
    cream, soap = await salon.add_product(), await salon.add_product()
    package = await salon.add_package({cream: 3})
    order = await salon.place(line(package, "package", 2))
    await salon.shop.sql(
        "UPDATE package_items SET item_id = $3, quantity = 1 WHERE tenant_id = $1 AND package_id = $2", package, soap
    )
    await salon.move(order["id"], "canceled")
    assert (await salon.stock(cream), await salon.stock(soap)) == (10, 10)
    await salon.move(order["id"], "confirmed")
    assert (await salon.stock(cream), await salon.stock(soap)) == (4, 10)


async def test_a_canceled_order_does_not_come_back_when_its_time_was_taken(salon: Salon) -> None:
    order = await _sale(salon)
    await salon.move(order["id"], "canceled")
    await salon.place(line(order["cut"]), start=start(day(3), "10:15"))
    for status in ("confirmed", "in-progress", "completed"):
        answer = await _refusal(salon, order["id"], status, "timeslot_unavailable")
        assert answer["details"]["reason"] == "booked"
        assert len(answer["details"]["alternatives"]) == 3


async def _hours(salon: Salon, staff_id: UUID) -> str:
    await salon.set_hours({n: [("12:00", "17:00")] for n in range(7)}, staff_id=staff_id)
    return "outside_working_hours"


async def _time_off(salon: Salon, staff_id: UUID) -> str:
    await salon.take_off(staff_id, local(day(3), "09:30"), local(day(3), "10:30"))
    return "time_off"


async def _closed(salon: Salon, staff_id: UUID) -> str:
    await salon.close(day(3))
    return "outside_working_hours"


@pytest.mark.parametrize("change", [_hours, _time_off, _closed])
async def test_an_order_comes_back_only_where_a_new_one_could_be_booked(salon: Salon, change: Any) -> None:
    cut = await salon.add_service(duration=60)
    staff_id = await salon.add_provider(cut)
    order = await salon.place(line(cut, staff_id=staff_id), start=start(day(3), "10:00"))
    await salon.move(order["id"], "canceled")
    reason = await change(salon, staff_id)
    before = await books(salon.shop)
    for status in ("confirmed", "in-progress", "completed"):
        answer = await _refusal(salon, order["id"], status, "timeslot_unavailable")
        assert answer["details"]["reason"] == reason
        assert [one["staff_id"] for one in answer["details"]["alternatives"]] == [str(staff_id)] * 3
    assert await books(salon.shop) == before


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("UPDATE items SET status = false WHERE tenant_id = $1 AND id = $2", "requires items that are for sale"),
        (
            "UPDATE customers SET blocked = true WHERE tenant_id = $1 AND id = $2",
            "requires a customer who is not blocked",
        ),
    ],
)
@pytest.mark.parametrize("was", ["canceled", "draft"])
async def test_an_order_comes_back_only_with_what_is_for_sale_and_who_may_book(
    salon: Salon, change: str, error: str, was: str
) -> None:
    cut = await salon.add_service(duration=60)
    staff_id = await salon.add_provider(cut)
    order = await salon.place(line(cut), start=start(day(3), "10:00"))
    if was == "canceled":
        await salon.move(order["id"], "canceled")
    else:
        await salon.shop.sql(
            """WITH freed AS (DELETE FROM bookings WHERE tenant_id = $1 AND order_id = $2),
            busy AS (DELETE FROM staff_busy_days WHERE tenant_id = $1 AND staff_id = $3)
            UPDATE orders SET status = 'draft', version = version + 1 WHERE tenant_id = $1 AND id = $2""",
            UUID(order["id"]),
            staff_id,
        )
    await salon.shop.sql(change, cut if "items" in change else salon.customer_id)
    answer = await _refusal(salon, order["id"], "confirmed", "validation_error")
    assert answer["errors"] == {"status": [error]}


async def test_an_order_comes_back_at_its_own_time(salon: Salon) -> None:
    """Also where the grid has changed since: the appointment had its time before."""
    cut = await salon.add_service(duration=30)
    staff_id = await salon.add_provider(cut)
    order = await salon.place(line(cut, staff_id=staff_id), start=start(day(3), "10:15"))
    await salon.move(order["id"], "canceled")
    await change_tenant(salon.shop, grid_minutes=60)
    try:
        (booking,) = (await salon.move(order["id"], "confirmed"))["bookings"]
    finally:
        await change_tenant(salon.shop, grid_minutes=15)
    assert (booking["start"][11:16], booking["end"][11:16], booking["staff_id"]) == ("10:15", "10:45", str(staff_id))


async def test_a_canceled_order_does_not_come_back_to_a_provider_who_has_left(salon: Salon) -> None:
    cut = await salon.add_service(duration=60)
    staff_id = await salon.add_provider(cut)
    order = await salon.place(line(cut), start=start(day(3), "10:00"))
    await salon.move(order["id"], "canceled")
    await change_row(salon.shop, "staff", staff_id, active=False)
    answer = await _refusal(salon, order["id"], "confirmed", "timeslot_unavailable")
    assert answer["details"]["reason"] == "outside_working_hours"


async def test_a_canceled_order_does_not_come_back_when_its_goods_were_sold(salon: Salon) -> None:
    order = await _sale(salon)
    await salon.move(order["id"], "canceled")
    await salon.place(line(order["cream"], "product", 9))
    answer = await _refusal(salon, order["id"], "confirmed", "validation_error")
    assert answer["errors"] == {"status": ["requires products that are no longer in stock"]}
    assert "10:00" in await salon.starts(order["cut"], day(3))


async def test_the_past_may_be_canceled_and_put_right_again(busy_shop: Shop, salon: Salon) -> None:
    (past,) = await busy_shop.sql(
        """
        SELECT o.id FROM orders o JOIN bookings b ON b.tenant_id = $1 AND b.order_id = o.id AND b.is_active
        WHERE o.tenant_id = $1 AND upper(b.during) < now() AND o.status = 'completed' AND NOT EXISTS (
            SELECT FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id)
        AND NOT EXISTS (SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id)
        ORDER BY o.order_number LIMIT 1
        """
    )
    await salon.move(past["id"], "canceled")
    assert (await salon.move(past["id"], "completed"))["status"] == "completed"


async def test_ten_cancellations_at_once_give_back_once(salon: Salon) -> None:
    order = await _sale(salon)
    await asyncio.gather(*(salon.move(order["id"], "canceled") for _ in range(10)))
    assert await salon.stock(order["cream"]) == 10
    assert len((await salon.read(order["id"]))["status_history"]) == 2


# Invoices and refunds


async def test_an_order_with_an_invoice_cannot_be_canceled(salon: Salon, conn: Connection) -> None:
    order = await _sale(salon)
    await _invoice(salon, conn, order["id"])
    await _refusal(salon, order["id"], "canceled", "order_has_invoice")
    assert (await salon.move(order["id"], "completed"))["status"] == "completed"


async def test_an_order_with_a_refund_cannot_be_canceled_and_neither_can_the_refund(
    salon: Salon, conn: Connection
) -> None:
    order = await _paid_sale(salon)
    child = await _refund(salon, conn, order["id"])
    await _refusal(salon, order["id"], "canceled", "invalid_status_transition")
    await _refusal(salon, child, "canceled", "invalid_status_transition")
    assert (await salon.move(order["id"], "completed"))["status"] == "completed"


async def test_of_the_two_the_invoice_is_looked_at_first(salon: Salon, conn: Connection) -> None:
    order = await _paid_sale(salon)
    await _refund(salon, conn, order["id"])
    await _invoice(salon, conn, order["id"])
    await _refusal(salon, order["id"], "canceled", "order_has_invoice")


@pytest.mark.parametrize(("act", "code"), [(_invoice, "order_has_invoice"), (_refund, "invalid_status_transition")])
async def test_a_cancellation_that_waited_for_an_invoice_or_refund_sees_it(salon: Salon, act: Any, code: str) -> None:
    order = await _paid_sale(salon)
    raw = await connect(salon.shop.dsn)
    try:
        transaction = raw.transaction()
        await transaction.start()
        await act(salon, Connection(raw), order["id"])
        canceling = asyncio.create_task(salon.shop.post(f"/orders/{order['id']}/status", {"status": "canceled"}))
        await _until_a_lock_is_awaited(salon.shop)
        await transaction.commit()
        assert_error(await canceling, 422, code)
    finally:
        await raw.close()
    assert (await salon.read(order["id"]))["status"] == "confirmed"


async def _until_a_lock_is_awaited(shop: Shop) -> None:
    waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND $1::uuid IS NOT NULL"
    while not await shop.sql(waiting):
        pass


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
    salon: Salon, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    order = await salon.place(line(await salon.add_product(), "product"))
    answer = assert_error(await salon.shop.post(f"/orders/{order['id']}/status", body), 422, "validation_error")
    assert answer["errors"] == errors
    assert (await salon.read(order["id"]))["status"] == "confirmed"


async def test_an_order_of_another_business_cannot_be_moved(salon: Salon, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql(
        "SELECT id, status FROM orders WHERE tenant_id = $1 AND status = 'completed' LIMIT 1"
    )
    for unknown in (theirs["id"], uuid4(), "42"):
        assert_error(await salon.shop.post(f"/orders/{unknown}/status", {"status": "confirmed"}), 404, "not_found")
    (still,) = await other_shop.sql("SELECT status FROM orders WHERE tenant_id = $1 AND id = $2", theirs["id"])
    assert still["status"] == "completed"
