"""Giving up an appointment whose order has an invoice: its time is free, and the rest of the invoice is credited."""

import re

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.orders import make_order
from tests.support.dashboard import DashboardClient
from tests.support.forms import form_fields, texts
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop
from tests.ui.orders.test_order_acts import make_upcoming_order, order, pay


async def test_an_invoiced_order_is_given_up_with_a_credit_note_for_all_that_is_left(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 1)
    assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    page = f"/orders/{order_id}/cancel"
    assert page in (await owner.get(f"/orders/{order_id}")).text
    refused = await owner.post(page)
    assert (refused.status_code, refused.text.count("The order has an invoice.")) == (422, 1)
    assert (await order(own_shop, order_id))["status"] == "confirmed"
    shown = await owner.get(page)
    assert "A credit note of SAR \u206610.00\u2069 is issued for what is left of the invoice." in shown.text
    form = form_fields(shown.text, f"/orders/{order_id}/give-up")
    assert (await owner.post(f"/orders/{order_id}/give-up", {**form, "version": "99"})).status_code == 422
    given_up = await owner.post(f"/orders/{order_id}/give-up", {**form, "note": "typed by mistake"})
    assert (given_up.status_code, given_up.headers["location"]) == (303, f"/orders/{order_id}")
    assert (await owner.post(f"/orders/{order_id}/give-up", form)).status_code == 303  # a second click changes nothing
    assert (await order(own_shop, order_id))["status"] == "canceled"
    notes = await own_shop.sql("SELECT total FROM credit_notes WHERE tenant_id = $1 AND order_id = $2", order_id)
    assert [row["total"] for row in notes] == [10]
    after = (await owner.get(f"/orders/{order_id}")).text
    assert ("Credit note" in after, "Change status" in after) == (True, False)
    assert (await owner.get(f"/orders/{order_id}/credit-note?language=en")).status_code == 200
    assert "Credit note" not in (await owner.get(f"/orders/{order_id}/receipt")).text
    again = await owner.post(f"/orders/{order_id}/status", {"status": "confirmed"})
    assert (again.status_code, "its invoice credited" in again.text) == (422, True)


async def test_an_invoiced_appointment_is_given_up_and_its_time_is_free(
    own_shop: Shop, owner: DashboardClient, conn: Connection
) -> None:
    order_id = await make_upcoming_order(own_shop)
    before = await order(own_shop, order_id)
    assert (await pay(own_shop, owner, order_id, "10")).status_code == 303
    assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    sent = {"id": str(uuid7()), "what": "amount", "amount": "4"}
    assert (await owner.post(f"/orders/{order_id}/refund", sent)).status_code == 303
    shown = await owner.get(f"/orders/{order_id}/cancel")
    assert "Give up the appointment" in shown.text
    form = form_fields(shown.text, f"/orders/{order_id}/give-up")
    assert (await owner.post(f"/orders/{order_id}/give-up", form)).status_code == 303
    assert (
        await own_shop.sql("SELECT FROM bookings WHERE tenant_id = $1 AND order_id = $2 AND is_active", order_id) == []
    )
    (note,) = await own_shop.sql("SELECT total FROM credit_notes WHERE tenant_id = $1 AND order_id = $2", order_id)
    assert note["total"] == before["total"] - 4
    assert "Confirm again" not in (await owner.get(f"/calendar?order={order_id}")).text
    assert "Still to refund 6.00" in texts((await owner.get(f"/orders/{order_id}")).text)
    page = (await owner.get(f"/orders/{order_id}")).text
    children = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    for of_order in (order_id, children[0]["id"]):
        assert f"/orders/{of_order}/credit-note?language=en" in page, "all credit notes of its invoice"
    assert len(re.findall(r"Credit note \d+ of SAR .{1,9} issued", texts(page))) == 2, "in the history too"
    for of_order, reason in ((order_id, "Canceled"), (children[0]["id"], "Refund")):
        paper = texts((await owner.get(f"/orders/{of_order}/credit-note?language=en")).text)
        assert re.search(rf"Reason:? {reason}", paper), paper
    rest = {"id": str(uuid7()), "what": "whole", "sure": "yes"}
    assert (await owner.post(f"/orders/{order_id}/refund", rest)).status_code == 303
    assert await broken_invariants(conn, own_shop.tenant_id) == []
