"""The rules one by one, on calendars small enough to check in the head."""

from datetime import UTC, date, datetime, timedelta

import pytest

from frontdesk.availability.hours import CLOSED, DayHours, Hours, Interval, Weekday, open_and_start_masks
from frontdesk.availability.slots import (
    Calendar,
    DayExplanation,
    RejectedRange,
    explain_by_day,
    fits,
    nearest,
    reason,
    starts,
)
from frontdesk.availability.window import (
    Window,
    by_day,
    first_bit_after,
    instant_of,
    mask_of_range,
    mask_of_utc_days,
    minute_index,
    span,
    window_of,
)
from frontdesk.values.time import get_zone, to_instant

MONDAY = date(2026, 1, 5)
NINE_TO_NOON = Interval("mon", 540, 720)
NO_DAYS: frozenset[date] = frozenset()


def window(days: int = 1, zone: str = "Asia/Riyadh", first: date = MONDAY, longest: int = 600) -> Window:
    return window_of(get_zone(zone), first, days, longest)


def offered(
    seen: Window,
    *intervals: Interval,
    length: int = 60,
    grid: int = 15,
    closed: frozenset[date] = NO_DAYS,
    booked: int = 0,
    all_time: bool = False,
    now: datetime = datetime(2025, 1, 1, tzinfo=UTC),
) -> dict[str, list[str]]:
    opened, ticks = open_and_start_masks(Hours(intervals, all_time=all_time), seen, closed, grid)
    mask = starts(Calendar(opened, ticks, 0, booked), length, first_bit_after(seen, now))
    return by_day(seen, mask & seen.named)


def local_range(seen: Window, day: date, start: str, end: str) -> int:
    def moment(text: str) -> datetime:
        return to_instant(datetime.fromisoformat(f"{day}T{text}"), seen.zone)

    return mask_of_range(seen, moment(start), moment(end))


def test_starts_lie_on_the_grid_from_the_opening_and_the_whole_length_fits() -> None:
    times = offered(window(), Interval("mon", 550, 670), grid=30)
    assert times == {"2026-01-05": ["09:10", "09:40", "10:10"]}


def test_every_day_of_the_window_is_present_even_without_starts() -> None:
    assert offered(window(days=3), NINE_TO_NOON, length=180) == {
        "2026-01-05": ["09:00"],
        "2026-01-06": [],
        "2026-01-07": [],
    }


def test_a_start_after_midnight_belongs_to_the_day_on_which_it_falls() -> None:
    times = offered(window(days=2), Interval("mon", 22 * 60 + 30, 60), grid=30)
    assert times == {"2026-01-05": ["22:30", "23:00", "23:30"], "2026-01-06": ["00:00"]}


def test_an_interval_opened_on_the_day_before_the_window_offers_its_tail() -> None:
    times = offered(window(first=date(2026, 1, 6)), Interval("mon", 22 * 60, 90), grid=30)
    assert times == {"2026-01-06": ["00:00", "00:30"]}


def test_a_closing_at_midnight_is_the_end_of_the_day() -> None:
    times = offered(window(days=2), Interval("mon", 23 * 60, 0), grid=30)
    assert times == {"2026-01-05": ["23:00"], "2026-01-06": []}


def test_equal_opening_and_closing_is_a_whole_day() -> None:
    times = offered(window(days=2, longest=1440), Interval("mon", 720, 720), length=1440)
    assert times == {"2026-01-05": ["12:00"], "2026-01-06": []}


def test_an_appointment_may_run_across_intervals_that_touch() -> None:
    times = offered(window(), Interval("mon", 540, 610), Interval("mon", 610, 660), grid=60, length=70)
    assert times == {"2026-01-05": ["09:00"]}
    times = offered(window(), Interval("mon", 540, 610), Interval("mon", 610, 660), grid=30, length=50)
    assert times == {"2026-01-05": ["09:00", "09:30", "10:00", "10:10"]}


def test_an_appointment_may_not_run_across_a_gap_of_a_minute() -> None:
    times = offered(window(), Interval("mon", 540, 600), Interval("mon", 601, 660), grid=60, length=61)
    assert times == {"2026-01-05": []}


def test_a_closed_day_takes_the_tail_of_the_evening_before_and_its_own_night() -> None:
    """As a day of other hours does that has none."""
    tuesday = date(2026, 1, 6)
    late = [Interval("mon", 22 * 60, 120), Interval("tue", 22 * 60, 120), Interval("wed", 60, 180)]
    nights = {"2026-01-05": ["22:00", "23:00"], "2026-01-06": [], "2026-01-07": ["01:00", "02:00"]}
    assert offered(window(days=3), *late, grid=60, closed=frozenset({tuesday})) == nights
    seen = window(days=3)
    hours, nothing = Hours(tuple(late)), (DayHours(tuesday, ()),)
    assert open_and_start_masks(hours, seen, frozenset(), 60, nothing) == open_and_start_masks(
        hours, seen, frozenset({tuesday}), 60
    )


