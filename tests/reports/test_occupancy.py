"""The working and the booked minutes of each hour of the day, also when the clocks change."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.calendar_queries import Roster
from frontdesk.availability.hours import Hours, Interval
from frontdesk.availability.types import BusyMinutes, StaffSchedule
from frontdesk.reports.occupancy import HOURS, Minutes, occupancy_of
from frontdesk.reports.period import Period

BERLIN, STAFF = ZoneInfo("Europe/Berlin"), UUID(int=1)
FIRST, LAST = date(2026, 3, 1), date(2026, 11, 1)  # both changes of the clocks


def test_occupancy_agrees_with_counting_each_minute() -> None:
    first_utc = FIRST - timedelta(days=1)
    days = (LAST - first_utc).days + 2
    # Busy for the first 20 minutes of every hour of UTC.
    bitmap = int("0" * 40 + "1" * 20, 2)
    one_day = sum(bitmap << 60 * hour for hour in range(HOURS)).to_bytes(180, "big")
    busy = BusyMinutes(first_utc, b"".join(n.to_bytes(2, "big") for n in reversed(range(days))), one_day * days)
    always = Hours((), all_time=True)
    schedule = StaffSchedule(STAFF, None, always, True, (), frozenset(), [], busy)
    roster = Roster([], None, [], {STAFF: schedule}, {}, {}, [])
    expected = dict.fromkeys(range(HOURS), 0)
    instant = datetime(2026, 2, 28, tzinfo=UTC)
    while instant.date() <= LAST + timedelta(days=1):
        local = instant.astimezone(BERLIN)
        if FIRST <= local.date() <= LAST:
            expected[local.hour] += 1
        instant += timedelta(hours=1)
    found = occupancy_of(roster, BERLIN, Period(FIRST, LAST))
    assert expected[2] == expected[1], "one more in autumn, one less in spring"
    assert {hour: found.by_staff[STAFF, hour] for hour in range(HOURS)} == {
        hour: Minutes(60 * times, 20 * times) for hour, times in expected.items()
    }
    sundays = sum(found.by_weekday[0, hour].working for hour in range(HOURS))
    assert sundays == 36 * 24 * 60, "36 Sundays, one an hour longer and one an hour shorter"


def test_a_booking_past_midnight_counts_on_both_days_and_once_in_all() -> None:
    """Monday 18:00 to 02:00, booked from 23:30 to 00:30. The first day alone has two hours less of the night."""
    monday, riyadh = date(2026, 3, 2), ZoneInfo("Asia/Riyadh")
    minutes = 20 * 60 + 30  # of UTC, three hours earlier
    bits = sum(1 << minute for minute in range(minutes, minutes + 60))
    busy = BusyMinutes(monday, (0).to_bytes(2, "big"), bits.to_bytes(180, "big"))
    hours = Hours((Interval("mon", 18 * 60, 2 * 60),))
    roster = Roster(
        [], None, [], {STAFF: StaffSchedule(STAFF, None, hours, True, (), frozenset(), [], busy)}, {}, {}, []
    )
    tuesday = monday + timedelta(days=1)
    for first, last, expected in (
        (monday, monday, Minutes(6 * 60, 30)),
        (tuesday, tuesday, Minutes(2 * 60, 30)),
        (monday, tuesday, Minutes(8 * 60, 60)),
    ):
        assert occupancy_of(roster, riyadh, Period(first, last)).total == expected
