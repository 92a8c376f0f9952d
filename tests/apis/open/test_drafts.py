"""A draft takes nothing until it is given a status."""

from uuid import UUID

import pytest

from tests.factories.changes import change_row
from tests.factories.states import turn_into_draft
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.salon import Salon, books, day, line, start

pytestmark = pytest.mark.both_servers


async def _draft(salon: Salon, *, nobody_chosen: bool = False) -> Document:
    """Of a service at ten and two pieces of a product, of which there are ten."""
    cut, cream = await salon.add_service(), await salon.add_product()
    provider = await salon.add_provider(cut)
    order = await salon.place(line(cut), line(cream, "product", 2), start=start(day(3), "10:00"))
    await turn_into_draft(salon, order["id"], nobody_chosen=nobody_chosen)
    return {"id": order["id"], "cut": cut, "cream": cream, "provider": provider}


async def _is_held(salon: Salon, draft: Document) -> tuple[bool, int]:
    return "10:00" not in await salon.starts(draft["cut"], day(3)), await salon.stock(draft["cream"])


async def _refusal(salon: Salon, draft: Document, code: str) -> Document:
    before = await books(salon.shop)
    answer = assert_error(await salon.shop.post(f"/orders/{draft['id']}/status", {"status": "confirmed"}), 422, code)
    assert await books(salon.shop) == before
    assert (await salon.read(draft["id"]))["status"] == "draft"
    return answer


@pytest.mark.parametrize("status", ["confirmed", "in-progress", "completed"])
async def test_a_draft_takes_its_time_and_its_goods_with_its_first_status(salon: Salon, status: str) -> None:
    draft = await _draft(salon)
    assert await _is_held(salon, draft) == (False, 10)
    order = await salon.move(draft["id"], status)
    assert (order["status"], [b["staff_id"] for b in order["bookings"]]) == (status, [str(draft["provider"])])
    assert await _is_held(salon, draft) == (True, 8)
    assert [change["from"] for change in order["status_history"]] == [None, "draft"]


async def test_a_draft_without_a_chosen_provider_gets_one(salon: Salon) -> None:
    draft = await _draft(salon, nobody_chosen=True)
    order = await salon.move(draft["id"], "confirmed")
    assert [item["staff_id"] for item in order["items"]] == [str(draft["provider"]), None]
    (booking,) = order["bookings"]
    number = int(order["order_number"])
    assert (booking["start"], booking["reference"]) == (f"{day(3)}T10:00:00+03:00", f"BK-{number:06}")


async def test_a_draft_without_a_start_is_a_sale_without_a_booking(salon: Salon) -> None:
    draft = await _draft(salon)
    await change_row(salon.shop, "orders", UUID(draft["id"]), starts_at=None)
    order = await salon.move(draft["id"], "completed")
    assert order["bookings"] == []
    assert await _is_held(salon, draft) == (False, 8)


async def test_a_draft_whose_time_was_taken_stays_a_draft_and_hears_of_others(salon: Salon) -> None:
    draft = await _draft(salon)
    await salon.place(line(draft["cut"]), start=start(day(3), "10:15"))
    details = (await _refusal(salon, draft, "timeslot_unavailable"))["details"]
    assert details["reason"] == "booked"
    assert [a["start"] for a in details["alternatives"]] == [start(day(3), at) for at in ("09:15", "09:30", "09:45")]


async def test_a_draft_whose_goods_were_sold_stays_a_draft(salon: Salon) -> None:
    draft = await _draft(salon)
    await salon.place(line(draft["cream"], "product", 9))
    answer = await _refusal(salon, draft, "validation_error")
    assert answer["errors"] == {"status": ["requires products that are not in stock"]}


async def test_a_draft_whose_provider_left_stays_a_draft(salon: Salon) -> None:
    draft = await _draft(salon)
    await change_row(salon.shop, "staff", draft["provider"], active=False)
    assert (await _refusal(salon, draft, "timeslot_unavailable"))["details"]["reason"] == "outside_working_hours"


async def test_a_canceled_draft_takes_nothing_until_it_comes_back(salon: Salon) -> None:
    draft = await _draft(salon)
    await salon.move(draft["id"], "canceled")
    assert await _is_held(salon, draft) == (False, 10)
    order = await salon.move(draft["id"], "confirmed")
    assert [b["start"] for b in order["bookings"]] == [f"{day(3)}T10:00:00+03:00"]
    assert await _is_held(salon, draft) == (True, 8)
    await salon.move(draft["id"], "canceled")
    assert await _is_held(salon, draft) == (False, 10)


async def test_drafts_are_listed_as_such(salon: Salon) -> None:
    draft = await _draft(salon)
    listed = json_exact(await salon.shop.get("/orders?status=draft&per_page=100"))["data"]
    assert draft["id"] in [order["id"] for order in listed]
    assert {order["status"] for order in listed} == {"draft"}
