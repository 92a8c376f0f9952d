"""What is offered, day by day; and that exactly this can be booked."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from tests.factories.catalog import make_branch
from tests.factories.changes import change_rows, change_tenant, delete_rows
from tests.factories.people import make_closed_day
from tests.support.branch import EVERY_DAY, RIYADH, BranchFixture, day, grid, line, local, start, weekday
from tests.support.http_errors import assert_error
from tests.support.pagination import Document
from tests.support.shop import Shop

pytestmark = pytest.mark.both_servers

WHOLE_DAY = grid("00:00", "23:45")
OPEN = grid("09:00", "16:30")  # thirty minutes between nine and five


async def test_a_provider_without_hours_has_those_of_the_branch(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    provider = await branch.add_provider(service_id)
    assert await branch.starts(service_id, day(3)) == OPEN
    await branch.set_hours({on: [("10:00", "12:00"), ("14:00", "14:45")] for on in EVERY_DAY}, staff_id=provider)
    assert await branch.starts(service_id, day(3)) == [*grid("10:00", "11:30"), "14:00", "14:15"]


async def test_hours_that_are_inactive_mean_closed(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    provider = await branch.add_provider(service_id)
    await branch.set_hours({on: [("10:00", "12:00")] for on in EVERY_DAY}, staff_id=provider, active=False)
    assert await branch.starts(service_id, day(3)) == []
    await branch.set_hours({}, staff_id=provider, all_time=True, active=False)
    assert await branch.starts(service_id, day(3)) == []


async def test_an_inactive_interval_counts_for_nothing(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await branch.set_hours({on: [("09:00", "10:00"), ("11:00", "12:00")] for on in EVERY_DAY})
    hours = await branch.shop.sql(
        "SELECT id FROM working_hours WHERE tenant_id = $1 AND branch_id = $2", branch.branch_id
    )
    for row in hours:
        morning = {"working_hour_id": row["id"], "opens": 540}
        await change_rows(branch.shop, "working_intervals", morning, active=False)
    assert await branch.starts(service_id, day(3)) == grid("11:00", "11:30")


async def test_no_availability_without_hours_of_provider_or_branch(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await delete_rows(branch.shop, "working_hours", branch_id=branch.branch_id)
    assert await branch.starts(service_id, day(3)) == []


async def test_hours_run_past_midnight_into_the_next_day(branch: BranchFixture) -> None:
    service_id, evening = await branch.add_service(), day(3)
    await branch.add_provider(service_id)
    await branch.set_hours({weekday(evening): [("22:00", "02:00")]})
    slots = await branch.slots(service_id, evening, visible_days=3)
    assert slots == {
        str(evening): grid("22:00", "23:45"),
        str(evening + timedelta(days=1)): grid("00:00", "01:30"),
        str(evening + timedelta(days=2)): [],
    }


async def test_midnight_as_an_end_is_the_end_of_the_day(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    await branch.add_provider(service_id)
    await branch.set_hours({weekday(on): [("20:00", "00:00")]})
    slots = await branch.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [grid("20:00", "23:30"), []]


async def test_an_end_equal_to_the_beginning_is_a_whole_day_later(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    await branch.add_provider(service_id)
    await branch.set_hours({weekday(on): [("08:00", "08:00")]})
    slots = await branch.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [grid("08:00", "23:45"), grid("00:00", "07:30")]


async def test_hours_of_all_time_are_always_available(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=120)
    await branch.add_provider(service_id)
    await branch.set_hours({}, all_time=True)
    slots = await branch.slots(service_id, day(3), visible_days=30)
    assert list(slots.values()) == [WHOLE_DAY] * 30


async def test_time_off_is_not_offered(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    provider = await branch.add_provider(service_id)
    await branch.take_off(provider, local(on, "11:00"), local(on, "12:10"))
    assert await branch.starts(service_id, on) == [*grid("09:00", "10:30"), *grid("12:15", "16:30")]
    await branch.take_off(provider, local(on, "14:00"), local(on + timedelta(days=1), "16:00"))
    slots = await branch.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [
        [*grid("09:00", "10:30"), *grid("12:15", "13:30")],
        grid("16:00", "16:30"),
    ]


async def test_the_hours_that_begin_on_a_closed_day_are_closed_after_midnight_too(branch: BranchFixture) -> None:
    service_id, closed = await branch.add_service(), day(4)
    await branch.add_provider(service_id)
    await branch.set_hours({on: [("22:00", "02:00")] for on in EVERY_DAY})
    await branch.close(closed)
    slots = await branch.slots(service_id, closed - timedelta(days=1), visible_days=3)
    assert list(slots.values()) == [
        [*grid("00:00", "01:30"), *grid("22:00", "23:30")],
        [],
        grid("22:00", "23:45"),
    ]
    after = closed + timedelta(days=1)
    assert await branch.starts(service_id, after) == grid("22:00", "23:45"), "also if the search begins after it"
    order = branch.order(line(service_id), start=start(after, "00:30"))
    refused = assert_error(await branch.shop.post("/orders", order), 422, "timeslot_unavailable")
    assert refused["details"]["reason"] == "outside_working_hours"
    assert str(after) + "T00:30:00" not in [one["start"] for one in refused["details"]["alternatives"]]


async def test_a_closed_day_of_another_branch_changes_nothing(busy_shop: Shop, branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await make_closed_day(busy_shop, await make_branch(busy_shop), day(3))
    assert await branch.starts(service_id, day(3)) == OPEN


async def test_a_booking_takes_every_start_that_would_touch_it(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    await branch.add_provider(service_id)
    order = await branch.place(line(service_id), start=start(on, "10:00"))
    left = [at for at in OPEN if not "09:30" < at < "10:30"]
    assert await branch.starts(service_id, on) == left
    await branch.move(order["id"], "canceled")
    assert await branch.starts(service_id, on) == OPEN


async def test_a_booking_for_one_service_takes_the_provider_for_all(branch: BranchFixture) -> None:
    short, long, on = await branch.add_service(duration=15), await branch.add_service(duration=60), day(3)
    await branch.add_provider(short, long)
    await branch.place(line(short), start=start(on, "12:00"))
    assert await branch.starts(long, on) == [*grid("09:00", "11:00"), *grid("12:15", "16:00")]


async def test_a_providers_own_duration_counts(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=30)
    slow = await branch.add_provider(service_id, duration=120)
    assert await branch.starts(service_id, day(3)) == grid("09:00", "15:00")
    await branch.add_provider(service_id)
    assert await branch.starts(service_id, day(3)) == OPEN
    assert await branch.starts(service_id, day(3), staff_id=slow) == grid("09:00", "15:00")


async def test_a_quantity_takes_so_many_times_as_long(branch: BranchFixture) -> None:
    service_id = await branch.add_service(duration=30)
    await branch.add_provider(service_id)
    assert await branch.starts(service_id, day(3), quantity=None) == OPEN
    assert await branch.starts(service_id, day(3), quantity=3) == grid("09:00", "15:30")
    assert await branch.starts(service_id, day(3), quantity=16) == ["09:00"]
    for quantity in (17, 48, 1_000_000):
        assert await branch.starts(service_id, day(3), quantity=quantity) == []


async def test_an_appointment_of_several_days_is_offered_where_it_fits(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(duration=1440), day(3)
    provider = await branch.add_provider(service_id)
    await branch.set_hours({}, all_time=True)
    await branch.take_off(provider, local(on + timedelta(days=4), "12:00"), local(on + timedelta(days=9), "00:00"))
    slots = await branch.slots(service_id, on, visible_days=2, quantity=3)
    assert list(slots.values()) == [WHOLE_DAY, grid("00:00", "12:00")]


async def test_a_provider_who_needs_too_long_does_not_hide_the_others(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    quick = await branch.add_provider(service_id, duration=700)
    await branch.add_provider(service_id, duration=1440)
    await branch.set_hours({}, all_time=True)
    alone = await branch.slots(service_id, on, visible_days=1, quantity=14, staff_id=quick)
    assert alone == {str(on): WHOLE_DAY}
    assert await branch.slots(service_id, on, visible_days=1, quantity=14) == alone


async def test_starts_lie_on_the_grid_counted_from_each_opening(own_branch: BranchFixture) -> None:
    service_id, on = await own_branch.add_service(duration=20), day(3)
    await own_branch.add_provider(service_id)
    await own_branch.set_hours({weekday(on): [("09:10", "10:00"), ("11:05", "11:50")]})
    assert await own_branch.starts(service_id, on) == ["09:10", "09:25", "09:40", "11:05", "11:20"]
    await change_tenant(own_branch.shop, grid_minutes=25)
    assert await own_branch.starts(service_id, on) == ["09:10", "09:35", "11:05", "11:30"]


async def test_availability_offers_only_future_starts(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await branch.set_hours({}, all_time=True)
    before = datetime.now(RIYADH)
    slots = await branch.slots(service_id, before.date() - timedelta(days=1), visible_days=3)
    after = datetime.now(RIYADH)
    yesterday, today, tomorrow = slots.values()
    assert yesterday == []
    assert tomorrow == WHOLE_DAY or after.date() != before.date()
    assert today in ([at for at in WHOLE_DAY if at > f"{then:%H:%M}"] for then in (before, after))


async def test_every_day_of_the_window_is_there_and_seven_by_default(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    await branch.set_hours({weekday(day(3)): [("09:00", "10:00")]})
    for asked, count in (({}, 7), ({"visible_days": None}, 7), ({"visible_days": 1}, 1), ({"visible_days": 30}, 30)):
        slots = await branch.slots(service_id, day(2), **asked)
        assert list(slots) == [str(day(2) + timedelta(days=n)) for n in range(count)]
        for on, starts in slots.items():
            assert starts == (grid("09:00", "09:30") if weekday(date.fromisoformat(on)) == weekday(day(3)) else [])


async def test_availability_without_a_provider_is_the_union_of_all(branch: BranchFixture) -> None:
    service_id, on = await branch.add_service(), day(3)
    early, late = await branch.add_provider(service_id), await branch.add_provider(service_id)
    await branch.set_hours({weekday(on): [("09:00", "11:00")]}, staff_id=early)
    await branch.set_hours({weekday(on): [("10:10", "12:00")]}, staff_id=late)
    mine, theirs = grid("09:00", "10:30"), grid("10:10", "11:25")
    assert await branch.starts(service_id, on, staff_id=early) == mine
    assert await branch.starts(service_id, on, staff_id=late) == theirs
    assert await branch.starts(service_id, on) == sorted({*mine, *theirs})


async def test_a_service_that_nobody_performs_is_never_free(branch: BranchFixture) -> None:
    service_id = await branch.add_service()
    await branch.add_provider(service_id, active=False)
    assert await branch.slots(service_id, day(3), next_availability=True) == {
        str(day(3) + timedelta(days=n)): [] for n in range(7)
    }


async def test_availability_leaves_out_providers_of_other_branches(
    branch: BranchFixture,
) -> None:
    service_id = await branch.add_service()
    (elsewhere,) = await branch.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'")
    stranger = await branch.add_provider(service_id, branch_id=elsewhere["id"])
    await branch.set_hours({}, staff_id=stranger, all_time=True)
    assert await branch.starts(service_id, day(5)) == []
    body = {"service_id": str(service_id), "staff_id": str(stranger), "date": str(day(5))}
    answer = assert_error(await branch.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"].keys() == {"staff_id"}
    assert_error(
        await branch.shop.post("/orders", branch.order(line(service_id), start=start(day(5), "10:00"))),
        422,
        "timeslot_unavailable",
    )


# The next availability


async def _away_until(branch: BranchFixture, free: date) -> UUID:
    """A service whose only provider comes back on this day."""
    service_id = await branch.add_service()
    provider = await branch.add_provider(service_id)
    await branch.take_off(provider, local(day(0), "00:00"), local(free, "00:00"))
    return service_id


async def test_the_window_moves_to_the_first_day_that_has_something(branch: BranchFixture) -> None:
    service_id = await _away_until(branch, day(20))
    stays = await branch.slots(service_id, day(2))
    assert list(stays) == [str(day(2 + n)) for n in range(7)]
    assert not any(stays.values())
    moved = await branch.slots(service_id, day(2), next_availability=True, visible_days=3)
    assert moved == {str(day(20 + n)): OPEN for n in range(3)}


async def test_the_window_does_not_move_when_the_day_asked_for_has_something(branch: BranchFixture) -> None:
    service_id = await _away_until(branch, day(5))
    slots = await branch.slots(service_id, day(5), next_availability=True, visible_days=2)
    assert slots == {str(day(5)): OPEN, str(day(6)): OPEN}


async def test_the_window_moves_even_when_a_later_day_of_it_has_something(branch: BranchFixture) -> None:
    service_id = await _away_until(branch, day(5))
    slots = await branch.slots(service_id, day(4), next_availability=True, visible_days=2)
    assert list(slots) == [str(day(5)), str(day(6))]


async def test_availability_searches_ninety_days_ahead(branch: BranchFixture) -> None:
    service_id = await _away_until(branch, day(2 + 90))
    found = await branch.slots(service_id, day(2), next_availability=True, visible_days=1)
    assert found == {str(day(2 + 90)): OPEN}
    nothing = await branch.slots(service_id, day(1), next_availability=True, visible_days=2)
    assert nothing == {str(day(1)): [], str(day(2)): []}


# Clock changes


def _next_change(zone: ZoneInfo, *, forward: bool) -> date:
    """The next local day, not before the day after tomorrow, on which the clocks are changed in this direction."""
    on = datetime.now(zone).date() + timedelta(days=2)
    while True:
        begins, ends = (datetime.combine(on + timedelta(days=n), time(), tzinfo=zone).astimezone(UTC) for n in (0, 1))
        if (ends - begins < timedelta(hours=24)) if forward else (ends - begins > timedelta(hours=24)):
            return on
        on += timedelta(days=1)


async def _in_zone(branch: BranchFixture, name: str) -> ZoneInfo:
    await change_tenant(branch.shop, timezone=name)
    return ZoneInfo(name)


async def _times(branch: BranchFixture, order: Document) -> tuple[str, str]:
    (booking,) = (await branch.read(order["id"]))["bookings"]
    return booking["start"], booking["end"]


async def test_availability_leaves_out_an_hour_that_the_clocks_skip(
    own_branch: BranchFixture,
) -> None:
    changed = _next_change(await _in_zone(own_branch, "Europe/Berlin"), forward=True)
    service_id = await own_branch.add_service()
    await own_branch.add_provider(service_id)
    await own_branch.set_hours({on: [("00:00", "06:00")] for on in EVERY_DAY})
    assert await own_branch.starts(service_id, changed) == [*grid("00:00", "01:45"), *grid("03:00", "05:30")]
    order = await own_branch.place(line(service_id), start=start(changed, "01:45"))
    assert await _times(own_branch, order) == (f"{changed}T01:45:00+01:00", f"{changed}T03:15:00+02:00")
    assert await own_branch.starts(service_id, changed) == [*grid("00:00", "01:15"), *grid("03:15", "05:30")]


async def test_availability_offers_a_repeated_hour_once(own_branch: BranchFixture) -> None:
    changed = _next_change(await _in_zone(own_branch, "Europe/Berlin"), forward=False)
    service_id = await own_branch.add_service()
    await own_branch.add_provider(service_id)
    await own_branch.set_hours({on: [("00:00", "06:00")] for on in EVERY_DAY})
    assert await own_branch.starts(service_id, changed) == grid("00:00", "05:30")
    order = await own_branch.place(line(service_id), start=start(changed, "02:45"))
    assert await _times(own_branch, order) == (f"{changed}T02:45:00+02:00", f"{changed}T02:15:00+01:00")
    left = [at for at in grid("00:00", "05:30") if at != "02:45" and at != "02:30"]
    assert await own_branch.starts(service_id, changed) == left


async def test_a_day_that_begins_at_one_is_offered_from_one(own_branch: BranchFixture) -> None:
    changed = _next_change(await _in_zone(own_branch, "Africa/Cairo"), forward=True)
    service_id = await own_branch.add_service()
    await own_branch.add_provider(service_id)
    await own_branch.set_hours({}, all_time=True)
    slots = await own_branch.slots(service_id, changed - timedelta(days=1), visible_days=3)
    assert list(slots.values()) == [WHOLE_DAY, grid("01:00", "23:45"), WHOLE_DAY]


async def test_nothing_is_offered_after_the_last_day_that_can_be_booked(branch: BranchFixture) -> None:
    service_id, last = await branch.add_service(), date(2200, 12, 31)
    await branch.add_provider(service_id)
    await branch.set_hours({}, all_time=True)
    for more in ({}, {"next_availability": True}, {"explain": True}):
        slots = await branch.slots(service_id, last, visible_days=3, **more)
        assert slots == {"2200-12-31": WHOLE_DAY, "2201-01-01": [], "2201-01-02": []}
    await branch.place(line(service_id), start=start(last, "23:45"))
