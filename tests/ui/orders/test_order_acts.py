"""What people do to an order at the desk: each act, each refusal as they meet it, and never twice for one form."""

import asyncio
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.applications import disconnect_installs
from tests.factories.orders import make_order
from tests.factories.people import make_closed_day
from tests.factories.users import make_user, owner_of
from tests.support.branch import RIYADH, line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields, texts
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop
from tests.support.waiting import answered


async def order(shop: Shop, order_id: UUID) -> dict[str, Any]:
    return dict((await shop.sql("SELECT * FROM orders WHERE tenant_id = $1 AND id = $2", order_id))[0])


async def count(shop: Shop, table: str) -> int:
    rows: int = (await shop.sql(f"SELECT count(*) FROM {table} WHERE tenant_id = $1"))[0]["count"]
    return rows


async def cash(shop: Shop) -> str:
    rows = await shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND type = 'cash' ORDER BY created_at")
    return str(rows[0]["id"])


async def pay(shop: Shop, desk: DashboardClient, order_id: UUID, amount: str, **more: str) -> httpx2.Response:
    sent = {"id": str(uuid7()), "method": await cash(shop), "amount": amount, **more}
    return await desk.post(f"/orders/{order_id}/pay", sent)


async def lines_of(shop: Shop, order_id: UUID) -> list[str]:
    rows = await shop.sql(
        "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2 ORDER BY position", order_id
    )
    return [str(row["id"]) for row in rows]


async def release(shop: Shop, desk: DashboardClient, order_id: UUID, *quantities: str, **more: str) -> httpx2.Response:
    lines = await lines_of(shop, order_id)
    sent = {"id": str(uuid7()), "what": "lines", "line": lines, "quantity": list(quantities), **more}
    return await desk.post(f"/orders/{order_id}/refund", sent)


async def test_a_status_is_changed_with_a_note_by_the_signed_in_user(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 1)
    answer = await owner.post(f"/orders/{order_id}/status", {"status": "in-progress", "note": "In the chair"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/orders/{order_id}")
    (change,) = await own_shop.sql(
        "SELECT * FROM order_status_history WHERE tenant_id = $1 AND order_id = $2 AND from_status IS NOT NULL",
        order_id,
    )
    assert (change["to_status"], change["note"]) == ("in-progress", "In the chair")
    assert (change["changed_by_type"], change["changed_by_id"]) == ("user", await owner_of(own_shop))
    page = (await owner.get(f"/orders/{order_id}")).text
    assert "“In the chair”" in page
    assert "Lama Al-Dossary" in page
    assert 'value="in-progress"' not in page
    assert 'value="completed"' in page


@pytest.mark.parametrize("status", ["canceled", "draft", "", "done"])
async def test_only_what_the_menu_offers_can_be_sent(own_shop: Shop, owner: DashboardClient, status: str) -> None:
    order_id = await make_order(own_shop, 1)
    assert (await owner.post(f"/orders/{order_id}/status", {"status": status})).status_code == 422
    assert (await order(own_shop, order_id))["status"] == "confirmed"


async def test_an_order_is_canceled_and_comes_back(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, paid="5")
    assert "SAR \u20665.00\u2069 were paid" in (await owner.get(f"/orders/{order_id}/cancel")).text
    assert (await owner.post(f"/orders/{order_id}/cancel", {"note": "ill"})).status_code == 303
    assert (await order(own_shop, order_id))["status"] == "canceled"
    assert "This order is already canceled." in (await owner.get(f"/orders/{order_id}/cancel")).text
    assert "Still to refund 5.00" in texts((await owner.get(f"/orders/{order_id}")).text)
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.RECEPTIONIST)) as desk:
        assert "Only an owner or a manager can refund the payment." in (await desk.get(f"/orders/{order_id}")).text
    assert (await owner.post(f"/orders/{order_id}/cancel")).status_code == 303  # a second click changes nothing
    assert (await owner.post(f"/orders/{order_id}/status", {"status": "confirmed"})).status_code == 303
    history = await own_shop.sql(
        "SELECT to_status FROM order_status_history WHERE tenant_id = $1 AND order_id = $2 ORDER BY created_at",
        order_id,
    )
    assert [row["to_status"] for row in history] == ["confirmed", "canceled", "confirmed"]


