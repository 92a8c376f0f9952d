"""A till's draft: it takes nothing, may be changed and given up, and becomes an order with all that belongs to one."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.catalog import make_option
from tests.support.branch import BranchFixture, books, day, line, local, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.till import Till, bill, option_stock

pytestmark = pytest.mark.both_servers

TEN = start(day(3), "10:00")


class Goods:
    """A service at 100 for half an hour, its one provider, and a product at 20 of which there are ten."""

    def __init__(self, till: Till, cut: UUID, provider: UUID, cream: UUID) -> None:
        self.till, self.cut, self.provider, self.cream = till, cut, provider, cream

    @property
    def lines(self) -> list[Document]:
        return [line(self.cut), line(self.cream, "product", 2)]

    async def draft(self, **more: Any) -> Document:
        return await self.till.ring_up("140.00", *self.lines, isDraft=True, **{"start": TEN, **more})

    async def taken(self) -> tuple[bool, int]:
        """Whether ten o'clock is gone, and what is left of the product."""
        branch = self.till.branch
        return "10:00" not in await branch.starts(self.cut, day(3)), await branch.stock(self.cream)


@pytest.fixture
async def goods(till: Till) -> Goods:
    branch = till.branch
    cut = await branch.add_service(price="100")
    return Goods(till, cut, await branch.add_provider(cut), await branch.add_product(price="20"))


async def test_a_draft_is_kept_with_its_number_and_takes_nothing(goods: Goods) -> None:
    draft = await goods.draft(cashier="Huda")
    assert (draft["status"], draft["payment_status"], str(draft["total"]), draft["cashier"]) == (
        "draft",
        "unpaid",
        "140.00",
        "Huda",
    )
    assert await goods.taken() == (False, 10)
    order = await goods.till.branch.read(draft["id"])
    assert (order["status"], order["bookings"], order["start"]) == ("draft", [], f"{TEN}+03:00")
    listed = json_exact(await goods.till.shop.get("/orders?status=draft&per_page=100"))["data"]
    assert draft["id"] in [found["id"] for found in listed]


async def test_a_draft_may_hold_more_than_there_is_and_a_taken_time(goods: Goods) -> None:
    await goods.till.ring_up("100.00", line(goods.cut), start=TEN)
    draft = await goods.till.ring_up(
        "400.00", line(goods.cut), line(goods.cream, "product", 15), isDraft=True, start=TEN
    )
    assert draft["status"] == "draft"


async def test_a_draft_is_changed_as_a_whole(goods: Goods) -> None:
    till = goods.till
    draft = await goods.draft(customer_id=str(till.branch.customer_id), cashier="Huda")
    discount = {"type": "fixed", "amount": 5, "apply_all": True}
    body = {"sub_total": "60.00", "discount": discount, "cashier": "Noor", "start": None}
    answer = await till.change(draft["id"], "55.00", line(goods.cream, "product", 3), **body)
    changed: Document = json_exact(answer)["data"]
    assert (changed["id"], changed["order_number"], changed["status"]) == (draft["id"], draft["order_number"], "draft")
    assert (str(changed["total"]), str(changed["discount_amount"]), changed["cashier"]) == ("55.00", "5.00", "Noor")
    assert [(item["id"], item["quantity"]) for item in changed["items"]] == [(str(goods.cream), 3)]
    order = await till.branch.read(draft["id"])
    assert (order["customer"], order["start"], str(order["total"])) == (None, None, "55.00")
    assert await goods.taken() == (False, 10)
    assert (await till.move(draft["id"], "confirmed"))["status"] == "confirmed"
    assert await goods.taken() == (False, 7)


async def test_a_change_is_checked_as_a_sale_is(goods: Goods) -> None:
    till, draft = goods.till, await goods.draft()
    before = await books(till.shop)
    assert_error(await till.change(draft["id"], "141.00", *goods.lines), 422, "total_mismatch")
    assert_error(await till.change(draft["id"], "20.00"), 422, "validation_error")
    unknown = await till.change(draft["id"], "20.00", line(uuid4(), "product"))
    assert list(assert_error(unknown, 422, "validation_error")["errors"]) == ["services.0.id"]
    paid = await till.change(draft["id"], "140.00", *goods.lines, payment_methods=[await till.paid("1")])
    assert_error(paid, 422, "order_is_draft")
    assert await books(till.shop) == before
    assert str((await till.branch.read(draft["id"]))["total"]) == "140.00"


