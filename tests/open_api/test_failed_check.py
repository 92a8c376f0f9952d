"""When the check itself fails: another connection holds what it needs for longer than the check may take."""

import asyncio

import pytest

from tests.support.salon import Salon, books, day, holding, line, start
from tests.support.walk import exact
from tests.support.wire import refused


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
async def test_a_held_lock_fails_the_check_and_leaves_nothing_and_a_retry_goes_through(
    own_salon: Salon, lock: str
) -> None:
    cut, cream = await own_salon.add_service(), await own_salon.add_product()
    provider = await own_salon.add_provider(cut)
    body = own_salon.order(
        line(cut),
        line(cream, "product"),
        start=start(day(3), "10:00"),
        payment={"amount": 10, "payment_method_type": "cash"},
    )
    before = await books(own_salon.shop)
    first = exact(await own_salon.shop.get("/orders?per_page=1"))["data"][0]
    key = {"idempotency-key": "again"}
    async with holding(own_salon.shop.dsn, lock.format(provider)):
        plain, keyed = await asyncio.gather(
            own_salon.shop.post("/orders", body), own_salon.shop.post("/orders", body, headers=key)
        )
    for answer in (plain, keyed):
        refused(answer, 502, "availability_check_failed")
        assert answer.headers["retry-after"] == "1"
        assert "details" not in answer.json()
    assert await books(own_salon.shop) == before
    retried = await own_salon.shop.post("/orders", body, headers=key)
    assert exact(retried, 201)["data"]["order_number"] == str(int(first["order_number"]) + 1)
    assert "idempotent-replayed" not in retried.headers


async def test_a_status_whose_slot_cannot_be_looked_at_in_time_does_not_change(own_salon: Salon) -> None:
    cut = await own_salon.add_service()
    provider = await own_salon.add_provider(cut)
    order = await own_salon.place(line(cut), start=start(day(3), "10:00"))
    before = await books(own_salon.shop)
    async with holding(own_salon.shop.dsn, "SELECT FROM staff WHERE id = $1 FOR NO KEY UPDATE", provider):
        answer = await own_salon.shop.post(f"/orders/{order['id']}/status", {"status": "canceled"})
    refused(answer, 502, "availability_check_failed")
    assert await books(own_salon.shop) == before
    assert (await own_salon.move(order["id"], "canceled"))["status"] == "canceled"