async def test_neither_is_a_refunded_sale_canceled_nor_a_refund(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, paid="20")
    assert (await release(own_shop, owner, order_id, "1")).status_code == 303
    (child,) = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    for one, reason in ((order_id, "The order has refunds."), (child["id"], "is a refund and keeps its status")):
        for act in ("cancel", "give-up"):
            refused = await owner.post(f"/orders/{one}/{act}")
            assert refused.status_code == 422
            assert reason in refused.text
    refused = await owner.post(f"/orders/{child['id']}/status", {"status": "confirmed"})
    assert (refused.status_code, "is a refund and keeps its status" in refused.text) == (422, True)
    refund_page = (await owner.get(f"/orders/{child['id']}")).text
    assert f'href="/orders/{order_id}"' in refund_page
    assert "Change status" not in refund_page
    assert "−10.00" in refund_page


async def test_a_payment_fills_in_what_is_left_and_is_recorded_with_its_reference(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 3, paid="12.50")
    assert 'value="17.50"' in (await owner.get(f"/orders/{order_id}/pay")).text
    assert (await pay(own_shop, owner, order_id, "7.25", reference="T-1", note="half")).status_code == 303
    assert 'value="10.25"' in (await owner.get(f"/orders/{order_id}/pay")).text
    assert (await pay(own_shop, owner, order_id, "10.25")).status_code == 303
    rows = await own_shop.sql(
        "SELECT amount, reference_number, note FROM transactions WHERE tenant_id = $1 AND order_id = $2 "
        "ORDER BY transaction_no",
        order_id,
    )
    assert [tuple(row) for row in rows][1:] == [
        (Decimal("7.25"), "T-1", "half"),
        (Decimal("10.25"), None, None),
    ]
    assert "There is nothing to pay." in (await owner.get(f"/orders/{order_id}/pay")).text
    assert f"/orders/{order_id}/pay" not in (await owner.get(f"/orders/{order_id}")).text


@pytest.mark.parametrize(
    ("amount", "error"),
    [
        ("20.01", "Only 20.00 is left to pay."),
        ("0", "Enter an amount above zero."),
        ("-1", "Enter an amount such as 12.50."),
        ("1.005", "Use at most 2 decimals."),
        ("ten", "Enter an amount such as 12.50."),
        ("", "Enter an amount such as 12.50."),
        ("1e3", "Enter an amount such as 12.50."),
    ],
)
async def test_an_invalid_payment_is_refused(own_shop: Shop, owner: DashboardClient, amount: str, error: str) -> None:
    order_id, before = await make_order(own_shop, 2), await count(own_shop, "transactions")
    refused = await pay(own_shop, owner, order_id, amount, reference="keep me")
    assert refused.status_code == 422
    assert error in refused.text
    assert f'value="{amount}"' in refused.text
    assert 'value="keep me"' in refused.text
    assert await count(own_shop, "transactions") == before


async def test_every_other_refused_payment_shows_its_error(
    own_shop: Shop, other_shop: Shop, owner: DashboardClient
) -> None:
    draft, canceled, plain = (
        await make_order(own_shop, 1, draft=True),
        await make_order(own_shop, 1),
        await make_order(own_shop, 1),
    )
    await owner.post(f"/orders/{canceled}/cancel")
    assert (
        "The order is a draft. Confirm it before you record a payment." in (await pay(own_shop, owner, draft, "1")).text
    )
    assert "The order is canceled and takes no payments." in (await pay(own_shop, owner, canceled, "1")).text
    foreign = await pay(own_shop, owner, plain, "1", method=await cash(other_shop))
    assert foreign.status_code == 422
    assert "The business has no such active payment method." in foreign.text
    (brought,) = await own_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND install_id IS NOT NULL")
    assert str(brought["id"]) in (await owner.get(f"/orders/{plain}/pay")).text
    await disconnect_installs(own_shop)
    assert str(brought["id"]) not in (await owner.get(f"/orders/{plain}/pay")).text
    late = await pay(own_shop, owner, plain, "1", method=str(brought["id"]))
    assert "no longer installed" in late.text
    assert (await order(own_shop, plain))["paid_amount"] == 0


