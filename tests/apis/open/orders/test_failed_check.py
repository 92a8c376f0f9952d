"""When the check itself fails: another connection holds what it needs for longer than the check may take."""

import asyncio

import pytest

from tests.support.branch import BranchFixture, books, day, holding, line, start
from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact


@pytest.mark.parametrize(
    "lock",
    [
        "SELECT FROM staff WHERE id = '{}' FOR NO KEY UPDATE",
        "LOCK TABLE bookings IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE staff_busy_days IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE staff_services IN ACCESS EXCLUSIVE MODE",
        "LOCK TABLE orders IN SHARE MODE",
    ],
)
async def test_an_availability_check_that_waits_for_a_lock_fails_and_can_be_retried(
    own_branch: BranchFixture, lock: str
) -> None:
    cut, cream = await own_branch.add_service(), await own_branch.add_product()
    provider = await own_branch.add_provider(cut)
    body = own_branch.order(
        line(cut),
        line(cream, "product"),
        start=start(day(3), "10:00"),
        payment={"amount": 10, "payment_method_type": "cash"},
    )
    before = await books(own_branch.shop)
    first = json_exact(await own_branch.shop.get("/orders?per_page=1"))["data"][0]
    key = {"idempotency-key": "again"}
    async with holding(own_branch.shop.dsn, lock.format(provider)):
        plain, keyed = await asyncio.gather(
            own_branch.shop.post("/orders", body), own_branch.shop.post("/orders", body, headers=key)
        )
    for answer in (plain, keyed):
        assert_error(answer, 502, "availability_check_failed")
        assert answer.headers["retry-after"] == "1"
        assert "details" not in answer.json()
    assert await books(own_branch.shop) == before
    retried = await own_branch.shop.post("/orders", body, headers=key)
    assert json_exact(retried, 201)["data"]["order_number"] == str(int(first["order_number"]) + 1)
    assert "idempotent-replayed" not in retried.headers


async def test_a_status_that_waits_too_long_for_a_provider_does_not_change(own_branch: BranchFixture) -> None:
    """Canceling asks for no availability; coming back does."""
    cut = await own_branch.add_service()
    provider = await own_branch.add_provider(cut)
    order = await own_branch.place(line(cut), start=start(day(3), "10:00"))
    for wanted, status, code in (
        ("canceled", 503, "temporarily_unavailable"),
        ("confirmed", 502, "availability_check_failed"),
    ):
        before = await books(own_branch.shop)
        async with holding(own_branch.shop.dsn, "SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", provider):
            answer = await own_branch.shop.post(f"/orders/{order['id']}/status", {"status": wanted})
        assert_error(answer, status, code)
        assert answer.headers["retry-after"] == "1"
        assert await books(own_branch.shop) == before
        assert (await own_branch.move(order["id"], wanted))["status"] == wanted


async def test_a_lock_timeout_without_an_availability_check_is_503(own_branch: BranchFixture) -> None:
    cream = await own_branch.add_product()
    sale = {"total": "20.00", "sub_total": "20.00", "services": [line(cream, "product")]}
    before = await books(own_branch.shop)
    async with holding(own_branch.shop.dsn, "SELECT FROM items WHERE id = $1 FOR NO KEY UPDATE", cream):
        answers = await asyncio.gather(
            own_branch.shop.post("/orders", own_branch.order(line(cream, "product"))),
            own_branch.shop.key_call("POST", "/pos/orders", json=sale),
        )
    for answer in answers:
        assert_error(answer, 503, "temporarily_unavailable")
        assert answer.headers["retry-after"] == "1"
    assert await books(own_branch.shop) == before


@pytest.mark.parametrize("path", ["/orders", "/customers", "/items", "/staff", "/transactions", "/payment-methods"])
async def test_a_read_that_waits_too_long_is_503(own_branch: BranchFixture, path: str) -> None:
    table = path[1:].replace("-", "_")
    async with holding(own_branch.shop.dsn, f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"):
        answer = await own_branch.shop.get(path)
    assert_error(answer, 503, "temporarily_unavailable")
