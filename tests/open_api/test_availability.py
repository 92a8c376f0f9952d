"""What is offered, day by day; and that exactly this can be booked."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest

from tests.support.salon import EVERY_DAY, RIYADH, Salon, day, grid, holding, line, local, start, weekday
from tests.support.shop import Shop
from tests.support.walk import Document, exact
from tests.support.wire import refused

WHOLE_DAY = grid("00:00", "23:45")
OPEN = grid("09:00", "16:30")  # thirty minutes between nine and five


async def test_the_hours_of_the_branch_stand_in_for_missing_ones(salon: Salon) -> None:
    service_id = await salon.add_service()
    provider = await salon.add_provider(service_id)
    assert await salon.starts(service_id, day(3)) == OPEN
    await salon.set_hours({on: [("10:00", "12:00"), ("14:00", "14:45")] for on in EVERY_DAY}, staff_id=provider)
    assert await salon.starts(service_id, day(3)) == [*grid("10:00", "11:30"), "14:00", "14:15"]


async def test_hours_that_are_inactive_mean_closed(salon: Salon) -> None:
    service_id = await salon.add_service()
    provider = await salon.add_provider(service_id)
    await salon.set_hours({on: [("10:00", "12:00")] for on in EVERY_DAY}, staff_id=provider, active=False)
    assert await salon.starts(service_id, day(3)) == []
    await salon.set_hours({}, staff_id=provider, all_time=True, active=False)
    assert await salon.starts(service_id, day(3)) == []


async def test_an_inactive_interval_counts_for_nothing(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    await salon.set_hours({on: [("09:00", "10:00"), ("11:00", "12:00")] for on in EVERY_DAY})
    await salon.shop.sql(
        """
        UPDATE working_intervals SET active = false WHERE tenant_id = $1 AND opens = 540 AND working_hour_id =
            (SELECT id FROM working_hours WHERE tenant_id = $1 AND branch_id = $2)
        """,
        salon.branch_id,
    )
    assert await salon.starts(service_id, day(3)) == grid("11:00", "11:30")


async def test_nobody_has_hours_when_neither_they_nor_the_branch_have_any(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    await salon.shop.sql("DELETE FROM working_hours WHERE tenant_id = $1 AND branch_id = $2", salon.branch_id)
    assert await salon.starts(service_id, day(3)) == []


async def test_hours_run_past_midnight_into_the_next_day(salon: Salon) -> None:
    service_id, evening = await salon.add_service(), day(3)
    await salon.add_provider(service_id)
    await salon.set_hours({weekday(evening): [("22:00", "02:00")]})
    slots = await salon.slots(service_id, evening, visible_days=3)
    assert slots == {
        str(evening): grid("22:00", "23:45"),
        str(evening + timedelta(days=1)): grid("00:00", "01:30"),
        str(evening + timedelta(days=2)): [],
    }


async def test_midnight_as_an_end_is_the_end_of_the_day(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    await salon.add_provider(service_id)
    await salon.set_hours({weekday(on): [("20:00", "00:00")]})
    slots = await salon.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [grid("20:00", "23:30"), []]


async def test_an_end_equal_to_the_beginning_is_a_whole_day_later(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    await salon.add_provider(service_id)
    await salon.set_hours({weekday(on): [("08:00", "08:00")]})
    slots = await salon.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [grid("08:00", "23:45"), grid("00:00", "07:30")]


async def test_all_time_is_always_open(salon: Salon) -> None:
    service_id = await salon.add_service(duration=120)
    await salon.add_provider(service_id)
    await salon.set_hours({}, all_time=True)
    slots = await salon.slots(service_id, day(3), visible_days=30)
    assert list(slots.values()) == [WHOLE_DAY] * 30


async def test_time_off_is_not_offered(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    provider = await salon.add_provider(service_id)
    await salon.take_off(provider, local(on, "11:00"), local(on, "12:10"))
    assert await salon.starts(service_id, on) == [*grid("09:00", "10:30"), *grid("12:15", "16:30")]
    await salon.take_off(provider, local(on, "14:00"), local(on + timedelta(days=1), "16:00"))
    slots = await salon.slots(service_id, on, visible_days=2)
    assert list(slots.values()) == [
        [*grid("09:00", "10:30"), *grid("12:15", "13:30")],
        grid("16:00", "16:30"),
    ]


async def test_a_closed_day_is_not_offered_from_midnight_to_midnight(salon: Salon) -> None:
    service_id, closed = await salon.add_service(), day(4)
    await salon.add_provider(service_id)
    await salon.set_hours({on: [("22:00", "02:00")] for on in EVERY_DAY})
    await salon.close(closed)
    slots = await salon.slots(service_id, closed - timedelta(days=1), visible_days=3)
    assert list(slots.values()) == [
        [*grid("00:00", "01:30"), *grid("22:00", "23:30")],
        [],
        [*grid("00:00", "01:30"), *grid("22:00", "23:45")],
    ]


async def test_a_closed_day_of_another_branch_changes_nothing(busy_shop: Shop, salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    await busy_shop.sql(
        "INSERT INTO closed_days (tenant_id, branch_id, day) SELECT $1, id, $3 FROM branches "
        "WHERE tenant_id = $1 AND id <> $2 ON CONFLICT DO NOTHING",
        salon.branch_id,
        day(3),
    )
    assert await salon.starts(service_id, day(3)) == OPEN


async def test_a_booking_takes_every_start_that_would_touch_it(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    await salon.add_provider(service_id)
    order = await salon.place(line(service_id), start=start(on, "10:00"))
    left = [at for at in OPEN if not "09:30" < at < "10:30"]
    assert await salon.starts(service_id, on) == left
    await salon.move(order["id"], "canceled")
    assert await salon.starts(service_id, on) == OPEN


async def test_a_booking_for_one_service_takes_the_provider_for_all(salon: Salon) -> None:
    short, long, on = await salon.add_service(duration=15), await salon.add_service(duration=60), day(3)
    await salon.add_provider(short, long)
    await salon.place(line(short), start=start(on, "12:00"))
    assert await salon.starts(long, on) == [*grid("09:00", "11:00"), *grid("12:15", "16:00")]


async def test_a_providers_own_duration_counts(salon: Salon) -> None:
    service_id = await salon.add_service(duration=30)
    slow = await salon.add_provider(service_id, duration=120)
    assert await salon.starts(service_id, day(3)) == grid("09:00", "15:00")
    await salon.add_provider(service_id)
    assert await salon.starts(service_id, day(3)) == OPEN
    assert await salon.starts(service_id, day(3), staff_id=slow) == grid("09:00", "15:00")


async def test_a_quantity_takes_so_many_times_as_long(salon: Salon) -> None:
    service_id = await salon.add_service(duration=30)
    await salon.add_provider(service_id)
    assert await salon.starts(service_id, day(3), quantity=None) == OPEN
    assert await salon.starts(service_id, day(3), quantity=3) == grid("09:00", "15:30")
    assert await salon.starts(service_id, day(3), quantity=16) == ["09:00"]
    for quantity in (17, 48, 1_000_000):
        assert await salon.starts(service_id, day(3), quantity=quantity) == []


async def test_an_appointment_of_several_days_is_offered_where_it_fits(salon: Salon) -> None:
    service_id, on = await salon.add_service(duration=1440), day(3)
    provider = await salon.add_provider(service_id)
    await salon.set_hours({}, all_time=True)
    await salon.take_off(provider, local(on + timedelta(days=4), "12:00"), local(on + timedelta(days=9), "00:00"))
    slots = await salon.slots(service_id, on, visible_days=2, quantity=3)
    assert list(slots.values()) == [WHOLE_DAY, grid("00:00", "12:00")]


async def test_a_provider_who_needs_too_long_does_not_hide_the_others(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    quick = await salon.add_provider(service_id, duration=700)
    await salon.add_provider(service_id, duration=1440)
    await salon.set_hours({}, all_time=True)
    alone = await salon.slots(service_id, on, visible_days=1, quantity=14, staff_id=quick)
    assert alone == {str(on): WHOLE_DAY}
    assert await salon.slots(service_id, on, visible_days=1, quantity=14) == alone


async def test_starts_lie_on_the_grid_counted_from_each_opening(own_salon: Salon) -> None:
    service_id, on = await own_salon.add_service(duration=20), day(3)
    await own_salon.add_provider(service_id)
    await own_salon.set_hours({weekday(on): [("09:10", "10:00"), ("11:05", "11:50")]})
    assert await own_salon.starts(service_id, on) == ["09:10", "09:25", "09:40", "11:05", "11:20"]
    await own_salon.shop.sql("UPDATE tenants SET grid_minutes = 25 WHERE id = $1")
    assert await own_salon.starts(service_id, on) == ["09:10", "09:35", "11:05", "11:30"]


async def test_only_the_future_is_offered(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    await salon.set_hours({}, all_time=True)
    before = datetime.now(RIYADH)
    slots = await salon.slots(service_id, before.date() - timedelta(days=1), visible_days=3)
    after = datetime.now(RIYADH)
    yesterday, today, tomorrow = slots.values()
    assert yesterday == []
    assert tomorrow == WHOLE_DAY or after.date() != before.date()
    assert today in ([at for at in WHOLE_DAY if at > f"{then:%H:%M}"] for then in (before, after))


async def test_every_day_of_the_window_is_there_and_seven_unless_told(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    await salon.set_hours({weekday(day(3)): [("09:00", "10:00")]})
    for asked, count in (({}, 7), ({"visible_days": None}, 7), ({"visible_days": 1}, 1), ({"visible_days": 30}, 30)):
        slots = await salon.slots(service_id, day(2), **asked)
        assert list(slots) == [str(day(2) + timedelta(days=n)) for n in range(count)]
        for on, starts in slots.items():
            assert starts == (grid("09:00", "09:30") if weekday(date.fromisoformat(on)) == weekday(day(3)) else [])


async def test_without_a_provider_named_it_is_the_union_over_all(salon: Salon) -> None:
    service_id, on = await salon.add_service(), day(3)
    early, late = await salon.add_provider(service_id), await salon.add_provider(service_id)
    await salon.set_hours({weekday(on): [("09:00", "11:00")]}, staff_id=early)
    await salon.set_hours({weekday(on): [("10:10", "12:00")]}, staff_id=late)
    mine, theirs = grid("09:00", "10:30"), grid("10:10", "11:25")
    assert await salon.starts(service_id, on, staff_id=early) == mine
    assert await salon.starts(service_id, on, staff_id=late) == theirs
    assert await salon.starts(service_id, on) == sorted({*mine, *theirs})


async def test_a_service_that_nobody_performs_is_never_free(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id, active=False)
    assert await salon.slots(service_id, day(3), next_availability=True) == {
        str(day(3) + timedelta(days=n)): [] for n in range(7)
    }


async def test_a_provider_of_another_branch_is_not_offered_because_no_order_could_have_them(salon: Salon) -> None:
    service_id = await salon.add_service()
    (elsewhere,) = await salon.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 AND slug = 'lamsa-alyasmin'")
    stranger = await salon.add_provider(service_id, branch_id=elsewhere["id"])
    await salon.set_hours({}, staff_id=stranger, all_time=True)
    assert await salon.starts(service_id, day(5)) == []
    body = {"service_id": str(service_id), "staff_id": str(stranger), "date": str(day(5))}
    answer = refused(await salon.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"].keys() == {"staff_id"}
    refused(
        await salon.shop.post("/orders", salon.order(line(service_id), start=start(day(5), "10:00"))),
        422,
        "timeslot_unavailable",
    )


# The next availability


async def _away_until(salon: Salon, free: date) -> UUID:
    """A service whose only provider comes back on this day."""
    service_id = await salon.add_service()
    provider = await salon.add_provider(service_id)
    await salon.take_off(provider, local(day(0), "00:00"), local(free, "00:00"))
    return service_id


async def test_the_window_moves_to_the_first_day_that_has_something(salon: Salon) -> None:
    service_id = await _away_until(salon, day(20))
    stays = await salon.slots(service_id, day(2))
    assert list(stays) == [str(day(2 + n)) for n in range(7)]
    assert not any(stays.values())
    moved = await salon.slots(service_id, day(2), next_availability=True, visible_days=3)
    assert moved == {str(day(20 + n)): OPEN for n in range(3)}


async def test_the_window_does_not_move_when_the_day_asked_for_has_something(salon: Salon) -> None:
    service_id = await _away_until(salon, day(5))
    slots = await salon.slots(service_id, day(5), next_availability=True, visible_days=2)
    assert slots == {str(day(5)): OPEN, str(day(6)): OPEN}


async def test_the_window_moves_even_when_a_later_day_of_it_has_something(salon: Salon) -> None:
    service_id = await _away_until(salon, day(5))
    slots = await salon.slots(service_id, day(4), next_availability=True, visible_days=2)
    assert list(slots) == [str(day(5)), str(day(6))]


async def test_ninety_days_on_are_searched_and_no_more(salon: Salon) -> None:
    service_id = await _away_until(salon, day(2 + 90))
    found = await salon.slots(service_id, day(2), next_availability=True, visible_days=1)
    assert found == {str(day(2 + 90)): OPEN}
    nothing = await salon.slots(service_id, day(1), next_availability=True, visible_days=2)
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


async def _in_zone(salon: Salon, name: str) -> ZoneInfo:
    await salon.shop.sql("UPDATE tenants SET timezone = $2 WHERE id = $1", name)
    return ZoneInfo(name)


async def _times(salon: Salon, order: Document) -> tuple[str, str]:
    (booking,) = (await salon.read(order["id"]))["bookings"]
    return booking["start"], booking["end"]


async def test_a_skipped_hour_is_not_offered_and_what_runs_over_it_ends_later_on_the_clock(own_salon: Salon) -> None:
    changed = _next_change(await _in_zone(own_salon, "Europe/Berlin"), forward=True)
    service_id = await own_salon.add_service()
    await own_salon.add_provider(service_id)
    await own_salon.set_hours({on: [("00:00", "06:00")] for on in EVERY_DAY})
    assert await own_salon.starts(service_id, changed) == [*grid("00:00", "01:45"), *grid("03:00", "05:30")]
    order = await own_salon.place(line(service_id), start=start(changed, "01:45"))
    assert await _times(own_salon, order) == (f"{changed}T01:45:00+01:00", f"{changed}T03:15:00+02:00")
    assert await own_salon.starts(service_id, changed) == [*grid("00:00", "01:15"), *grid("03:15", "05:30")]


async def test_a_repeated_hour_is_offered_once_and_means_the_first(own_salon: Salon) -> None:
    changed = _next_change(await _in_zone(own_salon, "Europe/Berlin"), forward=False)
    service_id = await own_salon.add_service()
    await own_salon.add_provider(service_id)
    await own_salon.set_hours({on: [("00:00", "06:00")] for on in EVERY_DAY})
    assert await own_salon.starts(service_id, changed) == grid("00:00", "05:30")
    order = await own_salon.place(line(service_id), start=start(changed, "02:45"))
    assert await _times(own_salon, order) == (f"{changed}T02:45:00+02:00", f"{changed}T02:15:00+01:00")
    left = [at for at in grid("00:00", "05:30") if at != "02:45" and at != "02:30"]
    assert await own_salon.starts(service_id, changed) == left


async def test_a_day_that_begins_at_one_is_offered_from_one(own_salon: Salon) -> None:
    changed = _next_change(await _in_zone(own_salon, "Africa/Cairo"), forward=True)
    service_id = await own_salon.add_service()
    await own_salon.add_provider(service_id)
    await own_salon.set_hours({}, all_time=True)
    slots = await own_salon.slots(service_id, changed - timedelta(days=1), visible_days=3)
    assert list(slots.values()) == [WHOLE_DAY, grid("01:00", "23:45"), WHOLE_DAY]


# What is offered books, and nothing else does


async def test_exactly_the_offered_starts_book(salon: Salon) -> None:
    service_id, on = await salon.add_service(duration=40), day(3)
    provider = await salon.add_provider(service_id)
    await salon.set_hours({weekday(on): [("09:10", "10:35"), ("11:00", "12:30"), ("13:07", "14:02")]})
    await salon.take_off(provider, local(on, "11:40"), local(on, "11:41"))
    await salon.place(line(service_id), start=start(on, "09:10"))
    offered = await salon.starts(service_id, on)
    assert offered == ["09:55", "11:00", "11:45", "13:07", "13:22"]
    booked = []
    for at in {*grid("08:55", "14:10", 5), *offered}:
        answer = await salon.shop.post("/orders", salon.order(line(service_id), start=start(on, at)))
        if answer.status_code == 201:
            booked.append(at)
            await salon.move(answer.json()["data"]["id"], "canceled")
        else:
            refused(answer, 422, "timeslot_unavailable")
    assert sorted(booked) == offered


# Why not


def _offered(explained: Document, whole: list[str]) -> list[str]:
    return [at for at in whole if not any(refusal["from"] <= at <= refusal["to"] for refusal in explained["refused"])]


async def test_an_explanation_accounts_for_every_start_that_is_missing(salon: Salon) -> None:
    service_id, on, closed = await salon.add_service(), day(3), day(4)
    one, two = sorted([await salon.add_provider(service_id), await salon.add_provider(service_id)])
    await salon.take_off(one, local(on, "12:00"), local(on, "14:00"))
    await salon.place(line(service_id, staff_id=one), start=start(on, "10:00"))
    await salon.place(line(service_id, staff_id=two), start=start(on, "10:15"))
    await salon.close(closed)
    answer = await salon.availability(service_id, on, visible_days=2, explain=True)
    assert answer["slots"] == await salon.slots(service_id, on, visible_days=2)
    explained = {entry["staff_id"]: entry["days"] for entry in answer["explain"]}
    assert explained.keys() == {str(one), str(two)}
    assert explained[str(one)][str(on)] == {
        "reason": None,
        "refused": [
            {"reason": "booked", "from": "09:45", "to": "10:15"},
            {"reason": "time_off", "from": "11:45", "to": "13:45"},
            {"reason": "outside_working_hours", "from": "16:45", "to": "16:45"},
        ],
    }
    assert explained[str(one)][str(closed)] == {"reason": "closed_day", "refused": []}
    whole = grid("09:00", "16:45")
    union = {at for days in explained.values() for at in _offered(days[str(on)], whole)}
    assert answer["slots"] == {str(on): sorted(union), str(closed): []}
    assert "explain" not in await salon.availability(service_id, on)


async def test_an_explanation_tells_the_past_and_the_free_day(salon: Salon) -> None:
    service_id = await salon.add_service()
    provider = await salon.add_provider(service_id)
    yesterday = day(-1)
    await salon.set_hours({weekday(yesterday): [("09:00", "10:00")]})
    answer = await salon.availability(service_id, yesterday, visible_days=2, explain=True, staff_id=provider)
    (explained,) = answer["explain"]
    assert list(explained["days"].values()) == [
        {"reason": None, "refused": [{"reason": "past", "from": "09:00", "to": "09:45"}]},
        {"reason": "no_working_hours", "refused": []},
    ]


async def test_an_explanation_of_what_is_too_long_for_anybody_says_so(salon: Salon) -> None:
    service_id, on = await salon.add_service(duration=1440), day(3)
    await salon.add_provider(service_id)
    await salon.set_hours({}, all_time=True)
    answer = await salon.availability(service_id, on, visible_days=30, quantity=8, explain=True)
    assert not any(answer["slots"].values())
    (explained,) = answer["explain"]
    everything = [{"reason": "outside_working_hours", "from": "00:00", "to": "23:45"}]
    assert [whole["refused"] for whole in explained["days"].values()] == [everything] * 30


async def test_an_inactive_service_is_offered_never_and_the_explanation_says_why(salon: Salon) -> None:
    service_id = await salon.add_service(active=False)
    await salon.add_provider(service_id)
    answer = await salon.availability(service_id, day(3), visible_days=2, next_availability=True, explain=True)
    assert answer["slots"] == {str(day(3)): [], str(day(4)): []}
    (explained,) = answer["explain"]
    assert explained["days"] == {str(day(n)): {"reason": "inactive_service", "refused": []} for n in (3, 4)}


# Refusals


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"service_id": str(uuid4())}, "service_id", "is not a service of this business"),
        ({"service_id": None}, "service_id", "must be a UUID"),
        ({"staff_id": str(uuid4())}, "staff_id", "is not a provider of this business"),
        ({"staff_id": "Sara"}, "staff_id", "must be a UUID"),
        ({"date": None}, "date", "must be a date as YYYY-MM-DD"),
        ({"date": "2026-02-30"}, "date", "is no date of the calendar"),
        ({"date": "9999-12-31"}, "date", "must lie between 1970 and 2200"),
        ({"date": "2026-02-03T10:00:00"}, "date", "must be a date as YYYY-MM-DD"),
        ({"quantity": 0}, "quantity", "must be at least 1"),
        ({"quantity": 1.5}, "quantity", "must be an integer"),
        ({"quantity": "1"}, "quantity", "must be an integer"),
        ({"visible_days": 0}, "visible_days", "must be at least 1"),
        ({"visible_days": 31}, "visible_days", "must be at most 30"),
        ({"visible_days": True}, "visible_days", "must be an integer"),
        ({"next_availability": "yes"}, "next_availability", "must be true or false"),
        ({"explain": 1}, "explain", "must be true or false"),
    ],
)
async def test_a_wrong_question_is_refused_at_its_field(
    salon: Salon, change: dict[str, Any], field: str, message: str
) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    body = {"service_id": str(service_id), "date": str(day(3)), **change}
    answer = refused(await salon.shop.post("/availability", body), 422, "validation_error")
    assert answer["errors"] == {field: [message]}


async def test_what_is_no_service_of_this_business_has_no_availability(salon: Salon, other_shop: Shop) -> None:
    product = await salon.add_product()
    package = await salon.add_package({product: 1})
    (theirs,) = await other_shop.sql("SELECT id FROM items WHERE tenant_id = $1 AND slug = 'haircut'")
    for service_id in (product, package, theirs["id"]):
        body = {"service_id": str(service_id), "date": str(day(3))}
        answer = refused(await salon.shop.post("/availability", body), 422, "validation_error")
        assert answer["errors"] == {"service_id": ["is not a service of this business"]}


async def test_only_who_performs_the_service_can_be_asked_for(salon: Salon, other_shop: Shop) -> None:
    service_id, another = await salon.add_service(), await salon.add_service()
    await salon.add_provider(service_id)
    (theirs,) = await other_shop.sql("SELECT id FROM staff WHERE tenant_id = $1 LIMIT 1")
    for staff_id, message in (
        (await salon.add_provider(another), "does not perform this service"),
        (await salon.add_provider(service_id, active=False), "is not a provider of this business"),
        (theirs["id"], "is not a provider of this business"),
    ):
        body = {"service_id": str(service_id), "staff_id": str(staff_id), "date": str(day(3))}
        answer = refused(await salon.shop.post("/availability", body), 422, "validation_error")
        assert answer["errors"] == {"staff_id": [message]}


async def test_a_calendar_that_cannot_be_read_in_time_is_a_failed_check(salon: Salon) -> None:
    service_id = await salon.add_service()
    await salon.add_provider(service_id)
    body = {"service_id": str(service_id), "date": str(day(3))}
    async with holding(salon.shop.dsn, "LOCK TABLE staff_busy_days IN ACCESS EXCLUSIVE MODE"):
        answer = await salon.shop.post("/availability", body)
    refused(answer, 502, "availability_check_failed")
    assert answer.headers["retry-after"] == "1"
    assert exact(await salon.shop.post("/availability", body))["data"]["slots"][str(day(3))] == OPEN
