"""Refunds without dead ends: deposits, amounts, methods, appointments that are given up, credit notes."""

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tests.support.branch import books, day, line, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.till import Till, set_currency
from tests.support.waiting import answered


async def appointment(till: Till, paid: str, *, price: str = "100", more: tuple[Document, ...] = ()) -> Document:
    """A coming appointment of one service, with so much paid in cash; `at` is its start."""
    branch = till.branch
    cut = await branch.add_service(price=price)
    await branch.add_provider(cut)
    on = day(3)
    at = (await branch.starts(cut, on))[0]
    placed = await branch.place(
        line(cut),
        *more,
        start=start(on, at),
        payment={"amount": float(paid), "payment_method_id": await method_of(till.shop)},
    )
    return {**placed, "service": cut, "on": on, "at": at}


async def is_free(till: Till, order: Document) -> bool:
    on: date = order["on"]
    return order["at"] in await till.branch.starts(order["service"], on)


async def refund(till: Till, order_id: str, **body: Any) -> Document:
    answer = await till.request("POST", f"/pos/orders/{order_id}/refunds", body)
    child: Document = json_exact(answer, 201)["data"]
    return child


async def refusal(till: Till, order_id: str, code: str = "validation_error", **body: Any) -> Document:
    before = await books(till.shop)
    answer = assert_error(await till.request("POST", f"/pos/orders/{order_id}/refunds", body), 422, code)
    assert await books(till.shop) == before
    return answer


async def cancellation(till: Till, order_id: str, status: str = "canceled") -> Any:
    return await till.shop.post(f"/orders/{order_id}/status", {"status": status})


async def invoice(till: Till, order_id: str) -> Document:
    issued: Document = json_exact(await till.request("POST", f"/pos/orders/{order_id}/invoice"), 201)["data"]
    return issued


async def test_a_deposit_can_be_given_back(till: Till) -> None:
    order = await appointment(till, "30")
    child = await refund(till, order["id"], whole=True)
    assert (str(child["total"]), [t["amount"] for t in child["transactions"]]) == ("-30.00", ["-30.00"])
    assert [(item["quantity"], str(item["total"])) for item in child["items"]] == [(-1, "-30.00")]
    after = await till.branch.read(order["id"])
    assert (after["status"], after["payment_status"], str(after["refunded_amount"])) == (
        "confirmed",
        "refunded",
        "30.00",
    )
    assert not await is_free(till, order)
    assert_error(await cancellation(till, order["id"]), 422, "invalid_status_transition")


async def test_an_appointment_is_given_up_with_its_refund(till: Till) -> None:
    cream = await till.branch.add_product(price="20", stock=10)
    order = await appointment(till, "140", more=(line(cream, "product", 2),))
    assert (await till.branch.stock(cream), await is_free(till, order)) == (8, False)
    child = await refund(till, order["id"], whole=True, cancel_order=True, reason="ill")
    after = await till.branch.read(order["id"])
    assert (after["status"], after["payment_status"], after["refund_ids"]) == ("canceled", "refunded", [child["id"]])
    assert [step["note"] for step in after["status_history"]][-1] == "ill"
    assert (await till.branch.stock(cream), await is_free(till, order)) == (10, True)


async def test_a_part_can_be_kept_when_an_appointment_is_given_up(till: Till) -> None:
    order = await appointment(till, "100")
    await refund(till, order["id"], amount=80, cancel_order=True)
    after = await till.branch.read(order["id"])
    assert (after["status"], after["payment_status"]) == ("canceled", "partially_refunded")
    assert await is_free(till, order)
    await refund(till, order["id"], whole=True)
    assert str((await till.branch.read(order["id"]))["refunded_amount"]) == "100.00"