async def test_a_double_click_pays_once(own_shop: Shop, owner: DashboardClient) -> None:
    order_id, before = await make_order(own_shop, 5), await count(own_shop, "transactions")
    sent = {"id": str(uuid7()), "method": await cash(own_shop), "amount": "20"}
    sent["form_token"] = await owner.form_token()
    answers = await asyncio.gather(*(owner.http.post(f"/orders/{order_id}/pay", data=sent) for _ in range(5)))
    assert [(one.status_code, one.headers["location"]) for one in answers] == [(303, f"/orders/{order_id}")] * 5
    assert await count(own_shop, "transactions") == before + 1
    assert (await order(own_shop, order_id))["paid_amount"] == 20
    changed = await owner.http.post(f"/orders/{order_id}/pay", data={**sent, "amount": "30"})
    assert changed.status_code == 422
    assert "This form was already submitted with other values." in changed.text
    assert (await order(own_shop, order_id))["paid_amount"] == 20


async def test_a_form_that_was_refused_can_be_sent_again(own_shop: Shop, owner: DashboardClient) -> None:
    order_id, form_id = await make_order(own_shop, 1), str(uuid7())
    assert (await pay(own_shop, owner, order_id, "99", id=form_id)).status_code == 422
    assert (await pay(own_shop, owner, order_id, "10", id=form_id)).status_code == 303


async def test_an_invoice_is_issued_once_and_opens_in_both_languages(own_shop: Shop, owner: DashboardClient) -> None:
    order_id, form_id = await make_order(own_shop, 2), str(uuid7())
    for _ in range(2):
        assert (await owner.post(f"/orders/{order_id}/invoice", {"id": form_id})).status_code == 303
    (row,) = await own_shop.sql("SELECT * FROM invoices WHERE tenant_id = $1 AND order_id = $2", order_id)
    assert row["issued_by"] == await owner_of(own_shop)
    again = await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})
    assert again.status_code == 422
    assert "The order already has an invoice." in again.text
    for language, word in (("en", "Invoice"), ("ar", "فاتورة")):
        link = f"/orders/{order_id}/invoice?language={language}"
        assert link in (await owner.get(f"/orders/{order_id}")).text
        page = await owner.get(link)
        assert word.lower() in page.text.lower()
        assert page.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in page.headers["content-security-policy"]
        pdf = await answered(partial(owner.get, f"{link}&format=pdf"))
        assert (pdf.status_code, pdf.headers["content-type"]) == (200, "application/pdf")
        assert pdf.content.startswith(b"%PDF-")


async def test_an_order_without_invoice_shows_the_reason(own_shop: Shop, owner: DashboardClient) -> None:
    draft = await make_order(own_shop, 1, draft=True)
    assert "Issue invoice" not in (await owner.get(f"/orders/{draft}")).text
    refused = await owner.post(f"/orders/{draft}/invoice", {"id": str(uuid7())})
    assert refused.status_code == 422
    assert "has no invoice" in refused.text
    assert (await owner.get(f"/orders/{draft}/invoice")).status_code == 404


async def stock(shop: Shop, order_id: UUID) -> list[int]:
    rows = await shop.sql(
        "SELECT i.stock FROM order_lines l JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id "
        "WHERE l.tenant_id = $1 AND l.order_id = $2 ORDER BY l.position",
        order_id,
    )
    return [row["stock"] for row in rows]


