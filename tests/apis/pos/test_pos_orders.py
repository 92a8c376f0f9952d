"""Ringing up a sale: its sums are ours, its payments come all or not at all, and it takes what it sells."""

from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from tests.factories.applications import disconnect_installs, reconnect_installs
from tests.factories.changes import change_row, change_rows
from tests.factories.credentials import make_branch_key
from tests.support.branch import BranchFixture, books, day, line, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.till import Till, bill, faults, refusal

pytestmark = pytest.mark.both_servers

CASHIER = {"cashier": "Huda", "cashier_code": "07"}


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["services", "sub_total", "total"]),
        ({"services": [], "total": 1, "sub_total": "one"}, ["services", "sub_total", "total"]),
        ({"services": [{}], "total": "1e2", "sub_total": "1.2345"},
         ["services.0.id", "services.0.quantity", "services.0.type", "sub_total", "total"]),
        ({"services": [{"id": "x", "type": "gift", "quantity": 0, "staffId": 1, "price": "1", "unit_amount": True,
                        "total_amount": "", "applyDiscount": "no"}], "total": "", "sub_total": None},
         [*(f"services.0.{name}" for name in
            ("applyDiscount", "id", "price", "quantity", "staffId", "total_amount", "type", "unit_amount")),
          "sub_total", "total"]),
        ({"start": "soon", "isDraft": 1, "customer_id": "me", "cashier": 7, "cashier_code": "", "discount": {},
          "payment_methods": [{"id": 1, "amount": "5", "total_amount": None}, 3]},
         ["cashier", "cashier_code", "customer_id", "discount.amount", "discount.type", "isDraft",
          "payment_methods.0.amount", "payment_methods.0.id", "payment_methods.1", "services", "start", "sub_total",
          "total"]),
    ],
)  # fmt: skip
async def test_a_malformed_sale_is_refused_by_field(till: Till, body: Document, fields: list[str]) -> None:
    answer = await till.request("POST", "/pos/orders", body)
    assert sorted(assert_error(answer, 422, "validation_error")["errors"]) == fields