async def test_a_refund_cancels_only_an_upcoming_appointment(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sale = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    assert set((await refusal(till, sale["id"], whole=True, cancel_order=True))["errors"]) == {"cancel_order"}


async def test_no_status_cancels_an_order_with_refunds_but_a_refund_does(till: Till) -> None:
    order = await appointment(till, "100")
    await refund(till, order["id"], amount=40)
    assert_error(await cancellation(till, order["id"]), 422, "invalid_status_transition")
    assert not await is_free(till, order)
    await refund(till, order["id"], amount=50)
    assert_error(await cancellation(till, order["id"]), 422, "invalid_status_transition")
    await refund(till, order["id"], whole=True, cancel_order=True)
    assert await is_free(till, order)


@pytest.mark.parametrize("first", ["cancel", "refund"])
async def test_an_order_that_was_canceled_and_refunded_does_not_come_back(till: Till, first: str) -> None:
    order = await appointment(till, "100")
    if first == "cancel":
        assert (await cancellation(till, order["id"])).status_code == 200
        await refund(till, order["id"], amount=1)
    else:
        await refund(till, order["id"], whole=True, cancel_order=True)
    before = await books(till.shop)
    for status in ("confirmed", "in-progress", "completed"):
        assert_error(await cancellation(till, order["id"], status), 422, "invalid_status_transition")
    assert await books(till.shop) == before
    assert await is_free(till, order)


async def test_an_amount_is_given_back_as_such_and_returns_no_pieces(till: Till) -> None:
    cream, soap = await till.branch.add_product(price="20", stock=9), await till.branch.add_product(price="10", stock=9)
    lines = [line(cream, "product", 2), line(soap, "product")]
    sale = await till.ring_up("50.00", *lines, payment_methods=[await till.paid("50")])
    child = await refund(till, sale["id"], amount=10.01)
    assert (str(child["total"]), sum(item["total"] for item in child["items"])) == ("-10.01", Decimal("-10.01"))
    assert {item["quantity"] for item in child["items"]} == {-1}
    assert set((await refusal(till, sale["id"], amount=10, restock=True))["errors"]) == {"restock"}
    for amount in (0, -1, 39.991, 40, 10**12):
        assert set((await refusal(till, sale["id"], amount=amount))["errors"]) == {"amount"}
    by_line = await refund(
        till, sale["id"], lines=[{"line_id": sale["items"][1]["line_id"], "quantity": 1}], restock=True
    )
    assert str(by_line["total"]) == "-10.00"
    rest = await refund(till, sale["id"], whole=True, restock=True)
    assert str(rest["total"]) == "-29.99"
    assert (await till.branch.stock(cream), await till.branch.stock(soap)) == (9, 9)
    assert set((await refusal(till, sale["id"], whole=True))["errors"]) == {"whole"}


async def test_a_refund_names_lines_or_an_amount_or_the_whole(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    sale = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    lines = [{"line_id": sale["items"][0]["line_id"], "quantity": 1}]
    given: Document = {"lines": lines, "amount": 5, "whole": True}
    for names in (("lines", "whole"), ("lines", "amount"), ("amount", "whole"), ("lines", "amount", "whole")):
        answer = await refusal(till, sale["id"], **{name: given[name] for name in names})
        assert set(answer["errors"]) == set(names)


async def test_money_goes_back_by_the_method_that_is_named(till: Till) -> None:
    cream = await till.branch.add_product(price="20")
    payments = [await till.paid("15", "card"), await till.paid("5", "cash")]
    sale = await till.ring_up("20.00", line(cream, "product"), payment_methods=payments)
    bank = await method_of(till.shop, "bank_transfer")
    child = await refund(till, sale["id"], amount=8, payment_method_id=bank)
    assert {t["payment_method"]["id"] for t in child["transactions"]} == {bank}
    assert sum(Decimal(t["amount"]) for t in child["transactions"]) == -8
    rest = await refund(till, sale["id"], whole=True)
    assert [(t["payment_method"]["slug"], t["amount"]) for t in rest["transactions"]] == [("card", "-12.00")]
    other = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    await refusal(till, other["id"], "payment_method_not_found", whole=True, payment_method_id=other["id"])


async def test_each_refund_of_an_invoiced_order_has_a_credit_note(till: Till) -> None:
    order = await appointment(till, "100")
    bill = await invoice(till, order["id"])
    assert_error(await cancellation(till, order["id"]), 422, "order_has_invoice")
    first = await refund(till, order["id"], amount=33.33)
    assert_error(await cancellation(till, order["id"]), 422, "order_has_invoice")
    second = await refund(till, order["id"], whole=True)
    notes = [
        json_exact(await till.request("GET", f"/pos/orders/{child['id']}/credit-note"))["data"]
        for child in (first, second)
    ]
    assert [str(note["total"]) for note in notes] == ["33.33", "66.67"]
    assert [note["invoice_number"] for note in notes] == [bill["invoice_number"]] * 2
    assert notes[1]["credit_note_number"] == notes[0]["credit_note_number"] + 1
    assert sum(note["tax_amount"] for note in notes) == bill["tax_amount"]
    for status in ("canceled", "draft"):
        assert (await cancellation(till, order["id"], status)).status_code == 422
    assert_error(await cancellation(till, order["id"]), 422, "order_has_invoice")
    assert not await is_free(till, order)


async def test_a_refund_before_the_invoice_gets_its_credit_note_with_it(till: Till) -> None:
    cream = await till.branch.add_product(price="20", stock=9)
    sale = await till.ring_up("20.00", line(cream, "product"), payment_methods=[await till.paid("20")])
    await refund(till, sale["id"], whole=True)
    await invoice(till, sale["id"])
    (child,) = (await till.branch.read(sale["id"]))["refund_ids"]
    assert str((await credit_note(till, child))["total"]) == "20.00"
    assert_error(await cancellation(till, sale["id"]), 422, "order_has_invoice")


async def credit_note(till: Till, order_id: str) -> Document:
    note: Document = json_exact(await till.request("GET", f"/pos/orders/{order_id}/credit-note"))["data"]
    return note


async def test_a_refund_that_cancels_credits_the_rest_of_the_invoice(till: Till) -> None:
    """The whole invoice is credited with the cancellation, though nearly nothing of it was paid."""
    oil = await till.branch.add_product(price="50.50", stock=9)
    order = await appointment(till, "0.01", price="699.50", more=(line(oil, "product"),))
    bill = await invoice(till, order["id"])
    assert str(bill["total"]) == "750.00"
    child = await refund(till, order["id"], whole=True)
    assert_error(await cancellation(till, order["id"]), 422, "order_has_invoice")
    paid = {"amount": 100, "payment_method_id": await method_of(till.shop)}
    json_exact(await till.shop.post(f"/orders/{order['id']}/payments", paid), 201)
    last = await refund(till, order["id"], amount=40, cancel_order=True)
    notes = [await credit_note(till, id_) for id_ in (child["id"], last["id"], order["id"])]
    assert [str(note["total"]) for note in notes] == ["0.01", "40.00", "709.99"]
    assert sum(note["tax_amount"] for note in notes) == bill["tax_amount"]
    assert {note["invoice_number"] for note in notes} == {bill["invoice_number"]}
    assert await is_free(till, order)
    assert await till.branch.stock(oil) == 9
    # What is refunded later was credited already.
    later = await refund(till, order["id"], whole=True)
    assert str(later["total"]) == "-60.00"
    assert (await till.request("GET", f"/pos/orders/{later['id']}/credit-note")).status_code == 404
    for status in ("confirmed", "in-progress", "completed"):
        assert_error(await cancellation(till, order["id"], status), 422, "invalid_status_transition")


async def test_a_refund_keeps_its_status(till: Till) -> None:
    order = await appointment(till, "100")
    child = await refund(till, order["id"], amount=10)
    for status in ("confirmed", "in-progress", "canceled"):
        assert_error(await cancellation(till, child["id"], status), 422, "invalid_status_transition")
        answer = await till.request("POST", f"/pos/orders/{child['id']}/status", {"status": status})
        assert_error(answer, 422, "invalid_status_transition")
    assert (await cancellation(till, child["id"], "completed")).status_code == 200, "as it is"


@pytest.mark.parametrize("format_", ["html", "pdf"])
async def test_a_credit_note_can_be_printed(till: Till, format_: str) -> None:
    order = await appointment(till, "100")
    await invoice(till, order["id"])
    child = await refund(till, order["id"], amount=12.5, reason="The colour faded.")
    for language, title in (("en", "redit note"), ("ar", "إشعار دائن")):
        path = f"/pos/orders/{child['id']}/credit-note?format={format_}&language={language}"
        answer = await answered(partial(till.request, "GET", path))
        assert answer.status_code == 200
        if format_ == "html":
            assert title in answer.text
            assert "12.50" in answer.text
            assert "The colour faded." in answer.text
    assert (await till.request("GET", f"/pos/orders/{order['id']}/credit-note")).status_code == 404


@pytest.mark.parametrize(
    ("currency", "decimals", "written"), [("SAR", 2, "20.00"), ("KWD", 3, "20.000"), ("JPY", 0, "20")]
)
async def test_amounts_of_invoices_have_the_decimals_of_the_currency(
    till: Till, currency: str, decimals: int, written: str
) -> None:
    await set_currency(till.shop, currency, decimals)
    try:
        cream = await till.branch.add_product(price="20")
        sale = await till.ring_up("20", line(cream, "product"), payment_methods=[await till.paid("20")])
        bill = await invoice(till, sale["id"])
        child = await refund(till, sale["id"], whole=True)
        note = json_exact(await till.request("GET", f"/pos/orders/{child['id']}/credit-note"))["data"]
        read = json_exact(await till.request("GET", f"/pos/orders/{sale['id']}/invoice"))["data"]
        page = (await till.request("GET", f"/pos/orders/{sale['id']}/invoice?format=html")).text
    finally:
        await set_currency(till.shop, "SAR", 2)
    for found in (bill, read, note):
        assert str(found["total"]) == written
        assert -int(Decimal(found["tax_amount"]).as_tuple().exponent) == decimals
    assert f">{written}<" in page


async def test_lists_hold_refunds_with_negative_amounts(till: Till) -> None:
    order = await appointment(till, "100")
    child = await refund(till, order["id"], amount=25)
    listed = {one["id"]: one for one in json_exact(await till.shop.get("/orders"))["data"]}
    assert (listed[child["id"]]["parent_id"], str(listed[child["id"]]["total"])) == (order["id"], "-25.00")
    assert listed[order["id"]]["parent_id"] is None
    moved = json_exact(await till.shop.get("/transactions", params={"order_id": child["id"]}))["data"]
    assert [t["amount"] for t in moved] == ["-25.00"]
    assert (await till.branch.read(order["id"]))["refund_ids"] == [child["id"]]
