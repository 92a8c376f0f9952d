"""A change of configuration counts for the very next request.

Every test creates orders and asks for availability first, then changes something in the database.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.credentials import parse_client_id
from frontdesk.security.secrets import hash_secret
from tests.factories.changes import ago, change_row, change_rows, delete_rows
from tests.support.branch import BranchFixture, books, day, line, local, method_of, open_branch, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.service import Service
from tests.support.shop import Shop

_DAY = 5


class Known(NamedTuple):
    """A branch whose configuration the service has read."""

    branch: BranchFixture
    service_id: UUID
    staff_id: UUID
    method_id: str

    def order(self, at: str) -> Document:
        wanted = line(self.service_id, staff_id=self.staff_id)
        payment = {"amount": 1, "payment_method_id": self.method_id}
        return self.branch.order(wanted, start=start(day(_DAY), at), payment=payment)

    async def place(self, at: str) -> httpx2.Response:
        return await self.branch.shop.post("/orders", self.order(at))

    async def starts(self) -> list[str]:
        return await self.branch.starts(self.service_id, day(_DAY), staff_id=self.staff_id)

    async def sql(self, statement: str, *args: object) -> list[Any]:
        return await self.branch.shop.sql(statement, *args)


@pytest.fixture
async def known(service: Service, other_shop: Shop) -> Known:
    shop = await service.new_shop()
    branch = await open_branch(shop)
    service_id = await branch.add_service()
    known = Known(branch, service_id, await branch.add_provider(service_id), await method_of(shop))
    for at in ("09:00", "09:30", "10:00"):
        assert (await known.place(at)).status_code == 201
        await known.starts()
    return known


async def _refused(known: Known, at: str) -> Document:
    kept = await books(known.branch.shop)
    answer = await known.place(at)
    assert answer.status_code == 422, answer.text
    assert await books(known.branch.shop) == kept
    refusal: Document = answer.json()
    return refusal


async def test_a_new_price_is_charged_by_the_next_order(known: Known) -> None:
    await change_row(known, "items", known.service_id, price=77)
    assert (await known.place("11:00")).json()["data"]["total"] == 77


async def test_a_providers_own_price_and_duration_count_for_the_next_order(known: Known) -> None:
    await change_rows(known, "staff_services", {"staff_id": known.staff_id}, price=66, duration=45)
    placed = (await known.place("11:00")).json()["data"]
    booking = (await known.branch.read(placed["id"]))["bookings"][0]
    lasted = datetime.fromisoformat(booking["end"]) - datetime.fromisoformat(booking["start"])
    assert (placed["total"], lasted) == (66, timedelta(minutes=45))


async def test_what_is_no_longer_sold_is_refused_by_the_next_order(known: Known) -> None:
    await change_row(known, "items", known.service_id, status=False)
    assert (await _refused(known, "11:00"))["errors"] == {"items.0.id": ["is not available for sale"]}
    availability = {"service_id": str(known.service_id), "date": str(day(_DAY))}
    offered = assert_error(await known.branch.shop.post("/availability", availability), 422, "validation_error")
    assert offered["errors"] == {"service_id": ["is not available for sale"]}


async def test_inactive_staff_get_no_more_orders(known: Known) -> None:
    await change_row(known, "staff", known.staff_id, active=False)
    assert "items.0.staff_id" in (await _refused(known, "11:00"))["errors"]
    answer = await known.branch.shop.post(
        "/availability", {"service_id": str(known.service_id), "date": str(day(_DAY)), "staff_id": str(known.staff_id)}
    )
    assert answer.status_code == 422


async def test_staff_without_the_service_get_no_more_orders(known: Known) -> None:
    await delete_rows(known, "staff_services", staff_id=known.staff_id)
    assert "items.0.staff_id" in (await _refused(known, "11:00"))["errors"]


@pytest.mark.parametrize("closing", ["own hours", "hours of the branch", "an interval", "a closed day", "time off"])
async def test_a_changed_calendar_counts_for_the_next_question_and_the_next_order(known: Known, closing: str) -> None:
    branch, on = known.branch, day(_DAY)
    changes: dict[str, Callable[[], Awaitable[Any]]] = {
        "own hours": lambda: branch.set_hours({}, staff_id=known.staff_id),
        "hours of the branch": lambda: branch.set_hours({}),
        "an interval": lambda: change_rows(known, "working_intervals", closes=600),
        "a closed day": lambda: branch.close(on),
        "time off": lambda: branch.take_off(known.staff_id, local(on, "10:00"), local(on, "18:00")),
    }
    assert "11:00" in await known.starts()
    await changes[closing]()
    assert "11:00" not in await known.starts()
    refusal = await _refused(known, "11:00")
    assert refusal["error"] == "timeslot_unavailable"
    assert refusal["details"]["reason"] == ("time_off" if closing == "time off" else "outside_working_hours")


async def test_time_off_that_was_taken_back_is_offered_again(known: Known) -> None:
    await known.branch.take_off(known.staff_id, local(day(_DAY), "10:00"), local(day(_DAY), "18:00"))
    assert "11:00" not in await known.starts()
    await delete_rows(known, "time_off")
    assert "11:00" in await known.starts()
    assert (await known.place("11:00")).status_code == 201


async def test_a_payment_method_that_was_switched_off_is_not_found_by_the_next_order(known: Known) -> None:
    await change_row(known, "payment_methods", UUID(known.method_id), active=False)
    assert (await _refused(known, "11:00"))["error"] == "payment_method_not_found"


async def test_a_customer_who_was_just_blocked_cannot_order(known: Known) -> None:
    await change_row(known, "customers", known.branch.customer_id, blocked=True)
    assert (await _refused(known, "11:00"))["errors"] == {"customer_id": ["is blocked by the business"]}
    await change_row(known, "customers", known.branch.customer_id, blocked=False)
    assert (await known.place("11:00")).status_code == 201


async def test_a_customer_who_is_unknown_is_refused_with_what_else_is_wrong(known: Known) -> None:
    body = {**known.order("11:00"), "customer_id": str(known.staff_id)}
    answer = await known.branch.shop.post("/orders", body)
    assert answer.json()["errors"] == {"customer_id": ["is not a customer of this business"]}
    body["items"] = [{**body["items"][0], "staff_id": str(known.branch.customer_id)}]
    answer = await known.branch.shop.post("/orders", body)
    assert set(answer.json()["errors"]) == {"customer_id", "items.0.staff_id"}


async def test_a_time_that_is_taken_is_refused_with_the_nearest_that_are_free(known: Known) -> None:
    refusal = await _refused(known, "09:30")
    assert (refusal["error"], refusal["details"]["reason"]) == ("timeslot_unavailable", "booked")
    assert refusal["details"]["alternatives"][0]["start"].endswith("T10:30:00")


async def test_an_order_that_runs_over_midnight_in_utc_is_checked_on_both_days(known: Known) -> None:
    """Three in the morning in Riyadh is midnight in UTC."""
    await known.branch.set_hours({}, staff_id=known.staff_id, all_time=True)
    for at in ("02:45", "05:00"):
        assert (await known.place(at)).status_code == 201
    for at in ("02:30", "02:45", "03:00"):
        assert (await _refused(known, at))["details"]["reason"] == "booked"
    assert (await known.place("03:15")).status_code == 201


async def test_availability_follows_bookings_of_another_process(known: Known) -> None:
    assert "09:00" not in await known.starts()
    await change_rows(known, "bookings", {"staff_id": known.staff_id}, is_active=False)
    await known.sql("SELECT rebuild_busy_days($1)")
    assert "09:00" in await known.starts()
    assert (await known.place("09:00")).status_code == 201
    assert "09:00" not in await known.starts()
    assert "09:30" in await known.starts()


async def test_cached_schedules_of_two_providers_are_separate(known: Known) -> None:
    """Same hours, same service, same week: only what they have booked tells them apart."""
    other = known._replace(staff_id=await known.branch.add_provider(known.service_id))
    for _ in range(3):
        assert "09:00" not in await known.starts()
        assert "09:00" in await other.starts()
    for _ in range(2):
        assert "09:00" in await known.branch.starts(known.service_id, day(_DAY))
    for at in ("09:00", "09:30", "10:00"):
        assert (await other.place(at)).status_code == 201
    assert "09:00" not in await known.branch.starts(known.service_id, day(_DAY))


async def test_cached_configuration_of_two_businesses_is_separate(known: Known, service: Service) -> None:
    branch = await open_branch(await service.new_shop())
    cut = await branch.add_service(price="12")
    other = Known(branch, cut, await branch.add_provider(cut), await method_of(branch.shop))
    for _ in range(2):
        assert "09:00" not in await known.starts()
        assert "09:00" in await other.starts()
    answer = await other.branch.shop.post("/orders", known.order("11:00"))
    assert answer.status_code == 422
    assert (await other.place("11:00")).json()["data"]["total"] == 12


def _client(shop: Shop) -> UUID:
    names = parse_client_id(shop.sandbox.client_id)
    assert names is not None
    return names[1]


async def test_a_revoked_token_creates_no_order(known: Known) -> None:
    shop = known.branch.shop
    token = await shop.token()
    kept = await books(shop)
    await change_rows(known, "access_tokens", {"token_hash": hash_secret(token)}, revoked_at=ago())
    assert (await known.place("11:00")).status_code == 401
    assert await books(shop) == kept


async def test_a_removed_scope_creates_no_order(known: Known) -> None:
    shop = known.branch.shop
    kept = await books(shop)
    await change_row(known, "api_clients", _client(shop), scopes=["orders:read"])
    assert (await known.place("11:00")).status_code == 403
    assert await books(shop) == kept


async def test_nothing_is_written_for_a_caller_over_its_rate_limit(known: Known) -> None:
    shop = known.branch.shop
    client = _client(shop)
    (used,) = await known.sql("SELECT total FROM rate_windows WHERE tenant_id = $1 AND caller_id = $2", client)
    await change_row(known, "api_clients", client, rate_limit=used["total"] + 3)
    assert [(await known.place(at)).status_code for at in ("11:00", "11:30", "12:00")] == [201, 201, 201]
    kept = await books(shop)
    refusal = await known.place("12:30")
    assert (refusal.status_code, refusal.json()["error"]) == (429, "rate_limit_exceeded")
    assert await books(shop) == kept
    await change_row(known, "api_clients", client, rate_limit=100000)
    await delete_rows(known, "rate_windows", caller_id=client)