def test_an_appointment_may_not_run_into_a_closed_day() -> None:
    closed = frozenset({date(2026, 1, 6)})
    times = offered(window(), Interval("mon", 22 * 60, 120), grid=60, length=90, closed=closed)
    assert times == {"2026-01-05": ["22:00"]}


def test_a_booking_takes_every_minute_it_touches() -> None:
    seen = window()
    booked = local_range(seen, MONDAY, "10:00:30", "10:30:01")
    times = offered(seen, NINE_TO_NOON, booked=booked, length=30, grid=30)
    assert times == {"2026-01-05": ["09:00", "09:30", "11:00", "11:30"]}


@pytest.mark.parametrize(("now", "first"), [("05:59:59", "09:00"), ("06:00:00", "09:30"), ("06:29:59.999999", "09:30")])
def test_a_start_is_offered_only_while_it_still_lies_ahead(now: str, first: str) -> None:
    moment = datetime.fromisoformat(f"2026-01-05T{now}+00:00")
    assert offered(window(), NINE_TO_NOON, grid=30, now=moment)["2026-01-05"][0] == first


def test_always_open_counts_the_grid_from_each_midnight() -> None:
    times = offered(window(days=2), all_time=True, grid=700, length=500)
    assert times == {"2026-01-05": ["00:00", "11:40", "23:20"], "2026-01-06": ["00:00", "11:40", "23:20"]}


def test_a_window_of_three_weeks_repeats_the_week() -> None:
    times = offered(window(days=21), NINE_TO_NOON, length=180)
    assert [day for day, found in times.items() if found] == ["2026-01-05", "2026-01-12", "2026-01-19"]


@pytest.mark.parametrize(
    "hours",
    [
        Hours((NINE_TO_NOON._replace(active=False),)),
        Hours((NINE_TO_NOON,), active=False),
        Hours((), all_time=True, active=False),
        CLOSED,
    ],
)
def test_inactive_hours_offer_no_starts(hours: Hours) -> None:
    assert open_and_start_masks(hours, window(), NO_DAYS, 15) == (0, 0)


def on_day(zone: str, day: date, opens: str, closes: str, length: int = 30) -> list[str]:
    """Starts of one interval every half hour on a day of clock change."""
    name: Weekday = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day.weekday()]
    start, end = (int(text[:2]) * 60 + int(text[3:]) for text in (opens, closes))
    seen = window(zone=zone, first=day)
    return offered(seen, Interval(name, start, end), grid=30, length=length)[day.isoformat()]


def test_skipped_times_are_not_offered_and_shorten_the_day() -> None:
    spring = date(2026, 3, 29)
    assert on_day("Europe/Berlin", spring, "01:00", "04:00") == ["01:00", "01:30", "03:00", "03:30"]
    assert on_day("Europe/Berlin", spring, "02:30", "04:30") == ["03:30", "04:00"]
    assert on_day("Europe/Berlin", spring, "02:30", "03:30") == []


def test_a_midnight_that_does_not_exist_opens_the_day_an_hour_later() -> None:
    spring = date(2026, 4, 24)
    assert on_day("Africa/Cairo", spring, "00:00", "02:00") == ["01:00", "01:30"]
    assert on_day("Africa/Cairo", spring, "00:30", "02:30") == ["01:30", "02:00"]


def test_a_repeated_time_is_offered_once_and_its_minutes_count_twice() -> None:
    autumn = date(2026, 10, 25)
    assert on_day("Europe/Berlin", autumn, "01:30", "03:30") == ["01:30", "02:00", "02:30", "03:00"]
    assert on_day("Europe/Berlin", autumn, "01:30", "03:30", length=180) == ["01:30"]
    assert on_day("Europe/Berlin", autumn, "01:30", "02:30") == ["01:30", "02:00"]
    assert on_day("Africa/Cairo", date(2026, 10, 29), "22:30", "00:00", length=120) == ["22:30", "23:00"]


def test_a_clock_change_within_the_window_leaves_opening_times_on_the_wall_clock() -> None:
    seen = window(days=14, zone="Africa/Cairo", first=date(2026, 4, 20))
    times = offered(seen, NINE_TO_NOON, length=180)
    assert {day: found for day, found in times.items() if found} == {
        "2026-04-20": ["09:00"],
        "2026-04-27": ["09:00"],
    }


def test_later_lines_of_an_order_need_not_lie_on_the_grid() -> None:
    seen = window()
    opened, grid = open_and_start_masks(Hours((NINE_TO_NOON,)), seen, NO_DAYS, 15)
    calendar = Calendar(opened, grid, 0, local_range(seen, MONDAY, "11:00", "11:30"))
    at = minute_index(seen, datetime(2026, 1, 5, 7, 7, tzinfo=UTC))
    assert fits(calendar, at, 53)
    assert not fits(calendar, at, 54)
    assert not fits(calendar, -5, 10)


