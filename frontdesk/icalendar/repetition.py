"""The repetitions of an event by its rule (RRULE), in local time."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo

from dateutil.rrule import rrulestr

MAX_REPETITIONS = 50_000  # counted from the first one, which may be many years ago
_UNTIL = re.compile(r"UNTIL=(\d{8})(?:T(\d{6})(Z?))?", re.IGNORECASE)


class TooManyRepetitions(ValueError):
    """The rule repeats more often than is read."""


def repeated_starts(rule: str, start: datetime, first: datetime, last: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Between two local times. A rule that cannot be read means one event."""
    try:
        repeated = rrulestr(_UNTIL.sub(lambda found: _local_until(found, zone), rule), dtstart=start)
    except (ValueError, TypeError, KeyError):
        return
    for number, at in enumerate(repeated):
        if at > last:
            return
        if number >= MAX_REPETITIONS:
            raise TooManyRepetitions
        if at >= first:
            yield at


def _local_until(found: "re.Match[str]", zone: tzinfo) -> str:
    """The last repetition is given in UTC, the event in local time. A day includes its evening."""
    day, clock, is_utc = found.groups()
    if clock is None:
        return f"UNTIL={day}T235959"
    until = datetime.strptime(day + clock, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    if is_utc:
        until = until.astimezone(zone)
    return f"UNTIL={until:%Y%m%dT%H%M%S}"
