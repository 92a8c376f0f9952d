"""Paying an order in the request that places it: both or nothing."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.applications import disconnect_installs
from tests.factories.changes import change_row, change_rows, change_tenant
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, books, day, line, local, method_of, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.waiting import eventually


async def _bill(branch: BranchFixture) -> Document:
    """An order of 140: a service and two pieces of a product."""
    cut, cream = await branch.add_service(), await branch.add_product()
    await branch.add_provider(cut)
    return branch.order(line(cut), line(cream, "product", 2), start=start(day(3), "10:00"))


async def _pay(branch: BranchFixture, **payment: Any) -> Document:
    body = {**await _bill(branch), "payment": {"amount": 140, "payment_method_type": "cash", **payment}}
    placed: Document = json_exact(await branch.shop.post("/orders", body), 201)["data"]
    return placed


async def _refusal(branch: BranchFixture, code: str, payment: Document, *, token: str | None = None) -> Document:
    """Neither order nor payment stays, and the next order gets the number that this one would have had."""
    body = {**await _bill(branch), "payment": payment}
    before = await books(branch.shop)
    status = 403 if code == "insufficient_scope" else 422
    answer = assert_error(await branch.shop.post("/orders", body, token=token), status, code)
    assert await books(branch.shop) == before
    (counter,) = await branch.shop.sql(
        "SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number'"
    )
    placed = json_exact(await branch.shop.post("/orders", {**body, "payment": None}), 201)["data"]
    assert int(placed["order_number"]) == counter["value"] + 1
    return answer


async def test_an_order_and_its_confirmed_payment_are_made_together(branch: BranchFixture) -> None:
    placed = await _pay(branch, reference_number=" TX-1 ", note=" Thanks ", date="2026-01-02T10:00:00Z")
    assert placed["payment_status"] == "paid"
    sent = placed["transaction"]
    assert sent == {
        "id": sent["id"],
        "amount": "140.00",
        "currency": "SAR",
        "status": "confirmed",
        "reference_number": "TX-1",
        "date": "2026-01-02T13:00:00+03:00",
    }
    (kept,) = await branch.shop.sql("SELECT * FROM transactions WHERE tenant_id = $1 AND id = $2", UUID(sent["id"]))
    assert (kept["order_id"], kept["note"], kept["amount"], str(kept["payment_method_id"])) == (
        UUID(placed["id"]),
        "Thanks",
        Decimal(140),
        await method_of(branch.shop, "cash"),
    )
    order = await branch.read(placed["id"])
    assert (order["paid_amount"], order["remaining_amount"], order["payment_status"]) == (140, 0, "paid")
    assert [transaction["id"] for transaction in order["transactions"]] == [sent["id"]]


async def test_paying_at_once_counts_as_a_use_of_both_scopes(branch: BranchFixture) -> None:
    client = await make_client(branch.shop, scopes=["orders:write", "transactions:write"])
    bill, payment = await _bill(branch), {"amount": 140, "payment_method_type": "cash"}
    json_exact(await branch.shop.post("/orders", {**bill, "payment": payment}, token=await client.token()), 201)

    async def written() -> bool:
        found = await branch.shop.sql(
            "SELECT scope FROM scope_usage WHERE tenant_id = $1 AND caller_id = $2 AND scope <> ''", client.id
        )
        return {row["scope"] for row in found} == {"orders:write", "transactions:write"}

    await eventually(written)


async def test_a_date_defaults_to_now_and_is_local_without_an_offset(branch: BranchFixture) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    date = (await _pay(branch))["transaction"]["date"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00", date)
    assert before <= datetime.fromisoformat(date) <= datetime.now(UTC)
    date = (await _pay(branch, date=f"{day(-3)}T09:30:00"))["transaction"]["date"]
    assert datetime.fromisoformat(date) == local(day(-3), "09:30")


async def test_a_partial_inline_payment_is_a_deposit(branch: BranchFixture) -> None:
    placed = await _pay(branch, amount=40.5)
    assert (placed["payment_status"], placed["transaction"]["amount"]) == ("partially_paid", "40.50")
    order = await branch.read(placed["id"])
    assert (order["remaining_amount"], order["transactions"][0]["is_deposit"]) == (Decimal("99.50"), True)
    whole = await branch.read((await _pay(branch))["id"])
    assert whole["transactions"][0]["is_deposit"] is False


async def test_a_part_of_a_sale_without_a_booking_is_no_deposit(branch: BranchFixture) -> None:
    cream = await branch.add_product()
    placed = await branch.place(line(cream, "product"), payment={"amount": 1, "payment_method_type": "cash"})
    assert (await branch.read(placed["id"]))["transactions"][0]["is_deposit"] is False


async def test_no_payment_is_no_transaction(branch: BranchFixture) -> None:
    body = await _bill(branch)
    placed = json_exact(await branch.shop.post("/orders", {**body, "payment": None}), 201)["data"]
    assert (placed["transaction"], placed["payment_status"]) == (None, "unpaid")


# The method


@pytest.mark.parametrize("slug", ["cash", "card", "bank_transfer", "third-party"])
async def test_a_type_means_the_only_active_method_of_it(branch: BranchFixture, slug: str) -> None:
    placed = await _pay(branch, payment_method_type=slug)
    (transaction,) = (await branch.read(placed["id"]))["transactions"]
    method = json_exact(await branch.shop.get(f"/payment-methods/{transaction['payment_method']['id']}"))["data"]
    assert method["type"]["slug"] == slug


async def test_a_payment_method_id_counts_before_its_type(branch: BranchFixture) -> None:
    card = await method_of(branch.shop, "card")
    for ignored in ("cash", "voucher", "nonsense", None):
        placed = await _pay(branch, payment_method_id=card, payment_method_type=ignored)
        (transaction,) = (await branch.read(placed["id"]))["transactions"]
        assert transaction["payment_method"]["id"] == card


async def test_a_method_that_the_business_does_not_have_is_not_found(branch: BranchFixture, other_shop: Shop) -> None:
    for method_id in (str(uuid4()), await method_of(other_shop, "cash")):
        for also in ({}, {"payment_method_type": "cash"}):
            payment = {"amount": 1, "payment_method_id": method_id, **also}
            await _refusal(branch, "payment_method_not_found", payment)


@pytest.mark.parametrize("slug", ["voucher", "other", "nonsense", "Cash"])
async def test_a_type_without_an_active_method_is_not_found(branch: BranchFixture, slug: str) -> None:
    await _refusal(branch, "payment_method_not_found", {"amount": 1, "payment_method_type": slug})


async def test_a_method_that_is_switched_off_is_not_found(own_branch: BranchFixture) -> None:
    card = await method_of(own_branch.shop, "card")
    await change_rows(own_branch.shop, "payment_methods", {"slug": "card"}, active=False)
    for named in ({"payment_method_type": "card"}, {"payment_method_id": card}):
        await _refusal(own_branch, "payment_method_not_found", {"amount": 1, **named})


async def test_a_type_of_several_active_methods_is_ambiguous(own_branch: BranchFixture) -> None:
    second = json_exact(await own_branch.shop.post("/payment-methods", {"name": "Till 2", "type": "cash"}), 201)["data"]
    answer = await _refusal(own_branch, "payment_method_type_ambiguous", {"amount": 1, "payment_method_type": "cash"})
    assert set(answer["details"]["payment_method_ids"]) == {second["id"], await method_of(own_branch.shop, "cash")}
    await change_row(own_branch.shop, "payment_methods", UUID(second["id"]), active=False)
    assert (await _pay(own_branch))["payment_status"] == "paid"


@pytest.mark.parametrize("named", [{}, {"payment_method_id": None, "payment_method_type": None}])
async def test_an_amount_without_a_method_is_refused(branch: BranchFixture, named: dict[str, Any]) -> None:
    await _refusal(branch, "payment_method_required", {"amount": 1, **named})


async def test_the_method_of_a_disconnected_application_is_unavailable(own_branch: BranchFixture) -> None:
    method = await method_of(own_branch.shop, "mizan-pay")
    assert (await _pay(own_branch, payment_method_id=method))["payment_status"] == "paid"
    await disconnect_installs(own_branch.shop)
    for named in ({"payment_method_id": method}, {"payment_method_type": "third-party"}):
        await _refusal(own_branch, "payment_method_unavailable", {"amount": 1, **named})


# The amount


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        (140.01, "must not exceed the remaining amount of 140.00"),
        (0, "must be more than 0"),
        (-1, "must be more than 0"),
        (1.005, "must have at most 2 decimals"),
    ],
)
async def test_a_wrong_amount_is_refused_with_what_remains(branch: BranchFixture, amount: float, message: str) -> None:
    answer = await _refusal(branch, "validation_error", {"amount": amount, "payment_method_type": "cash"})
    assert answer["errors"] == {"payment.amount": [message]}
    assert answer["details"] == {"remaining": "140.00"}


@pytest.mark.parametrize(
    ("payment", "errors"),
    [
        ({"payment_method_type": "cash"}, {"payment.amount": ["is required"]}),
        ({"amount": "1", "payment_method_type": "cash"}, {"payment.amount": ["must be a number"]}),
        ({"amount": None}, {"payment.amount": ["must be a number"]}),
        ({"amount": 1, "payment_method_id": "x"}, {"payment.payment_method_id": ["must be a UUID"]}),
        ({"amount": 1, "payment_method_type": 5}, {"payment.payment_method_type": ["must be a string"]}),
        (
            {"amount": 1, "payment_method_type": "cash", "date": "yesterday", "note": 1, "reference_number": 1},
            {
                "payment.reference_number": ["must be a string"],
                "payment.date": [
                    "must be a date and time in the format YYYY-MM-DDTHH:MM:SS, with or without an offset"
                ],
                "payment.note": ["must be a string"],
            },
        ),
    ],
)
async def test_a_wrong_payment_is_refused_at_its_field(
    branch: BranchFixture, payment: dict[str, Any], errors: dict[str, list[str]]
) -> None:
    assert (await _refusal(branch, "validation_error", payment))["errors"] == errors


@pytest.mark.parametrize(
    ("currency", "decimals", "fine", "too_fine"),
    [("KWD", 3, 1.125, 1.0001), ("JPY", 0, 7, 7.5), ("SAR", 2, 1.25, 1.001)],
)
async def test_an_amount_has_the_currencys_decimals(
    own_branch: BranchFixture, currency: str, decimals: int, fine: float, too_fine: float
) -> None:
    await change_tenant(own_branch.shop, currency=currency, currency_decimals=decimals)
    transaction = (await _pay(own_branch, amount=fine))["transaction"]
    assert (transaction["currency"], Decimal(transaction["amount"])) == (currency, Decimal(str(fine)))
    assert -int(Decimal(transaction["amount"]).as_tuple().exponent) == decimals
    answer = await _refusal(own_branch, "validation_error", {"amount": too_fine, "payment_method_type": "cash"})
    assert answer["errors"].keys() == {"payment.amount"}


async def test_an_order_for_nothing_takes_no_payment(branch: BranchFixture) -> None:
    cream = await branch.add_product()
    body = branch.order(line(cream, "product", unit_amount=0), payment={"amount": 0.01, "payment_method_type": "cash"})
    answer = assert_error(await branch.shop.post("/orders", body), 422, "validation_error")
    assert (answer["errors"].keys(), answer["details"]) == ({"payment.amount"}, {"remaining": "0.00"})


# Both or nothing


async def test_a_payment_needs_a_scope_of_its_own(branch: BranchFixture) -> None:
    token = await branch.shop.new_token("orders:write")
    payment = {"amount": 1, "payment_method_type": "cash"}
    answer = await _refusal(branch, "insufficient_scope", payment, token=token)
    assert answer["details"] == {"scope": "transactions:write"}
    body = {**await _bill(branch), "payment": None}
    assert (await branch.shop.post("/orders", body, token=token)).status_code == 201
    both = await branch.shop.new_token("orders:write transactions:write")
    body = {**await _bill(branch), "payment": payment}
    assert (await branch.shop.post("/orders", body, token=both)).status_code == 201
    stranger = await make_client(branch.shop, scopes=["transactions:write"])
    assert_error(await branch.shop.post("/orders", body, token=await stranger.token()), 403, "insufficient_scope")


async def test_the_scope_of_a_payment_comes_before_the_body_and_a_stored_response(branch: BranchFixture) -> None:
    weak, key = await branch.shop.new_token("orders:write"), {"idempotency-key": str(uuid4())}
    payment = {"amount": 1, "payment_method_type": "cash"}
    for wrong in (
        {"payment": payment},
        {"payment": {"amount": "one"}},
        {"items": [], "payment": payment, "team_id": 1},
    ):
        refused = assert_error(await branch.shop.post("/orders", wrong, token=weak), 403, "insufficient_scope")
        assert refused["details"] == {"scope": "transactions:write"}
    without: list[object] = [{"payment": None}, {"items": []}, [], {"note": {"payment": payment}}]
    for nothing in without:
        assert_error(await branch.shop.post("/orders", nothing, token=weak), 422, "validation_error")
    body = {**await _bill(branch), "payment": payment}
    assert (await branch.shop.post("/orders", body, headers=key)).status_code == 201
    assert (await branch.shop.post("/orders", body, headers=key)).headers["idempotent-replayed"] == "true"
    answer = await branch.shop.post("/orders", body, headers=key, token=weak)
    assert_error(answer, 403, "insufficient_scope")
    assert "idempotent-replayed" not in answer.headers


async def test_a_good_payment_does_not_save_a_bad_order(branch: BranchFixture) -> None:
    cut, cream = await branch.add_service(), await branch.add_product()
    await branch.add_provider(cut)
    before = await books(branch.shop)
    payment = {"amount": 1, "payment_method_type": "cash"}
    for lines, at, code in (
        ([line(cream, "product", 11)], "10:00", "validation_error"),
        ([line(cream, "product"), line(cut)], "10:05", "timeslot_unavailable"),
        ([line(cream, "product", discount_amount=21)], "10:00", "validation_error"),
    ):
        body = branch.order(*lines, start=start(day(3), at), payment=payment)
        assert_error(await branch.shop.post("/orders", body), 422, code)
    assert await books(branch.shop) == before


async def test_a_payment_that_is_dated_far_ahead_places_no_order(branch: BranchFixture) -> None:
    ahead = (datetime.now(UTC) + timedelta(days=2)).isoformat()
    answer = await _refusal(branch, "validation_error", {"amount": 1, "payment_method_type": "cash", "date": ahead})
    assert answer["errors"] == {"payment.date": ["must not be more than 24 hours ahead"]}
