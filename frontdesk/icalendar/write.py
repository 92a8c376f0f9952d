"""Writes iCalendar files (RFC 5545, RFC 7986): invitations and calendar feeds."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from frontdesk.icalendar.event import Event, Person
from frontdesk.icalendar.lines import join_lines, parameter, text_line, uri_line
from frontdesk.icalendar.zones import zone_lines

Method = Literal["PUBLISH", "REQUEST", "CANCEL"]
_LOCAL, _UTC = "%Y%m%dT%H%M%S", "%Y%m%dT%H%M%SZ"


def write_calendar(
    events: Sequence[Event],
    method: Method | None = None,
    name: str | None = None,
    zone: ZoneInfo | None = None,
    refresh_minutes: int | None = None,
) -> bytes:
    """`zone` is described also if no event uses it: a calendar without any part is not valid."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Frontdesk//Frontdesk//EN", "CALSCALE:GREGORIAN"]
    if method:
        lines.append(f"METHOD:{method}")
    if name:
        lines += text_line("NAME", name), text_line("X-WR-CALNAME", name)
    if zone:
        lines.append(f"X-WR-TIMEZONE:{zone.key}")
    if refresh_minutes:
        lines += f"REFRESH-INTERVAL;VALUE=DURATION:PT{refresh_minutes}M", f"X-PUBLISHED-TTL:PT{refresh_minutes}M"
    for used in sorted({*(event.zone for event in events), *([zone] if zone else [])}, key=lambda z: z.key):
        lines += zone_lines(used, [event for event in events if event.zone is used])
    for event in events:
        lines += _event_lines(event)
    return join_lines([*lines, "END:VCALENDAR"])


def _event_lines(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield text_line("UID", event.uid)
    changed_at = event.changed_at.astimezone(UTC).strftime(_UTC)
    yield f"DTSTAMP:{changed_at}"
    yield f"LAST-MODIFIED:{changed_at}"
    yield f"SEQUENCE:{event.sequence}"
    yield _time_line("DTSTART", event.starts_at, event.zone)
    yield _time_line("DTEND", event.ends_at, event.zone)
    yield text_line("SUMMARY", event.summary)
    if event.description:
        yield text_line("DESCRIPTION", event.description)
    if event.location:
        yield text_line("LOCATION", event.location)
    if event.url:
        yield uri_line("URL", event.url)
    if event.organizer:
        yield _person_line("ORGANIZER", event.organizer)
    if event.attendee:
        yield _person_line("ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED", event.attendee)
    yield f"STATUS:{event.status}"
    yield f"TRANSP:{'TRANSPARENT' if event.status == 'CANCELLED' else 'OPAQUE'}"
    yield "END:VEVENT"


def _time_line(name: str, instant: datetime, zone: ZoneInfo) -> str:
    """A local time that occurs twice means the first instant, so the second one is written in UTC."""
    local = instant.astimezone(zone)
    if local.fold:
        return f"{name}:{instant.astimezone(UTC).strftime(_UTC)}"
    return f"{name};TZID={zone.key}:{local.strftime(_LOCAL)}"


def _person_line(name: str, person: Person) -> str:
    return uri_line(f"{name};CN={parameter(person.name)}", f"mailto:{person.email}")
