"""The description of a time zone in an iCalendar file (VTIMEZONE).

Every change of the offset in the years of the events is listed by itself: a rule for all years cannot say what Morocco
or Egypt do.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from frontdesk.icalendar.event import Event
from frontdesk.values.zone_changes import ZoneChange, zone_changes

_YEAR = timedelta(days=366)  # on either side, for programs that move an event
_SECOND = timedelta(seconds=1)


def zone_lines(zone: ZoneInfo, events: Sequence[Event]) -> Iterator[str]:
    yield "BEGIN:VTIMEZONE"
    yield f"TZID:{zone.key}"
    changes = zone_changes(zone.key)
    first, end = _used_changes(changes, events)
    for at in range(first, end):
        before = changes[at - 1].shift if at else changes[at].shift
        yield from _change_lines(zone, changes[at], before)
    yield "END:VTIMEZONE"


def _used_changes(changes: tuple[ZoneChange, ...], events: Sequence[Event]) -> tuple[int, int]:
    now = datetime.now(UTC)
    earliest = min((event.starts_at for event in events), default=now) - _YEAR
    latest = max((event.ends_at for event in events), default=now) + _YEAR
    first = bisect_right(changes, earliest, key=lambda change: change.starts) - 1
    return max(first, 0), bisect_right(changes, latest, key=lambda change: change.starts)


def _change_lines(zone: ZoneInfo, change: ZoneChange, before: timedelta) -> Iterator[str]:
    local = change.starts.astimezone(zone)
    kind = "DAYLIGHT" if local.dst() else "STANDARD"
    yield f"BEGIN:{kind}"
    yield f"DTSTART:{(change.starts.replace(tzinfo=None) + before).strftime('%Y%m%dT%H%M%S')}"
    yield f"TZOFFSETFROM:{_offset(before)}"
    yield f"TZOFFSETTO:{_offset(change.shift)}"
    yield f"TZNAME:{local.tzname()}"
    yield f"END:{kind}"


def _offset(shift: timedelta) -> str:
    seconds = abs(shift) // _SECOND
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{'-' if shift < timedelta() else '+'}{hours:02}{minutes:02}{f'{rest:02}' if rest else ''}"