def test_an_unavailable_start_has_the_first_reason_that_holds() -> None:
    seen = window()
    opened, grid = open_and_start_masks(Hours((NINE_TO_NOON,)), seen, NO_DAYS, 15)
    time_off = local_range(seen, MONDAY, "10:30", "10:45")
    calendar = Calendar(opened, grid, time_off, local_range(seen, MONDAY, "10:00", "11:00"))
    nine = to_instant(datetime(2026, 1, 5, 9), seen.zone)  # noqa: DTZ001
    earliest = minute_index(seen, nine) + 15

    def why(minutes: int) -> str | None:
        return reason(calendar, minute_index(seen, nine + timedelta(minutes=minutes)), 30, earliest)

    assert [why(0), why(15), why(20), why(31), why(61), why(120), why(121), why(150), why(151), why(-600)] == [
        "past",
        None,
        "off_grid",
        "booked",
        "time_off",
        None,
        "off_grid",
        None,
        "outside_working_hours",
        "past",
    ]


def test_an_explanation_names_ranges_of_starts_and_days_without_any() -> None:
    seen = window(days=3)
    hours = Hours((NINE_TO_NOON, Interval("tue", 540, 720)))
    closed = frozenset({date(2026, 1, 6)})
    opened, grid = open_and_start_masks(hours, seen, closed, 30)
    time_off = local_range(seen, MONDAY, "10:30", "11:00")
    calendar = Calendar(opened, grid, time_off, 0)
    earliest = minute_index(seen, to_instant(datetime(2026, 1, 5, 9, 1), seen.zone))  # noqa: DTZ001
    assert explain_by_day(seen, calendar, closed, 60, earliest) == {
        "2026-01-05": DayExplanation(
            None,
            [
                RejectedRange("past", "09:00", "09:00"),
                RejectedRange("time_off", "10:00", "10:30"),
                RejectedRange("outside_working_hours", "11:30", "11:30"),
            ],
        ),
        "2026-01-06": DayExplanation("closed_day", []),
        "2026-01-07": DayExplanation("no_working_hours", []),
    }


def stored(seen: Window, *days: date) -> bytes:
    """The days as they come with their bitmaps: counted from the window's first, the latest first."""
    return b"".join((day - seen.utc_days[0]).days.to_bytes(2, "big") for day in days)


def test_stored_bitmaps_of_utc_days_make_the_same_mask_as_the_range_they_hold() -> None:
    seen = window()
    start, end = datetime(2026, 1, 4, 23, 50, tzinfo=UTC), datetime(2026, 1, 5, 0, 10, tzinfo=UTC)
    evening, morning = (0b11_1111_1111 << 1430).to_bytes(180, "big"), 0b11_1111_1111.to_bytes(180, "big")
    assert (
        mask_of_utc_days(seen, seen.utc_days[0], stored(seen, end.date(), start.date()), morning + evening)
        == mask_of_range(seen, start, end)
        != 0
    )


def test_utc_days_without_a_stored_bitmap_are_empty() -> None:
    seen = window()
    first, _, last = seen.utc_days[1:4]
    full = b"\xff" * 180
    both = mask_of_utc_days(seen, seen.utc_days[0], stored(seen, last, first), full + full)
    assert both == span(1440, 2 * 1440) | span(3 * 1440, 4 * 1440)
    assert mask_of_utc_days(seen, seen.utc_days[0], stored(seen, last), full) == span(3 * 1440, 4 * 1440)


def test_ranges_are_cut_to_the_window() -> None:
    seen = window()
    always = mask_of_range(seen, datetime(2020, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
    assert always == (1 << seen.size) - 1
    assert mask_of_range(seen, datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)) == 0
    assert mask_of_range(seen, datetime(2029, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC)) == 0


def test_a_bit_and_its_instant_lead_to_each_other() -> None:
    seen = window(zone="Pacific/Auckland")
    moment = datetime(2026, 1, 5, 3, 17, tzinfo=UTC)
    assert instant_of(seen, minute_index(seen, moment)) == moment


def test_the_nearest_starts_come_from_both_sides_in_order_of_time() -> None:
    mask = sum(1 << bit for bit in (10, 40, 55, 70, 100))
    assert nearest(mask, 56, 3) == [40, 55, 70]
    assert nearest(mask, 40, 2) == [40, 55]
    assert nearest(mask, 0, 2) == [10, 40]
    assert nearest(mask, 500, 2) == [70, 100]
    assert nearest(mask, 55, 9) == [10, 40, 55, 70, 100]
    assert nearest(0, 55, 3) == []
    assert nearest(1 << 10 | 1 << 20, 15, 1) == [10]
