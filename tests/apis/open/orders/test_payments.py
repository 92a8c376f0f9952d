"""Recording payments against an order until nothing remains."""

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import Actor
from tests.factories.applications import disconnect_installs
from tests.factories.changes import ago, change_rows
from tests.factories.orders import move_booking
from tests.factories.states import turn_into_draft
from tests.support.acts import refund_order
from tests.support.branch import BranchFixture, books, day, holding, line, local, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact, utc
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers


async def _sale(branch: BranchFixture) -> str:
    """An order of 140 with a booking, not paid."""
    cut, cream = await branch.add_service(), await branch.add_product()
    await branch.add_provider(cut)
    placed = await branch.place(line(cut), line(cream, "product", 2), start=start(day(3), "10:00"))
    order_id: str = placed["id"]
    return order_id


async def _pay(branch: BranchFixture, order_id: str, amount: float, **more: Any) -> Document:
    body = {"amount": amount, "payment_method_id": await method_of(branch.shop), **more}
    transaction: Document = json_exact(await branch.shop.post(f"/orders/{order_id}/payments", body), 201)["data"]
    return transaction


async def _refusal(branch: BranchFixture, order_id: str, code: str, **body: Any) -> Document:
    before = await books(branch.shop)
    sent = {"amount": 1, "payment_method_id": await method_of(branch.shop), **body}
    answer = assert_error(await branch.shop.post(f"/orders/{order_id}/payments", sent), 422, code)
    assert await books(branch.shop) == before
    return answer