async def test_a_walk_in_sale_needs_no_customer_and_no_payment(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sold = await till.ring_up("40.00", line(cream, "product", 2), customer_id=None, payment_methods=[])
    assert (sold["status"], sold["payment_status"], sold["transaction"], sold["transactions"]) == (
        "confirmed",
        "unpaid",
        None,
        [],
    )
    assert (str(sold["paid_amount"]), str(sold["remaining_amount"]), str(sold["change_due"])) == (
        "0.00",
        "40.00",
        "0.00",
    )
    (item,) = sold["items"]
    assert {**item, "line_id": "any"} == {
        "id": str(cream),
        "line_id": "any",
        "name": "شيء",
        "type": "product",
        "price": Decimal("20.00"),
        "quantity": 2,
        "discount_amount": Decimal("0.00"),
        "total": Decimal("40.00"),
        "option": None,
        "staff_id": None,
    }
    order = await till.branch.read(sold["id"])
    assert (order["customer"], order["source"], order["branch"]["id"]) == (None, "pos", str(till.branch.branch_id))
    assert await till.branch.stock(cream) == 8


async def test_a_customer_may_be_named_and_must_be_an_unblocked_one_of_ours(till: Till, other_shop: Shop) -> None:
    cream, shop, buyer = await till.branch.add_product(price="20"), till.shop, till.branch.customer_id
    sold = await till.ring_up("20.00", line(cream, "product"), customer_id=str(buyer))
    assert (await till.branch.read(sold["id"]))["customer"]["id"] == str(buyer)
    theirs = (await other_shop.first("/customers"))["id"]
    for stranger in (str(uuid4()), theirs):
        assert await faults(till, "20.00", line(cream, "product"), customer_id=stranger) == ["customer_id"]
    await change_row(shop, "customers", buyer, blocked=True)
    assert await faults(till, "20.00", line(cream, "product"), customer_id=str(buyer)) == ["customer_id"]


@pytest.mark.parametrize(
    ("total", "sub_total"),
    [("35.99", "40.00"), ("36.01", "40.00"), ("-36.00", "40.00"), ("40.00", "40.00"), ("36.00", "36.00")],
)
async def test_sums_that_differ_from_ours_are_refused_with_ours(till: Till, total: str, sub_total: str) -> None:
    cream = await till.branch.add_product(price="20")
    discount = {"type": "percentage", "amount": 10, "apply_all": True}
    lines = [line(cream, "product", 2)]
    answer = await refusal(till, "total_mismatch", total, *lines, sub_total=sub_total, discount=discount)
    assert answer["details"]["expected"] == {
        "sub_total": "40.00",
        "discount_amount": "4.00",
        "total": "36.00",
        "lines": ["40.00"],
    }


async def test_a_lines_own_sum_is_compared_where_it_is_given(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    one, two = line(cream, "product", total_amount=20), line(cream, "product", 2, total_amount=39.99)
    answer = await refusal(till, "total_mismatch", "60.00", one, two)
    assert answer["details"]["expected"]["lines"] == ["20.00", "40.00"]
    await till.ring_up("60.00", one, line(cream, "product", 2, total_amount=40))


async def test_sums_are_compared_as_numbers(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    assert (await till.ring_up("20", line(cream, "product")))["total"] == 20
    assert (await till.ring_up("20.000", line(cream, "product")))["total"] == 20


async def test_the_price_that_the_till_sends_is_charged(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sold = await till.ring_up(
        "39.50",
        line(cream, "product", 3, unit_amount=5.5, price=5.50, total_amount=16.5),
        line(cream, "product", price=23),
    )
    assert [str(item["price"]) for item in sold["items"]] == ["5.50", "23.00"]
    assert await faults(till, "-1.00", line(cream, "product", price=-1)) == ["services.0.price"]
    assert await faults(till, "1.00", line(cream, "product", unit_amount=-1)) == ["services.0.unit_amount"]
    assert await faults(till, "1.00", line(cream, "product", unit_amount=0.001)) == ["services.0.unit_amount"]


async def test_a_discount_is_kept_line_by_line(till: Till) -> None:
    cream = await till.branch.add_product(price="10")
    lines = [line(cream, "product", applyDiscount=True)] * 3
    discount = {"type": "fixed", "amount": 10}
    sold = await till.ring_up("20.00", *lines, sub_total="30.00", discount=discount)
    assert [str(item["discount_amount"]) for item in sold["items"]] == ["3.34", "3.33", "3.33"]
    assert (str(sold["sub_total"]), str(sold["discount_amount"])) == ("30.00", "10.00")
    order = await till.branch.read(sold["id"])
    assert (str(order["discount_amount"]), str(order["total"])) == ("10.00", "20.00")


async def test_a_start_is_checked_as_for_any_order_and_taken(till: Till) -> None:
    branch = till.branch
    cut = await branch.add_service(price="100")
    provider = await branch.add_provider(cut)
    at_ten = start(day(3), "10:00")
    sold = await till.ring_up("100.00", line(cut), start=at_ten)
    assert sold["items"][0]["staff_id"] == str(provider)
    (booking,) = (await branch.read(sold["id"]))["bookings"]
    assert booking["start"] == f"{at_ten}+03:00"
    assert "10:00" not in await branch.starts(cut, day(3))
    for at, reason in (("10:00", "booked"), ("20:00", "outside_working_hours"), ("11:07", "off_grid")):
        answer = await refusal(till, "timeslot_unavailable", "100.00", line(cut), start=start(day(3), at))
        assert answer["details"]["reason"] == reason
        assert answer["details"]["alternatives"]
    past = await refusal(till, "timeslot_unavailable", "100.00", line(cut), start=start(day(-1), "10:00"))
    assert past["details"]["reason"] == "past"
    again = await refusal(
        till, "timeslot_unavailable", "100.00", line(cut, staffId=provider), start=at_ten, payment_methods=[]
    )
    assert again["details"]["reason"] == "booked"


async def test_without_a_start_services_are_sold_without_a_booking(till: Till) -> None:
    branch = till.branch
    cut = await branch.add_service(price="100")
    provider = await branch.add_provider(cut, price="130")
    sold = await till.ring_up("230.00", line(cut, staffId=provider), line(cut), start=None)
    order = await branch.read(sold["id"])
    assert (order["bookings"], order["start"]) == ([], None)
    assert [item["staff_id"] for item in order["items"]] == [str(provider), None]
    assert "10:00" in await branch.starts(cut, day(3))


async def test_a_named_provider_must_perform_the_service(till: Till, other_shop: Shop) -> None:
    cut, cream = await till.branch.add_service(), await till.branch.add_product()
    stranger = await till.branch.add_provider()
    theirs = (await other_shop.first("/staff"))["id"]
    assert await faults(
        till, "1.00", line(cut, staffId=stranger), line(cut, staffId=theirs), line(cream, "product", staffId=theirs)
    ) == ["services.0.staffId", "services.1.staffId", "services.2.staffId"]
    sold = await till.ring_up("20.00", line(cream, "product", staffId=stranger))
    assert sold["items"][0]["staff_id"] == str(stranger)


async def test_what_is_sold_must_be_ours_of_its_type_for_sale_and_in_stock(till: Till, other_shop: Shop) -> None:
    branch = till.branch
    cream, gone = await branch.add_product(stock=3), await branch.add_product(active=False)
    theirs = (await other_shop.first("/items"))["id"]
    lines = [
        line(i, kind) for i, kind in ((theirs, "product"), (cream, "service"), (cream, "package"), (gone, "product"))
    ]
    assert await faults(till, "1.00", *lines) == [f"services.{place}.id" for place in range(4)]
    two = [line(cream, "product", 2)] * 2
    assert await faults(till, "80.00", *two) == ["services.1.quantity"]
    await till.ring_up("60.00", line(cream, "product", 3))
    assert await branch.stock(cream) == 0


async def test_a_split_payment_is_kept_method_by_method(till: Till) -> None:
    cream = await till.branch.add_product(price="100")
    split = [
        await till.paid("30", "card"),
        await till.paid("20.50", "mizan-pay"),
        await till.paid("49.50", tendered="60"),
    ]
    sold = await till.ring_up("100.00", line(cream, "product"), payment_methods=split, **CASHIER)
    assert (sold["payment_status"], str(sold["remaining_amount"]), str(sold["change_due"])) == ("paid", "0.00", "10.50")
    assert [(t["payment_method"]["slug"], t["amount"], t["status"]) for t in sold["transactions"]] == [
        ("card", "30.00", "confirmed"),
        ("mizan-pay", "20.50", "confirmed"),
        ("cash", "49.50", "confirmed"),
    ]
    numbers = [t["transaction_no"] for t in sold["transactions"]]
    assert numbers == list(range(numbers[0], numbers[0] + 3))
    assert sold["transaction"]["id"] == sold["transactions"][0]["id"]
    listed = json_exact(await till.shop.get("/transactions", params={"order_id": sold["id"]}))["data"]
    assert sorted(t["id"] for t in listed) == sorted(t["id"] for t in sold["transactions"])


async def test_the_cashier_is_kept_on_the_sale_and_its_transactions_as_given(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sold = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")], **CASHIER)
    assert sold["cashier"] == "Huda"
    rows = await till.shop.sql(
        """
        SELECT o.cashier, o.cashier_code, t.cashier AS taker, t.cashier_code AS taker_code
        FROM orders o JOIN transactions t ON t.tenant_id = o.tenant_id AND t.order_id = o.id
        WHERE o.tenant_id = $1 AND o.id = $2
        """,
        UUID(sold["id"]),
    )
    assert [tuple(row) for row in rows] == [("Huda", "07", "Huda", "07")]


async def test_a_sale_can_be_paid_in_part(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sold = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("5", tendered="5")])
    assert (sold["payment_status"], str(sold["remaining_amount"]), str(sold["change_due"])) == (
        "partially_paid",
        "15.00",
        "0.00",
    )


async def test_more_than_the_total_cannot_be_applied(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    cash = await till.paid("20.01")
    answer = await refusal(till, "validation_error", "20.00", line(cream, "product"), payment_methods=[cash])
    assert (list(answer["errors"]), answer["details"]) == (["payment_methods.0.amount"], {"remaining": "20.00"})
    split = [await till.paid("15", "card"), await till.paid("5.01")]
    answer = await refusal(till, "validation_error", "20.00", line(cream, "product"), payment_methods=split)
    assert (list(answer["errors"]), answer["details"]) == (["payment_methods.1.amount"], {"remaining": "5.00"})


@pytest.mark.parametrize(
    ("payment", "field"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": -1}, "amount"),
        ({"amount": 1.005}, "amount"),
        ({"amount": 20, "total_amount": 19.99}, "total_amount"),
        ({"amount": 20, "total_amount": 20.001}, "total_amount"),
    ],
)
async def test_a_payment_is_an_amount_and_what_was_tendered_is_no_less(
    till: Till, payment: Document, field: str
) -> None:
    cream, cash = await till.branch.add_product(price="20"), await method_of(till.shop)
    found = await faults(till, "20.00", line(cream, "product"), payment_methods=[{"id": cash, **payment}])
    assert found == [f"payment_methods.0.{field}"]


async def test_one_method_that_cannot_be_used_undoes_the_whole_sale(till: Till, other_shop: Shop) -> None:
    cream = await till.branch.add_product(price="20")
    cash = await till.paid("10")
    for unknown in (str(uuid4()), await method_of(other_shop)):
        split = [cash, {"id": unknown, "amount": 10}]
        await refusal(till, "payment_method_not_found", "20.00", line(cream, "product"), payment_methods=split)
    assert await till.branch.stock(cream) == 10


async def test_a_method_that_was_switched_off_or_disconnected_takes_no_money(till: Till, branch: BranchFixture) -> None:
    cream, shop = await branch.add_product(price="20"), branch.shop
    (install,) = await shop.sql(
        "SELECT install_id AS id FROM payment_methods WHERE tenant_id = $1 AND slug = 'mizan-pay'"
    )
    sale = ("20.00", line(cream, "product"))
    try:
        await change_rows(shop, "payment_methods", {"slug": "bank_transfer"}, active=False)
        await refusal(till, "payment_method_not_found", *sale, payment_methods=[await till.paid("20", "bank_transfer")])
        await disconnect_installs(shop, install_id=install["id"])
        split = [await till.paid("10"), await till.paid("10", "mizan-pay")]
        await refusal(till, "payment_method_unavailable", *sale, payment_methods=split)
    finally:
        await change_rows(shop, "payment_methods", active=True)
        await reconnect_installs(shop)


async def test_a_draft_takes_no_payment_whatever_the_payment_is(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    for payment in (await till.paid("20"), await till.paid("99"), {"id": str(uuid4()), "amount": 1}):
        await refusal(till, "order_is_draft", "20.00", line(cream, "product"), isDraft=True, payment_methods=[payment])


async def test_a_retry_with_the_same_key_sells_once(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    body = bill("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    key = {"idempotency-key": f'"{uuid4()}"'}
    first = await till.request("POST", "/pos/orders", body, headers=key)
    before = await books(till.shop)
    again = await till.request("POST", "/pos/orders", body, headers=key)
    assert (first.status_code, again.status_code, first.content) == (201, 201, again.content)
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    other = await till.request("POST", "/pos/orders", {**body, "cashier": "Huda"}, headers=key)
    assert_error(other, 422, "idempotency_key_reused")
    assert await books(till.shop) == before
    assert await till.branch.stock(cream) == 9


async def test_a_refused_sale_keeps_no_key(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    key = str(uuid4())
    wrong = await till.request(
        "POST", "/pos/orders", bill("21.00", line(cream, "product")), headers={"idempotency-key": key}
    )
    assert_error(wrong, 422, "total_mismatch")
    await till.ring_up("20.00", line(cream, "product"), idempotency_key=key)


async def test_a_key_bound_to_a_branch_works_in_it_alone(till: Till, busy_shop: Shop, branch: BranchFixture) -> None:
    bound = Till(branch, await make_branch_key(busy_shop, branch.branch_id))
    here = await branch.add_product(price="20")
    (other,) = await busy_shop.sql("SELECT id, branch_id FROM items WHERE tenant_id = $1 AND slug = 'hair-mask'")
    assert await faults(bound, "75.00", line(other["id"], "product")) == ["services.0.id"]
    own = await bound.ring_up("20.00", line(here, "product"), isDraft=True)
    elsewhere = await till.ring_up("75.00", line(other["id"], "product"), isDraft=True)
    for answer in (
        await bound.change(elsewhere["id"], "20.00", line(here, "product")),
        await bound.try_to_move(elsewhere["id"], "confirmed"),
        await bound.try_to_refund(elsewhere["id"]),
    ):
        assert_error(answer, 404, "not_found")
    close = await bound.request("GET", f"/pos/day-close?team_id={other['branch_id']}&date={day(0)}")
    assert list(assert_error(close, 422, "validation_error")["errors"]) == ["team_id"]
    assert (await bound.move(own["id"], "confirmed"))["status"] == "confirmed"
    assert (await branch.read(elsewhere["id"]))["status"] == "draft"


async def test_another_business_finds_none_of_our_orders(till: Till, other_shop: Shop, branch: BranchFixture) -> None:
    cream = await branch.add_product(price="20")
    ours = await till.ring_up("20.00", line(cream, "product"), isDraft=True)
    before = await books(till.shop)
    theirs = Till(branch, other_shop.sandbox.api_key)
    for id_ in (ours["id"], str(uuid4()), "nothing"):
        for answer in (
            await theirs.change(id_, "20.00", line(cream, "product")),
            await theirs.try_to_move(id_, "canceled"),
            await theirs.try_to_refund(id_),
        ):
            assert_error(answer, 404, "not_found")
    assert await books(till.shop) == before


async def test_what_was_calculated_is_charged_with_any_provider(till: Till) -> None:
    cut = await till.branch.add_service(price="100")
    await till.branch.add_provider(cut, price="170")
    sums = await till.calculate({"item_id": str(cut), "quantity": 1})
    sold = await till.ring_up(sums["total"], line(cut), start=start(day(3), "10:00"))
    assert str(sold["total"]) == sums["total"] == "100.00"


async def test_a_price_and_a_unit_amount_that_differ_are_refused(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    named = line(cream, "product", price=20, unit_amount=19)
    assert await faults(till, "20.00", line(cream, "product"), named) == ["services.1.price", "services.1.unit_amount"]
    same = line(cream, "product", price=19, unit_amount=19.0)
    assert str((await till.ring_up("19.00", same))["total"]) == "19.00"