async def test_lines_are_given_back_by_quantity_and_put_into_stock_where_ticked(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_order(own_shop, 3, 2, paid="50")
    assert (await release(own_shop, owner, order_id, "2", "", reason="broken", restock="yes")).status_code == 303
    assert await stock(own_shop, order_id) == [99, 98]
    assert (await release(own_shop, owner, order_id, "0", "1")).status_code == 303
    assert await stock(own_shop, order_id) == [99, 98]
    page = (await owner.get(f"/orders/{order_id}")).text
    for text in ("broken", "Put back into stock", "−20.00", "−10.00", "Partially refunded", "2 refunded"):
        assert text in page, text
    rows = await own_shop.sql(
        "SELECT amount, created_by FROM refunds WHERE tenant_id = $1 AND order_id = $2 ORDER BY created_at", order_id
    )
    assert [(row["amount"], row["created_by"]) for row in rows] == [
        (Decimal(20), await owner_of(own_shop)),
        (Decimal(10), await owner_of(own_shop)),
    ]


async def test_a_whole_order_is_refunded(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 3, 2, paid="50")
    assert "SAR \u206650.00\u2069" in (await owner.get(f"/orders/{order_id}/refund")).text
    sent = {"id": str(uuid7()), "what": "whole", "reason": "Torn"}
    asked = await owner.post(f"/orders/{order_id}/refund", sent)  # without the script, which asks in a dialog
    assert (asked.status_code, "Refund SAR \u206650.00\u2069?" in asked.text) == (200, True)
    assert (await order(own_shop, order_id))["refunded_amount"] == 0
    answered = form_fields(asked.text, f"/orders/{order_id}/refund")
    sent = {**sent, "sure": "yes"}
    assert {name: answered[name] for name in sent} == {name: [value] for name, value in sent.items()}
    for _ in range(2):
        assert (await owner.post(f"/orders/{order_id}/refund", sent)).status_code == 303
    assert (await order(own_shop, order_id))["refunded_amount"] == 50
    assert "Refunded" in (await owner.get(f"/orders/{order_id}")).text
    assert "There is nothing to refund." in (await owner.get(f"/orders/{order_id}/refund")).text


async def test_an_invalid_refund_is_refused_at_its_field(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, 2, paid="15")
    many = await release(own_shop, owner, order_id, "0", "3", reason="keep me")
    assert many.status_code == 422
    assert "Enter a number from 0 to 2: what is not yet refunded." in many.text
    assert 'id="f-line-1"' in many.text
    assert 'value="keep me"' in many.text
    for quantities, error in (
        (("0", "0"), "Choose something that is not refunded yet."),
        (("2", "0"), "At most 15.00 can be refunded."),
        (("x", "0"), "f-line-0"),
        (("-1", "0"), "f-line-0"),
        (("1",), "The rows of the form do not match. Reload the page."),
    ):
        refused = await release(own_shop, owner, order_id, *quantities)
        assert refused.status_code == 422, quantities
        assert error in refused.text, quantities
    draft = await make_order(own_shop, 1, draft=True)
    assert "The order is a draft and has no payments" in (await release(own_shop, owner, draft, "1")).text
    assert await own_shop.sql("SELECT FROM refunds WHERE tenant_id = $1 AND order_id = $2", order_id) == []


async def test_an_amount_is_given_back_by_a_chosen_method(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 2, paid="20")
    (card,) = await own_shop.sql("SELECT id FROM payment_methods WHERE tenant_id = $1 AND slug = 'card'")
    sent = {"id": str(uuid7()), "what": "amount", "amount": "20.01", "method": str(card["id"]), "reason": "late"}
    refused = await owner.post(f"/orders/{order_id}/refund", sent)
    assert refused.status_code == 422
    assert "At most 20.00 can be refunded." in refused.text
    nothing = await owner.post(f"/orders/{order_id}/refund", {**sent, "amount": ""})
    assert (nothing.status_code, "f-amount-e" in nothing.text) == (422, True)
    assert (await owner.post(f"/orders/{order_id}/refund", {**sent, "amount": "7.50"})).status_code == 303
    (given,) = await own_shop.sql(
        """
        SELECT t.amount, t.payment_method_id FROM transactions t
        JOIN orders o ON (o.tenant_id, o.id) = (t.tenant_id, t.order_id) WHERE t.tenant_id = $1 AND o.parent_id = $2
        """,
        order_id,
    )
    assert (given["amount"], given["payment_method_id"]) == (Decimal("-7.50"), card["id"])


async def make_upcoming_order(shop: Shop) -> UUID:
    """One of the sandbox's appointments that nobody has paid for yet."""
    rows = await shop.sql(
        """
        SELECT b.order_id FROM bookings b JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
        WHERE b.tenant_id = $1 AND b.is_active AND o.paid_amount = 0 AND o.status = 'confirmed' AND o.total > 10
        GROUP BY b.order_id HAVING min(lower(b.during)) > now() + interval '1 hour'
        ORDER BY min(lower(b.during)) LIMIT 1
        """
    )
    found: UUID = rows[0]["order_id"]
    return found


async def test_an_appointment_is_given_up_with_its_deposit_and_a_credit_note(
    own_shop: Shop, owner: DashboardClient
) -> None:
    order_id = await make_upcoming_order(own_shop)
    assert (await pay(own_shop, owner, order_id, "10")).status_code == 303
    assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    assert "Cancel the order and free its time" in (await owner.get(f"/orders/{order_id}/refund")).text
    sent = {"id": str(uuid7()), "what": "whole", "amount": "", "method": "", "cancel_order": "yes", "sure": "yes"}
    assert (await owner.post(f"/orders/{order_id}/refund", sent)).status_code == 303
    canceled = await order(own_shop, order_id)
    assert (canceled["status"], canceled["refunded_amount"]) == ("canceled", 10)
    assert (
        await own_shop.sql("SELECT FROM bookings WHERE tenant_id = $1 AND order_id = $2 AND is_active", order_id) == []
    )
    assert "Change status" not in (await owner.get(f"/orders/{order_id}")).text
    (child,) = await own_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND parent_id = $2", order_id)
    assert "Credit note" in (await owner.get(f"/orders/{child['id']}")).text
    note = await owner.get(f"/orders/{child['id']}/credit-note?language=en")
    assert (note.status_code, "redit note" in note.text, "10.00" in note.text) == (200, True, True)
    rest = await owner.get(f"/orders/{order_id}/credit-note?language=en")
    assert (rest.status_code, f"{canceled['total'] - 10:.2f}" in rest.text) == (200, True)


async def test_a_line_of_another_order_is_no_line_of_this_one(own_shop: Shop, owner: DashboardClient) -> None:
    order_id, other_id = await make_order(own_shop, 1, paid="10"), await make_order(own_shop, 1, paid="10")
    sent = {"id": str(uuid7()), "what": "lines", "line": await lines_of(own_shop, other_id), "quantity": ["1"]}
    refused = await owner.post(f"/orders/{order_id}/refund", sent)
    assert refused.status_code == 422
    assert "Choose a line of this order." in refused.text


async def test_invariants_hold_after_all_acts(conn: Connection, own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_order(own_shop, 4, 1)
    assert (await pay(own_shop, owner, order_id, "30")).status_code == 303
    assert (await pay(own_shop, owner, order_id, "20")).status_code == 303
    assert (await release(own_shop, owner, order_id, "3", "0", restock="yes")).status_code == 303
    assert (await owner.post(f"/orders/{order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    assert (await owner.post(f"/orders/{order_id}/status", {"status": "completed"})).status_code == 303
    assert "Partially refunded" in (await owner.get(f"/orders/{order_id}")).text
    assert await broken_invariants(conn, own_shop.tenant_id) == []


async def test_a_payment_outside_of_the_till_belongs_to_who_recorded_it(own_shop: Shop, owner: DashboardClient) -> None:
    room = await open_branch(own_shop)
    sale = await room.place(line(await room.add_product(price="150"), "product"))
    paid = {"id": str(uuid7()), "amount": "50", "method": await cash(own_shop)}
    assert (await owner.post(f"/orders/{sale['id']}/pay", paid)).status_code == 303
    page = (await owner.get("/day-close")).text
    assert 'name="cashier" value="' in page
    assert 'name="cashier" value=""' not in page


async def test_an_order_is_not_confirmed_again_on_a_closed_day(own_shop: Shop, owner: DashboardClient) -> None:
    order_id = await make_upcoming_order(own_shop)
    path = f"/orders/{order_id}/status"
    assert (await owner.post(f"/orders/{order_id}/cancel")).status_code == 303
    placed = await order(own_shop, order_id)
    day = placed["starts_at"].astimezone(RIYADH).date()
    await make_closed_day(own_shop, placed["branch_id"], day)
    refused = await owner.post(path, {"status": "confirmed"})
    assert (refused.status_code, "The branch is closed on that day." in refused.text) == (422, True)
