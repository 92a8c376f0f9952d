"""When an order's services begin, who performs them, and what is said when they cannot."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.factories.changes import change_tenant
from tests.factories.people import assign_service
from tests.support.branch import EVERY_DAY, RIYADH, BranchFixture, books, day, grid, line, local, start, weekday
from tests.support.http_errors import assert_error
from tests.support.pagination import Document

pytestmark = pytest.mark.both_servers

ON = "+03:00"  # Riyadh's offset, all year


async def _unavailable(branch: BranchFixture, *lines: Document, at: str) -> Document:
    """The details of the refusal; nothing of the order stays."""
    before = await books(branch.shop)
    answer = await branch.shop.post("/orders", branch.order(*lines, start=at))
    details: Document = assert_error(answer, 422, "timeslot_unavailable")["details"]
    assert details.keys() == {"reason", "alternatives"}
    assert await books(branch.shop) == before
    return details


async def _booked(branch: BranchFixture, *lines: Document, at: str) -> list[Document]:
    bookings: list[Document] = (await branch.read((await branch.place(*lines, start=at))["id"]))["bookings"]
    return bookings


# Lines


async def test_service_lines_run_back_to_back_in_their_order(branch: BranchFixture) -> None:
    cut, colour, cream = await branch.add_service(duration=20), await branch.add_service(), await branch.add_product()
    slow = await branch.add_provider(cut, duration=50)
    other = await branch.add_provider(colour)
    on = day(3)
    placed = await branch.place(
        line(cut, quantity=2), line(cream, "product"), line(colour, staff_id=other), line(cut), start=start(on, "09:00")
    )
    order = await branch.read(placed["id"])
    number = int(placed["order_number"])
    assert [
        (b["service_id"], b["staff_id"], b["start"], b["end"], b["status"], b["reference"]) for b in order["bookings"]
    ] == [
        (str(cut), str(slow), f"{on}T09:00:00{ON}", f"{on}T10:40:00{ON}", "confirmed", f"BK-{number:06}"),
        (str(colour), str(other), f"{on}T10:40:00{ON}", f"{on}T11:10:00{ON}", "confirmed", f"BK-{number:06}-2"),
        (str(cut), str(slow), f"{on}T11:10:00{ON}", f"{on}T12:00:00{ON}", "confirmed", f"BK-{number:06}-3"),
    ]
    assert [item["staff_id"] for item in order["items"]] == [str(slow), None, str(other), str(slow)]
    assert order["start"] == f"{on}T09:00:00{ON}"


async def test_an_order_is_refused_if_a_later_line_does_not_fit(branch: BranchFixture) -> None:
    cut, colour, on = await branch.add_service(), await branch.add_service(), day(3)
    await branch.add_provider(cut)
    painter = await branch.add_provider(colour)
    await branch.place(line(colour), start=start(on, "10:00"))
    details = await _unavailable(branch, line(cut), line(colour), at=start(on, "09:45"))
    assert details["reason"] == "booked"
    assert [a["start"] for a in details["alternatives"]] == [start(on, at) for at in ("09:00", "10:00", "10:15")]
    await branch.take_off(painter, local(on, "16:00"), local(on, "17:00"))
    assert (await _unavailable(branch, line(cut), line(colour), at=start(on, "15:45")))["reason"] == "time_off"
    assert (await _unavailable(branch, line(cut), line(cut), at=start(on, "16:30")))[
        "reason"
    ] == "outside_working_hours"


async def test_only_the_first_line_is_bound_to_the_grid(branch: BranchFixture) -> None:
    cut, colour, on = await branch.add_service(duration=20), await branch.add_service(), day(3)
    await branch.add_provider(cut, colour)
    bookings = await _booked(branch, line(cut), line(colour), at=start(on, "09:15"))
    assert [b["start"] for b in bookings] == [f"{on}T09:15:00{ON}", f"{on}T09:35:00{ON}"]
    assert (await _unavailable(branch, line(colour), at=start(on, "10:20")))["reason"] == "off_grid"


async def test_a_later_line_finds_another_provider_when_the_first_choice_leads_nowhere(branch: BranchFixture) -> None:
    """The quick one would be chosen first, but then no provider is free for the next service."""
    cut, colour, on = await branch.add_service(), await branch.add_service(), day(3)
    quick, slow = sorted([await branch.add_provider(), await branch.add_provider()])
    for staff_id, minutes in ((quick, 15), (slow, 60)):
        await assign_service(branch.shop, staff_id, cut, duration=minutes)
    painter = await branch.add_provider(colour)
    await branch.set_hours({weekday(on): [("10:00", "10:30")]}, staff_id=painter)
    bookings = await _booked(branch, line(cut), line(colour), at=start(on, "09:00"))
    assert [(b["staff_id"], b["start"]) for b in bookings] == [
        (str(slow), f"{on}T09:00:00{ON}"),
        (str(painter), f"{on}T10:00:00{ON}"),
    ]


# Who


async def test_the_least_booked_of_that_day_is_chosen(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    first, second, third = [await branch.add_provider(cut) for _ in range(3)]
    await branch.place(line(cut, quantity=2, staff_id=first), start=start(on, "15:00"))
    await branch.place(line(cut, staff_id=second), start=start(on, "15:00"))
    await branch.place(line(cut, quantity=4, staff_id=third), start=start(on + timedelta(days=1), "15:00"))
    chosen = [(await _booked(branch, line(cut), at=start(on, "10:00")))[0]["staff_id"] for _ in range(3)]
    assert chosen == [str(third), str(second), str(first)]
    assert (await _unavailable(branch, line(cut), at=start(on, "10:00")))["reason"] == "booked"


async def test_a_canceled_booking_is_no_load(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    first, second = [await branch.add_provider(cut) for _ in range(2)]
    given_up = await branch.place(line(cut, quantity=3, staff_id=first), start=start(on, "13:00"))
    await branch.move(given_up["id"], "canceled")
    await branch.place(line(cut, staff_id=second), start=start(on, "15:00"))
    assert (await _booked(branch, line(cut), at=start(on, "10:00")))[0]["staff_id"] == str(first)


async def test_a_provider_who_does_not_work_at_the_start_is_not_assigned(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    away, here = [await branch.add_provider(cut) for _ in range(2)]
    await branch.take_off(away, local(on, "09:00"), local(on, "12:00"))
    await branch.place(line(cut, quantity=4, staff_id=here), start=start(on, "13:00"))
    assert (await _booked(branch, line(cut), at=start(on, "10:00")))[0]["staff_id"] == str(here)


async def test_a_named_provider_must_perform_the_service_here(branch: BranchFixture) -> None:
    cut, colour = await branch.add_service(), await branch.add_service()
    await branch.add_provider(cut)
    (elsewhere,) = await branch.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'")
    for staff_id in (
        await branch.add_provider(colour),
        await branch.add_provider(cut, active=False),
        await branch.add_provider(cut, branch_id=elsewhere["id"]),
    ):
        before = await books(branch.shop)
        body = branch.order(line(cut, staff_id=staff_id), start=start(day(3), "10:00"))
        answer = assert_error(await branch.shop.post("/orders", body), 422, "validation_error")
        assert answer["errors"].keys() == {"items.0.staff_id"}
        assert await books(branch.shop) == before


async def test_a_service_that_nobody_performs_cannot_be_booked(branch: BranchFixture) -> None:
    details = await _unavailable(branch, line(await branch.add_service()), at=start(day(3), "10:00"))
    assert details == {"reason": "outside_working_hours", "alternatives": []}


# When


@pytest.mark.parametrize(
    ("written", "local_time"),
    [
        ("{}T10:00:00", "10:00"),
        ("{}T10:00", "10:00"),
        ("{} 10:00:00.000000", "10:00"),
        ("{}T10:00:00+03:00", "10:00"),
        ("{}T10:00:00Z", "13:00"),
        ("{}T07:30:00-05:00", "15:30"),
        ("{}T16:00:00+0530", "13:30"),
    ],
)
async def test_a_start_without_an_offset_is_local_and_with_one_that_instant(
    branch: BranchFixture, written: str, local_time: str
) -> None:
    cut, on = await branch.add_service(), day(3)
    await branch.add_provider(cut)
    (booking,) = await _booked(branch, line(cut), at=written.format(on))
    assert booking["start"] == f"{on}T{local_time}:00{ON}"


async def test_a_start_that_the_clocks_skip_is_refused(own_branch: BranchFixture) -> None:
    await change_tenant(own_branch.shop, timezone="Europe/Berlin")
    cut, sunday = await own_branch.add_service(), _last_sunday(3)
    await own_branch.add_provider(cut)
    await own_branch.set_hours({}, all_time=True)
    before = await books(own_branch.shop)
    for at in ("02:00", "02:30", "02:59"):
        body = own_branch.order(line(cut), start=start(sunday, at))
        answer = assert_error(await own_branch.shop.post("/orders", body), 422, "validation_error")
        assert answer["errors"] == {"start": ["does not exist because of a daylight saving time change"]}
    assert await books(own_branch.shop) == before
    (booking,) = await _booked(own_branch, line(cut), at=start(sunday, "03:00"))
    assert booking["start"] == f"{sunday}T03:00:00+02:00"


async def test_of_a_start_that_exists_twice_the_first_is_meant(own_branch: BranchFixture) -> None:
    await change_tenant(own_branch.shop, timezone="Europe/Berlin")
    cut, sunday = await own_branch.add_service(), _last_sunday(10)
    await own_branch.add_provider(cut)
    await own_branch.set_hours({}, all_time=True)
    (booking,) = await _booked(own_branch, line(cut), at=start(sunday, "02:30"))
    assert (booking["start"], booking["end"]) == (f"{sunday}T02:30:00+02:00", f"{sunday}T02:00:00+01:00")
    assert (await _unavailable(own_branch, line(cut), at=start(sunday, "02:30")))["reason"] == "booked"


async def test_both_starts_of_a_repeated_hour_can_be_booked_with_their_offset(own_branch: BranchFixture) -> None:
    await change_tenant(own_branch.shop, timezone="Europe/Berlin")
    cut, sunday = await own_branch.add_service(), _last_sunday(10)
    await own_branch.add_provider(cut)
    await own_branch.set_hours({on: [("00:00", "06:00")] for on in EVERY_DAY})
    assert await own_branch.starts(cut, sunday) == grid("00:00", "05:30")
    assert (await _unavailable(own_branch, line(cut), at=f"{sunday}T02:05:00+01:00"))["reason"] == "off_grid"
    (second,) = await _booked(own_branch, line(cut), at=f"{sunday}T02:30:00+01:00")
    assert (second["start"], second["end"]) == (f"{sunday}T02:30:00+01:00", f"{sunday}T03:00:00+01:00")
    assert await own_branch.starts(cut, sunday) == [*grid("00:00", "02:45"), *grid("03:00", "05:30")]
    (first,) = await _booked(own_branch, line(cut), at=start(sunday, "02:30"))
    assert first["start"] == f"{sunday}T02:30:00+02:00"
    assert await own_branch.starts(cut, sunday) == [*grid("00:00", "02:00"), *grid("03:00", "05:30")]
    for offset, reason in (("+02:00", "booked"), ("+01:00", "booked")):
        refusal = await _unavailable(own_branch, line(cut), at=f"{sunday}T02:30:00{offset}")
        assert refusal["reason"] == reason
        assert all("+" not in other["start"] for other in refusal["alternatives"])
    assert (await _unavailable(own_branch, line(cut), at=f"{sunday}T02:20:00+01:00"))["reason"] == "booked"


def _last_sunday(month: int) -> date:
    """On which Europe changes its clocks, the next time it does in this month."""
    year = datetime.now(UTC).year
    while True:
        on = date(year, month, 31)
        on -= timedelta(days=weekday(on))
        if on > day(2):
            return on
        year += 1


# Why not, and what else


async def test_a_refused_order_start_has_a_reason(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    provider = await branch.add_provider(cut)
    await branch.take_off(provider, local(on, "12:00"), local(on, "13:00"))
    await branch.place(line(cut), start=start(on, "10:00"))
    closed = on + timedelta(days=1)
    await branch.close(closed)
    for at, reason in (
        (start(on, "10:00"), "booked"),
        (start(on, "09:45"), "booked"),
        (start(on, "12:30"), "time_off"),
        (start(on, "11:45"), "time_off"),
        (start(on, "08:45"), "outside_working_hours"),
        (start(on, "16:45"), "outside_working_hours"),
        (start(closed, "10:00"), "outside_working_hours"),
        (start(on, "14:05"), "off_grid"),
        (f"{on}T14:00:30", "off_grid"),
        (start(day(-1), "10:00"), "past"),
        ("1999-12-31T10:00:00", "past"),
    ):
        assert (await _unavailable(branch, line(cut), at=at))["reason"] == reason, at


async def test_a_minute_off_the_grid_is_not_called_booked_while_a_provider_is_free(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    busy, _free = [await branch.add_provider(cut) for _ in range(2)]
    await branch.place(line(cut, staff_id=busy), start=start(on, "10:00"))
    assert (await _unavailable(branch, line(cut), at=start(on, "10:07")))["reason"] == "off_grid"
    assert (await _unavailable(branch, line(cut, staff_id=busy), at=start(on, "10:07")))["reason"] == "booked"


async def test_alternatives_are_the_three_nearest_and_each_of_them_books(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    busy, free = [await branch.add_provider(cut) for _ in range(2)]
    await branch.set_hours({weekday(on): [("14:00", "15:00")]}, staff_id=free)
    await branch.place(line(cut, quantity=4, staff_id=busy), start=start(on, "10:00"))
    details = await _unavailable(branch, line(cut), at=start(on, "11:30"))
    assert [a["start"] for a in details["alternatives"]] == [start(on, at) for at in ("12:00", "12:15", "12:30")]
    for alternative in details["alternatives"]:
        (booking,) = await _booked(branch, line(cut, staff_id=alternative["staff_id"]), at=alternative["start"])
        await branch.move(await _order_of(branch, booking), "canceled")
    details = await _unavailable(branch, line(cut, staff_id=free), at=start(on, "15:00"))
    assert details["alternatives"] == [
        {"start": start(on, at), "staff_id": str(free)} for at in ("14:00", "14:15", "14:30")
    ]


async def test_alternatives_may_lie_on_the_day_before(branch: BranchFixture) -> None:
    cut, on = await branch.add_service(), day(3)
    await branch.add_provider(cut)
    await branch.set_hours({n: [("10:00", "10:30"), ("23:00", "23:45")] for n in EVERY_DAY})
    details = await _unavailable(branch, line(cut), at=start(on, "00:15"))
    evening = on - timedelta(days=1)
    assert [a["start"] for a in details["alternatives"]] == [
        start(evening, "23:00"),
        start(evening, "23:15"),
        start(on, "10:00"),
    ]


async def test_alternatives_to_the_past_lie_in_the_future(branch: BranchFixture) -> None:
    cut = await branch.add_service()
    await branch.add_provider(cut)
    await branch.set_hours({}, all_time=True)
    for long_ago in (start(day(-1), "10:00"), start(day(-100), "10:00")):
        details = await _unavailable(branch, line(cut), at=long_ago)
        starts = [datetime.fromisoformat(a["start"]).replace(tzinfo=RIYADH) for a in details["alternatives"]]
        assert len(starts) == 3
        now = datetime.now(UTC)
        assert all(now - timedelta(minutes=1) < at < now + timedelta(hours=2) for at in starts)


async def test_no_alternatives_is_an_empty_list(branch: BranchFixture) -> None:
    cut = await branch.add_service()
    provider = await branch.add_provider(cut)
    await branch.take_off(provider, local(day(-1), "00:00"), local(day(60), "00:00"))
    assert await _unavailable(branch, line(cut), at=start(day(3), "10:00")) == {
        "reason": "time_off",
        "alternatives": [],
    }


async def _order_of(branch: BranchFixture, booking: Document) -> UUID:
    (row,) = await branch.shop.sql(
        "SELECT order_id FROM bookings WHERE tenant_id = $1 AND id = $2", UUID(booking["id"])
    )
    found: UUID = row["order_id"]
    return found


async def test_an_order_longer_than_a_week_is_refused(branch: BranchFixture) -> None:
    cut = await branch.add_service(duration=1440)
    await branch.add_provider(cut)
    await branch.set_hours({}, all_time=True)
    at: dict[str, Any] = {"at": start(day(3), "10:00")}
    (booking,) = await _booked(branch, line(cut, quantity=7), **at)
    assert booking["end"] == f"{day(10)}T10:00:00{ON}"
    await branch.move(await _order_of(branch, booking), "canceled")
    for quantity in (8, 1_000_000):
        assert (await _unavailable(branch, line(cut, quantity=quantity), **at))["reason"] == "outside_working_hours"
    assert grid("00:00", "23:45") == await branch.starts(cut, day(3), quantity=7)