@pytest.mark.parametrize("status", ["confirmed", "completed", "canceled"])
async def test_what_is_no_draft_any_more_is_not_changed(goods: Goods, status: str) -> None:
    draft = await goods.draft()
    await goods.till.move(draft["id"], status)
    answer = await goods.till.change(draft["id"], "20.00", line(goods.cream, "product"))
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["status"]
    assert str((await goods.till.branch.read(draft["id"]))["total"]) == "140.00"


@pytest.mark.parametrize("status", ["confirmed", "in-progress", "completed"])
async def test_a_draft_becomes_an_order_and_takes_time_and_goods_only_then(goods: Goods, status: str) -> None:
    draft = await goods.draft()
    order = await goods.till.move(draft["id"], status, note_for_status="she came")
    assert (order["status"], order["order_number"]) == (status, draft["order_number"])
    assert order["items"][0]["staff_id"] == str(goods.provider)
    assert await goods.taken() == (True, 8)
    detail = await goods.till.branch.read(draft["id"])
    assert [b["start"] for b in detail["bookings"]] == [f"{TEN}+03:00"]
    assert [(change["to"], change["note"]) for change in detail["status_history"]] == [
        ("draft", None),
        (status, "she came"),
    ]


async def test_a_draft_without_a_start_is_sold_without_a_booking(goods: Goods) -> None:
    draft = await goods.draft(start=None)
    await goods.till.move(draft["id"], "completed")
    assert await goods.taken() == (False, 8)
    assert (await goods.till.branch.read(draft["id"]))["bookings"] == []


async def test_a_draft_takes_its_options_and_the_time_that_they_need(goods: Goods) -> None:
    till, branch = goods.till, goods.till.branch
    long = await make_option(branch.shop, goods.cut, "300", duration=120)
    large = await make_option(branch.shop, goods.cream, "35", quantity=4)
    draft = await till.ring_up(
        "370.00",
        line(goods.cut, option_id=[long]),
        line(goods.cream, "product", 2, option_id=[large]),
        isDraft=True,
        start=TEN,
    )
    assert await option_stock(branch, large) == 4
    await till.move(draft["id"], "confirmed")
    assert await option_stock(branch, large) == 2
    (booking,) = (await branch.read(draft["id"]))["bookings"]
    assert booking["end"][11:16] == "12:00"


async def test_a_draft_whose_time_was_taken_meanwhile_stays_a_draft(goods: Goods) -> None:
    till, draft = goods.till, await goods.draft()
    await till.ring_up("100.00", line(goods.cut), start=TEN)
    before = await books(till.shop)
    answer = assert_error(await till.try_to_move(draft["id"], "confirmed"), 422, "timeslot_unavailable")
    assert answer["details"]["reason"] == "booked"
    assert await books(till.shop) == before
    assert (await till.branch.read(draft["id"]))["status"] == "draft"
    eleven = await till.change(draft["id"], "140.00", *goods.lines, start=start(day(3), "11:00"))
    assert eleven.status_code == 200
    assert (await till.move(draft["id"], "confirmed"))["status"] == "confirmed"


async def test_a_draft_whose_goods_were_sold_meanwhile_stays_a_draft(goods: Goods) -> None:
    till, draft = goods.till, await goods.draft()
    await till.ring_up("180.00", line(goods.cream, "product", 9))
    before = await books(till.shop)
    assert_error(await till.try_to_move(draft["id"], "confirmed"), 422, "validation_error")
    assert await books(till.shop) == before
    assert await goods.taken() == (False, 1)


async def test_a_draft_is_given_up_and_frees_nothing(goods: Goods) -> None:
    draft = await goods.draft()
    given_up = await goods.till.move(draft["id"], "canceled")
    assert given_up["status"] == "canceled"
    assert await goods.taken() == (False, 10)


async def test_a_draft_that_was_given_up_can_still_become_an_order(goods: Goods) -> None:
    draft = await goods.draft()
    await goods.till.move(draft["id"], "canceled")
    await goods.till.move(draft["id"], "confirmed")
    assert await goods.taken() == (True, 8)
    await goods.till.move(draft["id"], "canceled")
    assert await goods.taken() == (False, 10)


async def test_nothing_is_paid_on_a_draft_until_it_is_an_order(goods: Goods) -> None:
    till, draft = goods.till, await goods.draft()
    payment = {"amount": 140, "payment_method_id": await method_of(till.shop)}
    path = f"/orders/{draft['id']}/payments"
    before = await books(till.shop)
    assert_error(await till.shop.post(path, payment), 422, "order_is_draft")
    assert_error(await till.try_to_refund(draft["id"]), 422, "order_is_draft")
    assert await books(till.shop) == before
    await till.move(draft["id"], "confirmed")
    assert (await till.shop.post(path, payment)).status_code == 201
    assert (await till.branch.read(draft["id"]))["payment_status"] == "paid"


