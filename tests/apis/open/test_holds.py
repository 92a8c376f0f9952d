"""A time that an application holds: hidden from others, free for its own order, and within bounds."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.factories.changes import age_rows, ago, change_row, change_rows
from tests.factories.credentials import make_client
from tests.support.branch import BranchFixture, day, line, local, start
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact

pytestmark = pytest.mark.both_servers

ON = day(3)


async def _hold(branch: BranchFixture, service_id: UUID, at: str = "10:00", **more: Any) -> Document:
    body = {"service_id": str(service_id), "start": start(ON, at), **more}
    held: Document = json_exact(await branch.shop.post("/holds", body), 201)["data"]
    return held


async def _refused_hold(branch: BranchFixture, service_id: UUID, at: str, code: str, **more: Any) -> Document:
    body = {"service_id": str(service_id), "start": start(ON, at), **more}
    return assert_error(await branch.shop.post("/holds", body), 422, code)


async def _chair(branch: BranchFixture, providers: int = 1, **service: Any) -> tuple[UUID, list[str]]:
    cut = await branch.add_service(**service)
    return cut, [str(await branch.add_provider(cut)) for _ in range(providers)]


async def _held(branch: BranchFixture) -> list[UUID]:
    return [row["id"] for row in await branch.shop.sql("SELECT id FROM holds WHERE tenant_id = $1 ORDER BY id")]


# What a hold hides


async def test_a_held_time_is_not_offered_and_not_booked_without_its_hold(own_branch: BranchFixture) -> None:
    cut, (staff_id,) = await _chair(own_branch)
    held = await _hold(own_branch, cut)
    assert (held["service_id"], held["staff_id"]) == (str(cut), staff_id)
    assert (held["start"], held["end"]) == (f"{ON}T10:00:00+03:00", f"{ON}T10:30:00+03:00")
    offered = await own_branch.starts(cut, ON)
    assert {"09:30", "10:30"} <= set(offered)
    assert not {"09:45", "10:00", "10:15"} & set(offered)
    for hold_id in (None, str(uuid4())):
        order = own_branch.order(line(cut), start=start(ON, "10:00"), hold_id=hold_id)
        refused = assert_error(await own_branch.shop.post("/orders", order), 422, "timeslot_unavailable")
        assert refused["details"]["reason"] == "booked"
        assert start(ON, "09:30") in [other["start"] for other in refused["details"]["alternatives"]]


async def test_the_order_takes_the_time_of_its_hold_which_ends(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch, providers=2)
    held = await _hold(own_branch, cut)
    placed = await own_branch.place(line(cut), start=start(ON, "10:00"), hold_id=held["id"])
    (booking,) = (await own_branch.read(placed["id"]))["bookings"]
    assert booking["staff_id"] == held["staff_id"], "whoever is free is the one whose time is held"
    assert await _held(own_branch) == []
    assert_error(await own_branch.shop.request("DELETE", f"/holds/{held['id']}"), 404, "not_found")


async def test_an_order_at_another_time_ends_its_hold_too(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch)
    held = await _hold(own_branch, cut)
    await own_branch.place(line(cut), start=start(ON, "12:00"), hold_id=held["id"])
    assert "10:00" in await own_branch.starts(cut, ON)


async def test_a_hold_that_has_ended_changes_nothing(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch)
    held = await _hold(own_branch, cut)
    await change_rows(own_branch.shop, "holds", expires_at=ago())
    assert "10:00" in await own_branch.starts(cut, ON)
    placed = await own_branch.place(line(cut), start=start(ON, "10:00"), hold_id=held["id"])
    assert placed["status"] == "confirmed"


async def test_a_released_time_is_offered_again(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch)
    held = await _hold(own_branch, cut)
    for _ in range(2):
        assert (await own_branch.shop.request("DELETE", f"/holds/{held['id']}")).status_code == 204
    assert "10:00" in await own_branch.starts(cut, ON)


async def test_a_hold_belongs_to_one_client(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch)
    held = await _hold(own_branch, cut)
    other = await (await make_client(own_branch.shop)).token()
    order = own_branch.order(line(cut), start=start(ON, "10:00"), hold_id=held["id"])
    assert_error(await own_branch.shop.post("/orders", order, token=other), 422, "timeslot_unavailable")
    answer = await own_branch.shop.request("DELETE", f"/holds/{held['id']}", token=other)
    assert_error(answer, 404, "not_found")
    elsewhere = own_branch.order(line(cut), start=start(ON, "14:00"), hold_id=held["id"])
    assert (await own_branch.shop.post("/orders", elsewhere, token=other)).status_code == 201
    assert await _held(own_branch) == [UUID(held["id"])]


# What can be held


async def test_another_provider_is_held_for_the_second_who_asks(own_branch: BranchFixture) -> None:
    cut, staff = await _chair(own_branch, providers=2)
    held = [await _hold(own_branch, cut), await _hold(own_branch, cut)]
    assert {one["staff_id"] for one in held} == set(staff)
    refused = await _refused_hold(own_branch, cut, "10:00", "timeslot_unavailable")
    assert refused["details"]["reason"] == "booked"


async def test_only_a_free_time_is_held(own_branch: BranchFixture) -> None:
    cut, (staff_id,) = await _chair(own_branch)
    await own_branch.place(line(cut), start=start(ON, "10:00"))
    await own_branch.take_off(UUID(staff_id), local(ON, "12:00"), local(ON, "13:00"))
    for at, reason in {
        "10:00": "booked",
        "12:00": "time_off",
        "20:00": "outside_working_hours",
        "11:01": "off_grid",
    }.items():
        refused = await _refused_hold(own_branch, cut, at, "timeslot_unavailable", staff_id=staff_id)
        assert refused["details"]["reason"] == reason
    assert await _held(own_branch) == []


async def test_buffers_and_quantity_take_their_time(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch)
    await change_row(own_branch.shop, "items", cut, buffer_before=15, buffer_after=15)
    held = await _hold(own_branch, cut, quantity=2)
    assert (held["start"][11:16], held["end"][11:16]) == ("10:00", "11:00")
    offered = await own_branch.starts(cut, ON)
    assert not {"09:15", "09:30", "11:00", "11:15"} & set(offered)
    assert {"09:00", "11:30"} <= set(offered)


# Bounds


async def test_two_hours_of_a_day_of_a_provider_are_held_or_one_longer_time(own_branch: BranchFixture) -> None:
    cut, (staff_id,) = await _chair(own_branch, duration=60)
    await _hold(own_branch, cut, "09:00")
    await _hold(own_branch, cut, "10:00")
    refused = await _refused_hold(own_branch, cut, "12:00", "hold_limit_reached")
    assert refused["details"] == {"reason": "staff_day"}
    assert "12:00" in await own_branch.starts(cut, ON)
    await change_rows(own_branch.shop, "holds", expires_at=ago())
    await _hold(own_branch, cut, "09:00", quantity=4)
    await _refused_hold(own_branch, cut, "14:00", "hold_limit_reached")
    refused = await _refused_hold(own_branch, cut, "09:00", "timeslot_unavailable", staff_id=staff_id)
    await change_rows(own_branch.shop, "holds", expires_at=ago())
    refused = await _refused_hold(own_branch, cut, "09:00", "hold_limit_reached", quantity=5)
    assert refused["details"] == {"reason": "duration"}


async def test_a_client_holds_ten_times_at_a_time(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch, providers=11, duration=15)
    for _ in range(10):
        await _hold(own_branch, cut)
    refused = await _refused_hold(own_branch, cut, "10:00", "hold_limit_reached")
    assert refused["details"] == {"reason": "client"}
    body = {"service_id": str(cut), "start": start(ON, "10:00")}
    tried = await own_branch.shop.post("/holds", body, headers={"frontdesk-dry-run": "true"})
    assert assert_error(tried, 422, "hold_limit_reached")["details"] == {"reason": "client"}
    other = await (await make_client(own_branch.shop)).token()
    assert (await own_branch.shop.post("/holds", body, token=other)).status_code == 201


async def test_a_client_holds_four_hours_together_within_an_hour(own_branch: BranchFixture) -> None:
    cut, _ = await _chair(own_branch, providers=9)
    for _ in range(9):
        await _hold(own_branch, cut)
    # Each held for 24 minutes until a moment ago: 216 in all, and eight more.
    await change_rows(own_branch.shop, "holds", created_at=ago(minutes=25), expires_at=ago(minutes=1))
    await _hold(own_branch, cut)
    await change_rows(own_branch.shop, "holds", created_at=ago(minutes=27), expires_at=ago(minutes=1))
    refused = await _refused_hold(own_branch, cut, "10:00", "hold_limit_reached")
    assert refused["details"] == {"reason": "client"}
    await age_rows(own_branch.shop, "holds", "created_at", "expires_at", by=ago() - ago(hours=1))
    await _hold(own_branch, cut)
