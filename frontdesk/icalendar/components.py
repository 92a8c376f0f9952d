"""The parts of an iCalendar file that say when a person is busy, as plain values."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from icalendar import Calendar
from icalendar.prop import vBroken

from frontdesk.icalendar.reading import CalendarTooLarge, NotACalendar
from frontdesk.values.time import ZONE_NAMES, get_zone, local_day_start

MAX_EVENTS = 20_000


class ExternalEvent(NamedTuple):
    """A `date` that is no `datetime` means the whole day."""

    uid: str
    start: date
    end: date | None
    duration: timedelta | None
    replaces: date | None  # which repetition of the event with the same uid it is
    rules: list[str]
    added: list[date]
    left_out: list[date]
    takes_time: bool


class BusyPeriod(NamedTuple):
    """Of a free/busy list."""

    start: date
    end: date | timedelta


def read_components(content: bytes) -> Iterator[ExternalEvent | BusyPeriod]:
    for part in _parts(content):
        if part.name == "VFREEBUSY":
            for listed in _values(part, "FREEBUSY"):
                if str(listed.params.get("FBTYPE", "BUSY")).upper() != "FREE":
                    yield BusyPeriod(*listed.dt)
        elif part.name == "VEVENT":
            start = _date(part, "DTSTART")
            if start is not None:
                yield _event(part, start)


def _parts(content: bytes) -> list[Any]:
    text = content.decode("utf-8-sig", "replace").strip()
    if text[:15].upper() != "BEGIN:VCALENDAR" or text[-13:].upper() != "END:VCALENDAR":
        raise NotACalendar
    if text.count("\nBEGIN:") > MAX_EVENTS:
        raise CalendarTooLarge
    try:
        calendars = Calendar.from_ical(text, multiple=True)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise NotACalendar from error
    return [part for calendar in calendars for part in calendar.walk()]


def _event(part: Any, start: date) -> ExternalEvent:  # noqa: ANN401 - the library's types do not say what a part has
    duration = _value(part, "DURATION")
    return ExternalEvent(
        str(part.get("UID", id(part))),
        start,
        _date(part, "DTEND"),
        duration if isinstance(duration, timedelta) else None,
        _date(part, "RECURRENCE-ID"),
        [rule.to_ical().decode() for rule in _values(part, "RRULE")],
        [value[0] if isinstance(value, tuple) else value for value in _dates(part, "RDATE")],
        _dates(part, "EXDATE"),
        takes_time=str(part.get("TRANSP", "")).upper() != "TRANSPARENT"
        and str(part.get("STATUS", "")).upper() != "CANCELLED",
    )


def _date(part: Any, name: str) -> date | None:  # noqa: ANN401
    found = _value(part, name)
    return found if isinstance(found, date) else None


def _value(part: Any, name: str) -> object:  # noqa: ANN401
    """A property that occurs twice, or that cannot be read, counts as missing."""
    values = _values(part, name)
    return getattr(values[0], "dt", None) if len(values) == 1 else None


def _values(part: Any, name: str) -> list[Any]:  # noqa: ANN401
    found = part.get(name)
    values = found if isinstance(found, list) else [found]
    return [value for value in values if value is not None and not isinstance(value, vBroken)]


def _dates(part: Any, name: str) -> list[Any]:  # noqa: ANN401
    return [value.dt for listed in _values(part, name) for value in getattr(listed, "dts", ())]


def instant_of(value: date, zone: ZoneInfo) -> datetime:
    """Of a time with a zone, a time without one, or the beginning of a day."""
    if not isinstance(value, datetime):
        return local_day_start(value, zone)
    return value.replace(tzinfo=zone_of(value, zone)).astimezone(UTC)


def zone_of(value: date, zone: ZoneInfo) -> tzinfo:
    """A zone that we know has our rules, whatever the library or the file say about it."""
    found = value.tzinfo if isinstance(value, datetime) else None
    if found is None:
        return zone
    name = getattr(found, "key", None)
    return get_zone(name) if name in ZONE_NAMES else found