async def test_a_payment_is_a_confirmed_transaction_of_the_order(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    made = await _pay(branch, order_id, 40, note=" Half ", reference_number=" R-7 ", date=f"{day(-1)}T09:00:00")
    (kept,) = await branch.shop.sql("SELECT * FROM transactions WHERE tenant_id = $1 AND id = $2", UUID(made["id"]))
    order = await branch.read(order_id)
    (booking,) = order["bookings"]
    assert made == {
        "id": str(kept["id"]),
        "transaction_no": kept["transaction_no"],
        "amount": "40.00",
        "currency": "SAR",
        "status": "confirmed",
        "is_deposit": True,
        "note": "Half",
        "reference_number": "R-7",
        "date": f"{day(-1)}T09:00:00+03:00",
        "payment_method": {
            "id": await method_of(branch.shop),
            "name": {"ar": "نقدًا", "en": "Cash"},
            "slug": "cash",
        },
        "order": {"id": order_id, "order_number": int(order["order_number"])},
        "booking": booking,
        "created_at": utc(kept["created_at"]),
        "updated_at": utc(kept["updated_at"]),
    }
    assert kept["reference_number"] == "R-7"
    assert order["transactions"] == [made]
    assert json_exact(await branch.shop.get(f"/transactions/{made['id']}"))["data"] == made


async def test_a_payment_is_not_dated_far_ahead(branch: BranchFixture) -> None:
    """A day, because clocks differ, and a day may begin earlier elsewhere."""
    order_id, now = await _sale(branch), datetime.now(UTC)
    answer = await _refusal(branch, order_id, "validation_error", date=(now + timedelta(days=2)).isoformat())
    assert answer["errors"] == {"date": ["must not be more than 24 hours ahead"]}
    made = await _pay(branch, order_id, 40, date=(now + timedelta(hours=20)).isoformat())
    assert datetime.fromisoformat(made["date"]) > now


async def test_payments_add_up_until_the_order_is_settled(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    steps = [(40, "partially_paid", "100.00"), (99.99, "partially_paid", "0.01"), (0.01, "paid", "0.00")]
    for amount, status, remaining in steps:
        await _pay(branch, order_id, amount)
        order = await branch.read(order_id)
        assert (order["payment_status"], order["remaining_amount"]) == (status, Decimal(remaining))
        assert order["paid_amount"] + order["remaining_amount"] == order["total"]
    answer = await _refusal(branch, order_id, "validation_error", amount=0.01)
    assert answer["details"] == {"remaining": "0.00"}


async def test_transaction_numbers_are_given_one_by_one(own_branch: BranchFixture) -> None:
    order_id = await _sale(own_branch)
    first = await _pay(own_branch, order_id, 1)
    await _refusal(own_branch, order_id, "validation_error", amount=500)
    placed = await own_branch.place(
        line(await own_branch.add_product(), "product"), payment={"amount": 1, "payment_method_type": "cash"}
    )
    second = json_exact(await own_branch.shop.get(f"/transactions/{placed['transaction']['id']}"))["data"]
    third = await _pay(own_branch, order_id, 1)
    numbers = [transaction["transaction_no"] for transaction in (first, second, third)]
    assert numbers == list(range(numbers[0], numbers[0] + 3))


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        (100.01, "must not exceed the remaining amount of 100.00"),
        (0, "must be more than 0"),
        (-5, "must be more than 0"),
        (1.005, "must have at most 2 decimals"),
    ],
)
async def test_a_wrong_amount_is_refused_with_what_remains(branch: BranchFixture, amount: float, message: str) -> None:
    order_id = await _sale(branch)
    await _pay(branch, order_id, 40)
    answer = await _refusal(branch, order_id, "validation_error", amount=amount)
    assert (answer["errors"], answer["details"]) == ({"amount": [message]}, {"remaining": "100.00"})


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"amount": None}, {"amount": ["must be a number"]}),
        ({"amount": "1"}, {"amount": ["must be a number"]}),
        ({"amount": True}, {"amount": ["must be a number"]}),
        ({"payment_method_id": None}, {"payment_method_id": ["must be a UUID"]}),
        ({"payment_method_id": "cash"}, {"payment_method_id": ["must be a UUID"]}),
        (
            {"note": 1, "reference_number": ["x"]},
            {"note": ["must be a string"], "reference_number": ["must be a string"]},
        ),
        ({"reference_number": "x" * 256}, {"reference_number": ["must have at most 255 characters"]}),
        (
            {"date": "2026-13-01T00:00:00"},
            {"date": ["is not a valid date and time"]},
        ),
    ],
)
async def test_a_wrong_payment_is_refused_at_its_field(
    branch: BranchFixture, body: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    assert (await _refusal(branch, await _sale(branch), "validation_error", **body))["errors"] == errors


async def test_a_draft_takes_no_payment(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    await turn_into_draft(branch, order_id)
    await _refusal(branch, order_id, "order_is_draft")
    await _refusal(branch, order_id, "order_is_draft", amount=10**6, payment_method_id=str(uuid4()))
    await branch.move(order_id, "confirmed")
    assert (await _pay(branch, order_id, 140))["status"] == "confirmed"


async def test_a_canceled_order_takes_no_payment(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    await branch.move(order_id, "canceled")
    await _refusal(branch, order_id, "order_canceled")
    await branch.move(order_id, "confirmed")
    assert (await _pay(branch, order_id, 140))["status"] == "confirmed"


@pytest.mark.parametrize("status", ["in-progress", "completed"])
async def test_an_order_that_is_under_way_or_done_is_paid_as_any_other(branch: BranchFixture, status: str) -> None:
    order_id = await _sale(branch)
    await branch.move(order_id, status)
    await _pay(branch, order_id, 140)
    assert (await branch.read(order_id))["payment_status"] == "paid"


async def test_a_deposit_is_paid_before_the_booking_and_does_not_settle(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    early, rest = await _pay(branch, order_id, 40), await _pay(branch, order_id, 100)
    assert (early["is_deposit"], rest["is_deposit"]) == (True, False)


async def test_what_is_paid_after_the_booking_began_is_no_deposit(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    await move_booking(branch.shop, order_id, ago(days=6))
    assert (await _pay(branch, order_id, 1))["is_deposit"] is False


async def test_a_sale_without_a_booking_has_no_deposits(branch: BranchFixture) -> None:
    placed = await branch.place(line(await branch.add_product(), "product"))
    made = await _pay(branch, placed["id"], 1)
    assert (made["is_deposit"], made["booking"]) == (False, None)


async def test_a_date_defaults_to_now(branch: BranchFixture) -> None:
    order_id, before = await _sale(branch), datetime.now(UTC).replace(microsecond=0)
    assert before <= datetime.fromisoformat((await _pay(branch, order_id, 1))["date"]) <= datetime.now(UTC)
    payment = await _pay(branch, order_id, 1, date=f"{day(-2)}T12:00:00Z")
    assert datetime.fromisoformat(payment["date"]) == local(day(-2), "15:00")


async def test_a_method_that_the_business_does_not_have_is_not_found(
    own_branch: BranchFixture, other_shop: Shop
) -> None:
    order_id = await _sale(own_branch)
    card = await method_of(own_branch.shop, "card")
    await change_rows(own_branch.shop, "payment_methods", {"slug": "card"}, active=False)
    for method_id in (str(uuid4()), await method_of(other_shop), card):
        await _refusal(own_branch, order_id, "payment_method_not_found", payment_method_id=method_id)


async def test_the_method_of_a_disconnected_application_is_unavailable(own_branch: BranchFixture) -> None:
    order_id, method = await _sale(own_branch), await method_of(own_branch.shop, "mizan-pay")
    await _pay(own_branch, order_id, 1, payment_method_id=method)
    await disconnect_installs(own_branch.shop)
    await _refusal(own_branch, order_id, "payment_method_unavailable", payment_method_id=method)


async def test_a_refund_takes_no_payment(branch: BranchFixture, conn: Connection) -> None:
    order_id = await _sale(branch)
    await _pay(branch, order_id, 140)
    business = await branch.shop.tenant()
    child = await refund_order(conn, business, UUID(order_id), RefundRequest(), Actor("system", None))
    answer = await _refusal(branch, str(child), "validation_error")
    assert (answer["errors"].keys(), answer["details"]) == ({"amount"}, {"remaining": "0.00"})


async def test_an_order_of_another_business_cannot_be_paid(branch: BranchFixture, other_shop: Shop) -> None:
    (theirs,) = await other_shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND paid_amount < total LIMIT 1")
    before = await books(other_shop)
    body = {"amount": 1, "payment_method_id": await method_of(branch.shop)}
    for unknown in (theirs["id"], uuid4(), "1"):
        assert_error(await branch.shop.post(f"/orders/{unknown}/payments", body), 404, "not_found")
    assert await books(other_shop) == before


async def test_a_balance_is_paid_once_however_many_pay_it_at_once(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    body = {"amount": 70, "payment_method_id": await method_of(branch.shop)}
    answers = await asyncio.gather(*(branch.shop.post(f"/orders/{order_id}/payments", body) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 2 + [422] * 6
    order = await branch.read(order_id)
    assert (order["paid_amount"], len(order["transactions"])) == (140, 2)


async def test_a_payment_on_an_order_held_for_too_long_may_be_sent_again(branch: BranchFixture) -> None:
    order_id = await _sale(branch)
    lock = "SELECT FROM orders WHERE tenant_id = $1 AND id = $2 FOR UPDATE"
    body = {"amount": 1, "payment_method_id": await method_of(branch.shop, "cash")}
    async with holding(branch.shop.dsn, lock, branch.shop.tenant_id, UUID(order_id)):
        assert_error(await branch.shop.post(f"/orders/{order_id}/payments", body), 503, "temporarily_unavailable")
    assert (await branch.shop.post(f"/orders/{order_id}/payments", body)).status_code == 201
