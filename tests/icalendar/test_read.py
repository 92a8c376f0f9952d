"""When the events of external calendars make a provider busy."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.icalendar.event import Event
from frontdesk.icalendar.read import read_busy_times
from frontdesk.icalendar.reading import CalendarTooLarge, NotACalendar, Period, ReadingFailed, read_in_process
from frontdesk.icalendar.write import write_calendar
from frontdesk.values.time import get_zone
from tests.icalendar.test_write import INSTANTS, ZONES

BERLIN, RIYADH = get_zone("Europe/Berlin"), get_zone("Asia/Riyadh")
MARCH = Period(datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 5, 1, tzinfo=UTC))
WEEKLY = """BEGIN:VEVENT
UID:1
DTSTART;TZID=Europe/Berlin:20270322T100000
DTEND;TZID=Europe/Berlin:20270322T110000
RRULE:FREQ=WEEKLY;{rule}
{more}
END:VEVENT"""

PIECES = (
    *("DTSTART:2027", "RRULE:FREQ=", "DAILY", ";COUNT=", "\n", "EXDATE:", "BEGIN:VEVENT\n", "9" * 9, "END:VEVENT\n"),
    *("DURATION:-P", "T", "Z", "20270310T090000Z", "RDATE;VALUE=PERIOD:", "/", "\\", '"', "FREEBUSY:", "P9", "D"),
)


def calendar(*parts: str) -> bytes:
    lines = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *parts, "END:VCALENDAR"])
    return "\r\n".join(line for line in lines.split("\n") if line).encode()


def event(*lines: str) -> str:
    return "\n".join(["BEGIN:VEVENT", "UID:1", *lines, "END:VEVENT"])


def busy(*parts: str, between: Period = MARCH) -> list[str]:
    """As "day hour:minute-hour:minute" in UTC."""
    found = read_busy_times(calendar(*parts), BERLIN, between)
    return [f"{start:%m-%d %H:%M}-{end:%H:%M}" for start, end in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DTSTART:20270310T090000Z", "DTEND:20270310T100000Z"], ["03-10 09:00-10:00"]),
        (["DTSTART;TZID=Asia/Riyadh:20270310T090000", "DURATION:PT90M"], ["03-10 06:00-07:30"]),
        (["DTSTART:20270310T090000", "DTEND:20270310T100000"], ["03-10 08:00-09:00"]),  # no zone: the business's
        (["DTSTART:20270310T090010Z", "DTEND:20270310T093050Z"], ["03-10 09:00-09:31"]),
        (["DTSTART:20270310T090000Z"], []),
        (["DTSTART:20270310T090000Z", "DTEND:20270310T080000Z"], []),
        (["DTSTART;VALUE=DATE:20270328"], ["03-27 23:00-22:00"]),  # the clocks change on this day
        (["DTSTART;VALUE=DATE:20270310", "DTEND;VALUE=DATE:20270312"], ["03-09 23:00-23:00"]),
        (["DTSTART:20270310T090000Z", "DTEND:20270310T100000Z", "TRANSP:TRANSPARENT"], []),
        (["DTSTART:20270310T090000Z", "DTEND:20270310T100000Z", "STATUS:CANCELLED"], []),
        (["DTSTART:20270228T230000Z", "DTEND:20270301T010000Z"], ["03-01 00:00-01:00"]),  # only what is to come
        (["DTSTART:soon", "DTEND:20270310T100000Z"], []),
    ],
)
def test_an_event_makes_its_times_busy(lines: list[str], expected: list[str]) -> None:
    assert busy(event(*lines)) == expected


@pytest.mark.parametrize(
    ("rule", "more", "expected"),
    [
        ("COUNT=3", "", ["03-22 09:00-10:00", "03-29 08:00-09:00", "04-05 08:00-09:00"]),  # summer time in between
        ("UNTIL=20270329T080000Z", "", ["03-22 09:00-10:00", "03-29 08:00-09:00"]),
        ("UNTIL=20270329", "", ["03-22 09:00-10:00", "03-29 08:00-09:00"]),
        ("COUNT=3", "EXDATE;TZID=Europe/Berlin:20270329T100000", ["03-22 09:00-10:00", "04-05 08:00-09:00"]),
        ("COUNT=3", "EXDATE;VALUE=DATE:20270329", ["03-22 09:00-10:00", "04-05 08:00-09:00"]),
        ("COUNT=1", "RDATE:20270324T120000Z", ["03-22 09:00-10:00", "03-24 12:00-13:00"]),
        ("COUNT=2;FREQ=nonsense", "", ["03-22 09:00-10:00"]),
    ],
)
def test_a_repeated_event(rule: str, more: str, expected: list[str]) -> None:
    assert busy(WEEKLY.format(rule=rule, more=more)) == expected


def test_a_single_repetition_can_be_moved_or_canceled() -> None:
    moved = event("RECURRENCE-ID:20270329T080000Z", "DTSTART:20270330T060000Z", "DTEND:20270330T063000Z")
    canceled = event(
        "RECURRENCE-ID;TZID=Europe/Berlin:20270405T100000",
        *("DTSTART:20270405T080000Z", "DTEND:20270405T090000Z", "STATUS:CANCELLED"),
    )
    found = busy(moved, WEEKLY.format(rule="COUNT=3", more=""), canceled)
    assert found == ["03-22 09:00-10:00", "03-30 06:00-06:30"]


def test_a_rule_without_end_is_read_as_far_as_asked() -> None:
    old = event("DTSTART;TZID=Asia/Riyadh:20050101T090000", "DURATION:PT1H", "RRULE:FREQ=DAILY")
    assert len(busy(old)) == (MARCH.end - MARCH.start).days


def test_free_busy_lists_and_touching_times_are_joined() -> None:
    listed = """BEGIN:VFREEBUSY
