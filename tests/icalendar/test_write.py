"""What `write_calendar` writes is read back by another implementation."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
from hypothesis import given, settings, strategies as st

from frontdesk.icalendar.event import Event, Person
from frontdesk.icalendar.write import write_calendar
from frontdesk.values.time import get_zone

# Clocks that change at midnight, by half an hour, backwards in winter, around Ramadan, by decree, twice a year, never.
ZONES = [
    *("Africa/Cairo", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca", "America/Edmonton", "Europe/Berlin"),
    *("Asia/Riyadh", "Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns", "Asia/Gaza", "UTC"),
]
_PIECES = st.sampled_from(
    ["قص شعر", "👩🏽‍🦰", "a,b;c", "\\n", '"', "\r\n", "\n", "\u2028", "é" * 40, "x" * 80, "\\", ":"]
)
TEXTS = st.lists(_PIECES | st.text(max_size=20), max_size=6).map("".join)
INSTANTS = st.datetimes(datetime(2019, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda at: at.replace(microsecond=0)
)


def readable(text: str) -> str:
    """What remains of a text: lines end in one way, and control characters are gone."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "", re.sub("\r\n|[\r\n\x85\u2028\u2029]", "\n", text))


def instant(read: datetime, zone: str) -> datetime:
    """The library has its own rules for zones that it knows by name, which may be older than ours."""
    return read if read.tzinfo is UTC else read.replace(tzinfo=get_zone(zone)).astimezone(UTC)


@settings(max_examples=150, deadline=None)
@given(INSTANTS, st.integers(0, 60 * 24), st.sampled_from(ZONES), TEXTS, TEXTS, TEXTS)
def test_another_library_reads_what_was_written(
    starts_at: datetime, minutes: int, zone: str, summary: str, description: str, name: str
) -> None:
    ends_at = starts_at + timedelta(minutes=minutes)
    event = Event(
        *("0192@frontdesk", 7, starts_at, ends_at, get_zone(zone), summary, starts_at),
        description=description,
        organizer=Person(name, "salon@example.com"),
        attendee=Person("Noura", "noura@example.com"),
        url="https://example.com/book/layan/ABC?a=1,2;3",
    )
    written = write_calendar([event], method="REQUEST", name=summary)

    assert written.count(b"\n") == written.count(b"\r\n")
    for line in written.split(b"\r\n"):
        line.decode()  # no character is cut in two
        assert len(line) <= 75
    calendar: Any = icalendar.Calendar.from_ical(written)
    (read,) = calendar.events
    assert not calendar.errors
    assert not read.errors
    assert (calendar["METHOD"], str(read["UID"]), read["SEQUENCE"]) == ("REQUEST", "0192@frontdesk", 7)
    assert str(read["SUMMARY"]) == readable(summary)
    assert str(read.get("DESCRIPTION", "")) == readable(description)
    assert read["ORGANIZER"] == "mailto:salon@example.com"
    assert read["ORGANIZER"].params["CN"] == readable(name).translate({10: " ", 34: "'", 92: "/", 94: " "})
    assert read["URL"] == "https://example.com/book/layan/ABC?a=1,2;3"
    assert (instant(read["DTSTART"].dt, zone), instant(read["DTEND"].dt, zone)) == (starts_at, ends_at)
    assert read["DTSTAMP"].dt == starts_at


@settings(max_examples=100, deadline=None)
@given(INSTANTS, st.sampled_from(ZONES))
def test_the_description_of_the_zone_alone_gives_the_same_instant(starts_at: datetime, zone: str) -> None:
    event = Event("1@frontdesk", 1, starts_at, starts_at, get_zone(zone), "", starts_at)
    calendar: Any = icalendar.Calendar.from_ical(write_calendar([event]))
    line = calendar.events[0]["DTSTART"].to_ical().decode()
    if line.endswith("Z"):  # the second of two instants with the same local time
        assert zone == "UTC" or starts_at.astimezone(get_zone(zone)).fold == 1
        return
    described = calendar.timezones[0].to_tz(lookup_tzid=False)
    local = datetime.strptime(line, "%Y%m%dT%H%M%S").replace(tzinfo=described)
    assert local.astimezone(UTC) == starts_at


def test_a_calendar_without_events_describes_its_zone() -> None:
    written = write_calendar([], name="Layan", zone=get_zone("Asia/Riyadh"), refresh_minutes=15)
    calendar: Any = icalendar.Calendar.from_ical(written)
    assert [str(zone["TZID"]) for zone in calendar.timezones] == ["Asia/Riyadh"]
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n" in written


def test_a_canceled_event_takes_no_time() -> None:
    at = datetime(2026, 3, 1, 9, tzinfo=UTC)
    event = Event(
        "1@frontdesk", 2, at, at + timedelta(hours=1), get_zone("Europe/Berlin"), "Cut", at, status="CANCELLED"
    )
    (read,) = icalendar.Calendar.from_ical(write_calendar([event], method="CANCEL")).events
    assert (read["STATUS"], read["TRANSP"]) == ("CANCELLED", "TRANSPARENT")
