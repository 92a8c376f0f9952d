"""A draft takes nothing until it is given a status."""

from uuid import UUID

import pytest

from tests.factories.changes import change_row
from tests.factories.states import turn_into_draft
from tests.support.branch import BranchFixture, books, day, line, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact

pytestmark = pytest.mark.both_servers


async def _draft(branch: BranchFixture, *, nobody_chosen: bool = False) -> Document:
    """Of a service at ten and two pieces of a product, of which there are ten."""
    cut, cream = await branch.add_service(), await branch.add_product()
    provider = await branch.add_provider(cut)
    order = await branch.place(line(cut), line(cream, "product", 2), start=start(day(3), "10:00"))
    await turn_into_draft(branch, order["id"], nobody_chosen=nobody_chosen)
    return {"id": order["id"], "cut": cut, "cream": cream, "provider": provider}


async def _is_held(branch: BranchFixture, draft: Document) -> tuple[bool, int]:
    return "10:00" not in await branch.starts(draft["cut"], day(3)), await branch.stock(draft["cream"])


async def _refusal(branch: BranchFixture, draft: Document, code: str) -> Document:
    before = await books(branch.shop)
    answer = assert_error(await branch.shop.post(f"/orders/{draft['id']}/status", {"status": "confirmed"}), 422, code)
    assert await books(branch.shop) == before
    assert (await branch.read(draft["id"]))["status"] == "draft"
    return answer


@pytest.mark.parametrize("status", ["confirmed", "in-progress", "completed"])
async def test_a_draft_takes_its_time_and_its_goods_with_its_first_status(branch: BranchFixture, status: str) -> None:
    draft = await _draft(branch)
    assert await _is_held(branch, draft) == (False, 10)
    order = await branch.move(draft["id"], status)
    assert (order["status"], [b["staff_id"] for b in order["bookings"]]) == (status, [str(draft["provider"])])
    assert await _is_held(branch, draft) == (True, 8)
    assert [change["from"] for change in order["status_history"]] == [None, "draft"]


async def test_a_draft_without_a_chosen_provider_gets_one(branch: BranchFixture) -> None:
    draft = await _draft(branch, nobody_chosen=True)
    order = await branch.move(draft["id"], "confirmed")
    assert [item["staff_id"] for item in order["items"]] == [str(draft["provider"]), None]
    (booking,) = order["bookings"]
    number = int(order["order_number"])
    assert (booking["start"], booking["reference"]) == (f"{day(3)}T10:00:00+03:00", f"BK-{number:06}")


async def test_a_draft_without_a_start_is_a_sale_without_a_booking(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    await change_row(branch.shop, "orders", UUID(draft["id"]), starts_at=None)
    order = await branch.move(draft["id"], "completed")
    assert order["bookings"] == []
    assert await _is_held(branch, draft) == (False, 8)


async def test_a_draft_whose_time_was_taken_stays_a_draft_and_hears_of_others(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    await branch.place(line(draft["cut"]), start=start(day(3), "10:15"))
    details = (await _refusal(branch, draft, "timeslot_unavailable"))["details"]
    assert details["reason"] == "booked"
    assert [a["start"] for a in details["alternatives"]] == [start(day(3), at) for at in ("09:15", "09:30", "09:45")]


async def test_a_draft_whose_goods_were_sold_stays_a_draft(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    await branch.place(line(draft["cream"], "product", 9))
    answer = await _refusal(branch, draft, "validation_error")
    assert answer["errors"] == {"status": ["requires products that are not in stock"]}


async def test_a_draft_whose_provider_left_stays_a_draft(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    await change_row(branch.shop, "staff", draft["provider"], active=False)
    assert (await _refusal(branch, draft, "timeslot_unavailable"))["details"]["reason"] == "outside_working_hours"


async def test_a_canceled_draft_takes_nothing_until_it_comes_back(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    await branch.move(draft["id"], "canceled")
    assert await _is_held(branch, draft) == (False, 10)
    order = await branch.move(draft["id"], "confirmed")
    assert [b["start"] for b in order["bookings"]] == [f"{day(3)}T10:00:00+03:00"]
    assert await _is_held(branch, draft) == (True, 8)
    await branch.move(draft["id"], "canceled")
    assert await _is_held(branch, draft) == (False, 10)


async def test_drafts_are_listed_as_such(branch: BranchFixture) -> None:
    draft = await _draft(branch)
    listed = json_exact(await branch.shop.get("/orders?status=draft&per_page=100"))["data"]
    assert draft["id"] in [order["id"] for order in listed]
    assert {order["status"] for order in listed} == {"draft"}
