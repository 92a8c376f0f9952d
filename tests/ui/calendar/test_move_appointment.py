"""Moving an appointment at the desk: every rule is checked at once, the three nearest times are offered, and nothing is
moved that may not be.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.types import Role
from tests.factories.changes import change_row
from tests.factories.orders import move_booking
from tests.factories.users import make_user, owner_of
from tests.support.branch import BranchFixture, day, line, local, open_branch, start
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import form_fields
from tests.support.service import Service

ON = day(3)


@pytest.fixture
async def branch(service: Service) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.fixture
async def desk(branch: BranchFixture) -> Any:
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        yield desk


async def chair(branch: BranchFixture, **service: Any) -> tuple[UUID, UUID, UUID]:
    """A service with its provider, and a provider of another one."""
    cut, other = await branch.add_service(**service), await branch.add_service()
    return cut, await branch.add_provider(cut), await branch.add_provider(other)


async def book(branch: BranchFixture, *services: UUID, at: str = "10:00", **more: Any) -> str:
    order_id: str = (await branch.place(*[line(one, **more) for one in services], start=start(ON, at)))["id"]
    return order_id


async def times(branch: BranchFixture, order_id: str) -> list[tuple[str, str]]:
    return [(b["start"][11:16], b["end"][11:16]) for b in (await branch.read(order_id))["bookings"]]


async def line_ids(branch: BranchFixture, order_id: str) -> list[str]:
    return [one["line_id"] for one in (await branch.read(order_id))["items"]]


async def test_a_move_is_checked_and_then_made(branch: BranchFixture, desk: DashboardClient) -> None:
    cut, mine, _ = await chair(branch)
    order_id = await book(branch, cut)
    page = f"/orders/{order_id}/move"
    blank = await desk.get(page)
    assert (blank.status_code, "Check this time" in blank.text, "Move to" in blank.text) == (200, True, False)
    checked = await desk.get(page, params={"date": str(ON), "time": "14:00"})
    for text in ("is free from 14:00", "Within the working hours", "Same price", "Move to 14:00", "Keep at 10:00"):
        assert text in checked.text, text
    longer = await desk.get(page, params={"minutes": "٤٥"})
    assert 'type="hidden" name="minutes" value="45"' in longer.text
    wrong = await desk.get(page, params={"time": "14:00", "minutes": "an hour"})
    assert (wrong.status_code, "Enter a whole number." in wrong.text, 'value="an hour"' in wrong.text) == (
        422,
        True,
        True,
    )
    version = (await branch.shop.sql("SELECT version FROM orders WHERE tenant_id = $1 AND id = $2", UUID(order_id)))[0]
    sent = {"date": str(ON), "time": "14:00", "staff": str(mine), "version": str(version["version"])}
    moved = await desk.post(page, sent)
    assert moved.status_code == 303
    assert moved.headers["location"].startswith(f"/calendar?date={ON}&order={order_id}")
    assert await times(branch, order_id) == [("14:00", "14:30")]
    spaced = {**sent, "date": f" {ON} ", "staff": f" {mine} ", "minutes": "0"}
    assert (await desk.post(page, spaced)).status_code == 422
    outdated = await desk.post(page, {**sent, "time": "15:00"})  # seen before the first move
    assert (outdated.status_code, "changed" in outdated.text) == (422, True)
    assert await times(branch, order_id) == [("14:00", "14:30")]


async def test_a_move_is_taken_back_without_script(branch: BranchFixture, desk: DashboardClient) -> None:
    cut, mine, _ = await chair(branch)
    order_id = await book(branch, cut)
    page = f"/orders/{order_id}/move"
    sent = {"date": str(ON), "time": "14:00", "staff": str(mine), "minutes": "45"}
    calendar = await desk.get((await desk.post(page, sent)).headers["location"])
    assert await times(branch, order_id) == [("14:00", "14:45")]
    back = await desk.post(f"{page}/undo", form_fields(calendar.text, f"{page}/undo"))
    assert back.headers["location"] == f"/calendar?date={ON}&order={order_id}"
    assert await times(branch, order_id) == [("10:00", "10:30")]
    assert f"{page}/undo" not in (await desk.get(back.headers["location"])).text
    again = await desk.get((await desk.post(page, {**sent, "minutes": ""})).headers["location"])
    await desk.post(f"/calendar/bookings/{order_id}", {"act": "in-progress", "sure": "yes"})
    outdated = await desk.post(f"{page}/undo", form_fields(again.text, f"{page}/undo"))
    assert outdated.status_code == 422
    assert f'name="date" type="date" value="{ON}"' in outdated.text
    assert 'name="minutes" type="text" value="30"' in outdated.text
    assert "The appointment was changed meanwhile. Nothing was undone." in outdated.text
    assert "Your entries" not in outdated.text
    assert (await desk.post(f"{page}/undo", {"version": "99"})).status_code == 422
    assert (await desk.post(f"{page}/undo", {})).status_code == 422


async def moved(desk: DashboardClient, order_id: str, sent: dict[str, Any]) -> dict[str, list[str]]:
    """The fields of the form that undoes the move."""
    answer = await desk.post(f"/orders/{order_id}/move", sent)
    assert answer.status_code == 303, answer.text
    return form_fields((await desk.get(answer.headers["location"])).text, f"/orders/{order_id}/move/undo")


async def test_an_undo_restores_what_could_not_be_booked_now(branch: BranchFixture, desk: DashboardClient) -> None:
    """The appointment began an hour ago, off the grid, and lasts seven minutes; its customer is here."""
    cut = await branch.add_service(duration=7)
    mine, other = await branch.add_provider(cut), await branch.add_provider(cut)
    order_id = await book(branch, cut, staff_id=mine)
    began = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=61)
    await change_row(branch.shop, "orders", order_id, starts_at=began, arrived_at=began)
    await move_booking(branch.shop, order_id, began, minutes=7)
    before = await kept(branch, order_id)
    to = {"date": str(ON), "time": "14:00", "staff": str(other), "minutes": "45"}
    undo = await moved(desk, order_id, to)
    assert (await kept(branch, order_id))[0]["arrived_at"] is None
    assert (await desk.post(f"/orders/{order_id}/move/undo", undo)).status_code == 303
    assert await kept(branch, order_id) == before


async def kept(branch: BranchFixture, order_id: str) -> list[Any]:
    return await branch.shop.sql(
        """SELECT o.starts_at, o.arrived_at, k.staff_id, k.during, k.busy, l.staff_id AS named, l.duration
        FROM orders o JOIN bookings k ON k.tenant_id = $1 AND k.order_id = o.id
        JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
        WHERE o.tenant_id = $1 AND o.id = $2 ORDER BY l.position""",
        UUID(order_id),
    )


async def test_an_undo_is_refused_if_the_old_time_is_not_what_it_was(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    cut, mine, _ = await chair(branch)
    order_id = await book(branch, cut, staff_id=mine)
    undo = await moved(desk, order_id, {"time": "14:00"})
    taken = await book(branch, cut, staff_id=mine)
    refused = await desk.post(f"/orders/{order_id}/move/undo", undo)
    assert (refused.status_code, "The requested time is already booked." in refused.text) == (422, True)
    await branch.move(taken, "canceled")
    hours = form_fields((await desk.get(f"/staff/{mine}/time-off/new")).text, f"/staff/{mine}/time-off/new")
    assert (await desk.post(f"/staff/{mine}/time-off/new", hours)).status_code == 303
    refused = await desk.post(f"/orders/{order_id}/move/undo", undo)
    assert (refused.status_code, "The working hours have changed since." in refused.text) == (422, True)
    assert await times(branch, order_id) == [("14:00", "14:30")]


async def test_only_consecutive_services_of_one_provider_are_moved_together(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    cut, mine, _ = await chair(branch)
    color = await branch.add_service()
    other = await branch.add_provider(cut, color)
    first, second, third = line(cut, staff_id=mine), line(color, staff_id=other), line(cut, staff_id=mine)
    order_id = (await branch.place(first, second, third, start=start(ON, "10:00")))["id"]
    ids = await line_ids(branch, order_id)
    for lines in (ids, [ids[0], ids[2]], [ids[1], str(UUID(int=1))]):
        refused = await desk.post(f"/orders/{order_id}/move", {"line": lines, "time": "14:00"})
        assert (refused.status_code, "The appointment has changed." in refused.text) == (422, True), lines
    assert await times(branch, order_id) == [("10:00", "10:30"), ("10:30", "11:00"), ("11:00", "11:30")]


async def test_all_that_prevents_a_move_is_said_and_three_times_are_offered(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    cut, mine, other = await chair(branch)
    order_id, taken = await book(branch, cut), await book(branch, cut, at="16:30", staff_id=mine)
    page = f"/orders/{order_id}/move"
    refused = await desk.get(page, params={"date": str(ON), "time": "16:45", "staff": str(mine)})
    for text in ("16:30 to 17:00 is taken: Sara Buyer", "Outside the working hours", "is free at"):
        assert text in refused.text, text
    assert "Move to" not in refused.text
    assert refused.text.count(f'href="/orders/{order_id}/move?line=') == 3
    stranger = await desk.get(page, params={"time": "11:00", "staff": str(other)})
    assert "does not perform" in stranger.text
    assert "Move to" not in stranger.text
    posted = await desk.post(page, {"date": str(ON), "time": "16:30", "staff": str(mine)})
    assert (posted.status_code, "is taken: Sara Buyer" in posted.text) == (422, True)
    assert "The requested time is already booked." in posted.text
    assert (await times(branch, order_id), await times(branch, taken)) == ([("10:00", "10:30")], [("16:30", "17:00")])


async def test_one_of_several_services_is_moved_with_the_others(branch: BranchFixture, desk: DashboardClient) -> None:
    cut, _, _ = await chair(branch)
    color = await branch.add_service()
    second, third = await branch.add_provider(color), await branch.add_provider(color)
    order_id = (await branch.place(line(cut), line(color, staff_id=second), start=start(ON, "10:00")))["id"]
    sent = {"line": (await line_ids(branch, order_id))[1], "start": local(ON, "13:00").isoformat(), "staff": str(third)}
    assert (await desk.post(f"/orders/{order_id}/move", sent)).status_code == 303
    assert await times(branch, order_id) == [("12:30", "13:00"), ("13:00", "13:30")]
    assert (await branch.read(order_id))["bookings"][1]["staff_id"] == str(third)


async def test_two_services_of_one_provider_are_one_block_and_move_together(
    branch: BranchFixture, desk: DashboardClient
) -> None:
    cut, color = await branch.add_service(), await branch.add_service()
    mine = await branch.add_provider(cut, color)
    theirs, half = await branch.add_provider(cut, color), await branch.add_provider(cut)
    order_id = await book(branch, cut, color, staff_id=mine)
    page = f"/orders/{order_id}/move"
    lines = await line_ids(branch, order_id)
    sent = {"line": lines, "start": local(ON, "11:00").isoformat()}
    checked = await desk.get(page, params={**sent, "staff": str(theirs)})
    for text in ("10:00–10:30", "10:30–11:00", "11:00–11:30", "11:30–12:00", "11:00–12:00", "Move to 11:00"):
        assert text in checked.text, text
    refused = await desk.post(page, {**sent, "staff": str(half)})
    assert (refused.status_code, "does not perform" in refused.text) == (422, True)
    assert (await desk.post(page, {**sent, "staff": str(theirs)})).status_code == 303
    assert await times(branch, order_id) == [("11:00", "11:30"), ("11:30", "12:00")]
    assert {b["staff_id"] for b in (await branch.read(order_id))["bookings"]} == {str(theirs)}
    # A longer block is a longer last service, and one service alone is moved by its line.
    assert (await desk.post(page, {"line": lines, "minutes": "75"})).status_code == 303
    assert await times(branch, order_id) == [("11:00", "11:30"), ("11:30", "12:15")]
    alone = await desk.get(page, params={"line": lines[0], "staff": str(half)})
    assert ("Move to 11:00" in alone.text, "does not perform" in alone.text) == (True, False)


async def test_an_appointment_is_made_longer_and_shorter_in_steps(branch: BranchFixture, desk: DashboardClient) -> None:
    cut, mine, _ = await chair(branch)
    order_id, _ = await book(branch, cut), await book(branch, cut, at="11:00", staff_id=mine)
    page = f"/orders/{order_id}/move"
    for minutes, status, ends in (
        ("60", 303, "11:00"),
        ("65", 422, "11:00"),
        ("20", 303, "10:20"),
        ("7", 422, "10:20"),
    ):
        assert (await desk.post(page, {"minutes": minutes})).status_code == status, minutes
        assert await times(branch, order_id) == [("10:00", ends)]
    assert "in steps of 5" in (await desk.post(page, {"minutes": "7"})).text
    assert "10:15" not in (await branch.starts(cut, ON))
    (entry,) = await branch.shop.sql(
        "SELECT before, after FROM activity WHERE tenant_id = $1 AND subject_id = $2 AND action = 'order.rescheduled' "
        "ORDER BY id DESC LIMIT 1",
        UUID(order_id),
    )
    assert ('"minutes": [60]' in entry["before"], '"minutes": [20]' in entry["after"]) == (True, True)


async def test_an_order_that_is_over_stays_where_it_is(branch: BranchFixture, desk: DashboardClient) -> None:
    cut, _, _ = await chair(branch)
    order_id = await book(branch, cut)
    await branch.move(order_id, "canceled")
    page = await desk.get(f"/orders/{order_id}/move", params={"time": "12:00"})
    assert ("The order is canceled" in page.text, "Move to" in page.text) == (True, False)
    async with await dashboard_of(branch.shop, await make_user(branch.shop, Role.CASHIER)) as cashier:
        assert (await cashier.get(f"/orders/{order_id}/move")).status_code == 403


async def test_a_time_that_the_clocks_skip_is_refused(service: Service) -> None:
    branch = await open_branch(await service.new_shop(timezone="Europe/Berlin"))
    cut, _, _ = await chair(branch)
    order_id = await book(branch, cut)
    async with await dashboard_of(branch.shop, await owner_of(branch.shop)) as desk:
        march = date(ON.year + 1, 3, 31)
        skipped = march - timedelta(days=(march.weekday() + 1) % 7)  # the last Sunday
        page = await desk.get(f"/orders/{order_id}/move", params={"date": str(skipped), "time": "02:30"})
        skips = "This time does not exist on this day, because the clocks change."
        assert (page.status_code, skips in page.text) == (200, True)
        assert "Move to" not in page.text
        form = {"id": str(order_id), "branch": str(branch.branch_id), "service": [str(cut)]}
        shown = (await desk.post("/calendar/new", form | {"date": str(skipped), "time": "02:30"})).text
    assert "This time does not exist on this day, because the clocks change." in shown
    assert "02:30 is taken" not in shown