async def test_a_draft_is_moved_once_however_often_the_request_comes(goods: Goods, branch: BranchFixture) -> None:
    till, draft = goods.till, await goods.draft()
    key = {"idempotency-key": str(uuid4())}
    path = f"/pos/orders/{draft['id']}"
    for _ in range(2):
        moved = await till.request("POST", f"{path}/status", {"status": "confirmed"}, headers=key)
        assert moved.json()["data"]["status"] == "confirmed"
    assert await goods.taken() == (True, 8)
    again = await till.request("PUT", path, bill("140.00", *goods.lines), headers={"idempotency-key": str(uuid4())})
    assert_error(again, 422, "validation_error")
    assert len((await branch.read(draft["id"]))["status_history"]) == 2


@pytest.mark.parametrize("status", ["draft", "paid", "", None, 1])
async def test_nothing_becomes_a_draft_again(goods: Goods, status: object) -> None:
    draft = await goods.draft()
    answer = await goods.till.request("POST", f"/pos/orders/{draft['id']}/status", {"status": status})
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["status"]


async def test_a_confirmed_draft_is_paid_at_the_till_with_change(goods: Goods) -> None:
    till, draft = goods.till, await goods.draft()
    early = await till.request("POST", f"/pos/orders/{draft['id']}/payments", await till.paid("10"))
    assert_error(early, 422, "order_is_draft")
    await till.move(draft["id"], "confirmed")
    payment = {**await till.paid("140", tendered="150"), "cashier": "Huda", "cashier_code": "07"}
    paid = json_exact(await till.request("POST", f"/pos/orders/{draft['id']}/payments", payment), 201)["data"]
    assert (paid["payment_status"], str(paid["change_due"]), str(paid["remaining_amount"])) == ("paid", "10.00", "0.00")
    kept = await till.shop.sql(
        "SELECT cashier, cashier_code FROM transactions WHERE tenant_id = $1 AND order_id = $2", UUID(draft["id"])
    )
    assert [tuple(row) for row in kept] == [("Huda", "07")]
    again = await till.request("POST", f"/pos/orders/{draft['id']}/payments", await till.paid("1"))
    assert set(assert_error(again, 422, "validation_error")["errors"]) == {"amount"}


async def test_less_cannot_be_handed_over_than_is_paid(goods: Goods) -> None:
    sale = await goods.till.ring_up("100.00", line(goods.cut), start=TEN)
    payment = await goods.till.paid("50", tendered="40")
    answer = await goods.till.request("POST", f"/pos/orders/{sale['id']}/payments", payment)
    assert set(assert_error(answer, 422, "validation_error")["errors"]) == {"total_amount"}


async def test_a_draft_becomes_a_sale_when_it_is_sent_as_none(goods: Goods) -> None:
    draft, till = await goods.draft(), goods.till
    payments = [await till.paid("100", "card"), await till.paid("40", tendered="50")]
    sold = json_exact(
        await till.change(draft["id"], "140.00", *goods.lines, start=TEN, isDraft=False, payment_methods=payments)
    )["data"]
    assert (sold["status"], sold["payment_status"], str(sold["change_due"])) == ("confirmed", "paid", "10.00")
    assert sold["order_number"] == draft["order_number"]
    assert await goods.taken() == (True, 8)
    order = await till.branch.read(draft["id"])
    assert [step["to"] for step in order["status_history"]] == ["draft", "confirmed"]


async def test_a_draft_that_cannot_become_a_sale_stays_as_it_was(goods: Goods) -> None:
    draft, till = await goods.draft(), goods.till
    before = await books(till.shop)
    for payments, field in (
        ([await till.paid("140.01")], "payment_methods.0.amount"),
        ([await till.paid("100"), await till.paid("41")], "payment_methods.1.amount"),
        ([await till.paid("100", tendered="99")], "payment_methods.0.total_amount"),
    ):
        body = {"start": TEN, "isDraft": False, "payment_methods": payments}
        answer = await till.change(draft["id"], "140.00", *goods.lines, **body)
        assert list(assert_error(answer, 422, "validation_error")["errors"]) == [field]
    await till.branch.take_off(goods.provider, local(day(3), "09:00"), local(day(3), "12:00"))
    assert_error(
        await till.change(draft["id"], "140.00", *goods.lines, start=TEN, isDraft=False), 422, "timeslot_unavailable"
    )
    assert await books(till.shop) == before