FREEBUSY:20270310T090000Z/PT1H,20270310T100000Z/20270310T110000Z
FREEBUSY;FBTYPE=FREE:20270310T120000Z/PT1H
END:VFREEBUSY"""
    assert busy(listed) == ["03-10 09:00-11:00"]


def test_a_zone_that_only_the_file_knows() -> None:
    own = """BEGIN:VTIMEZONE
TZID:Here
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0530
TZOFFSETTO:+0530
END:STANDARD
END:VTIMEZONE"""
    assert busy(own, event("DTSTART;TZID=Here:20270310T090000", "DURATION:PT1H")) == ["03-10 03:30-04:30"]


@pytest.mark.parametrize("content", [b"", b"<html>", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1", b"\xff\xfe\x00"])
def test_a_file_that_is_no_calendar_is_refused(content: bytes) -> None:
    with pytest.raises(NotACalendar):
        read_busy_times(content, BERLIN, MARCH)


@pytest.mark.parametrize(
    "part",
    [
        event("DTSTART:20270310T090000Z", "DURATION:PT1S", "RRULE:FREQ=SECONDLY"),
        "BEGIN:VEVENT\nEND:VEVENT\n" * 20_001,
    ],
)
def test_a_calendar_that_is_too_large_is_refused(part: str) -> None:
    with pytest.raises(CalendarTooLarge):
        busy(part)


@settings(max_examples=100, deadline=None)
@given(INSTANTS, st.integers(1, 60 * 24), st.sampled_from(ZONES))
def test_a_calendar_that_we_wrote_is_read(starts_at: datetime, minutes: int, zone: str) -> None:
    starts_at = starts_at.replace(second=0)
    ends_at = starts_at + timedelta(minutes=minutes)
    written = write_calendar([Event("1@x", 1, starts_at, ends_at, get_zone(zone), "x", starts_at)])
    around = Period(starts_at - timedelta(days=2), ends_at + timedelta(days=2))
    assert read_busy_times(written, RIYADH, around) == [(starts_at, ends_at)]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_no_text_breaks_the_reader(pieces: list[str]) -> None:
    with suppress(NotACalendar, CalendarTooLarge):
        read_busy_times(calendar("BEGIN:VEVENT\n" + "".join(pieces), "END:VEVENT"), BERLIN, MARCH)


async def test_a_process_reads_and_ends_when_it_takes_too_much() -> None:
    good = calendar(event("DTSTART:20270310T090000Z", "DTEND:20270310T100000Z"))
    start = round(datetime(2027, 3, 10, 9, tzinfo=UTC).timestamp())
    assert await read_in_process(good, "Asia/Riyadh", MARCH) == [[start, start + 3600]]
    with pytest.raises(NotACalendar):
        await read_in_process(b"<html>", "Asia/Riyadh", MARCH)
    never = event("DTSTART:20270310T090000Z", "DURATION:PT1H", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")
    with pytest.raises(ReadingFailed):
        await read_in_process(calendar(never), "Asia/Riyadh", MARCH, cpu_seconds=1)
