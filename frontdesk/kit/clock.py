"""Local wall-clock time to instants and back.

Zones come from zoneinfo: the machine's own data where it has some, else the tzdata wheel, which is why
that wheel is a dependency. An instant is always an aware datetime in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

_MINUTE = timedelta(minutes=1)
_DAY = 24 * 60
_WEEKS = 232 * 53  # until beyond 2200


class UnknownZoneError(ValueError):
    """No zone has this name."""


class SkippedLocalTimeError(ValueError):
    """The clocks jump over this local time, so no instant has it."""


def get_zone(name: str) -> ZoneInfo:
    """zoneinfo answers a bad name in five ways: not found, bad path, a folder, a name too long, not UTF-8."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as fault:
        raise UnknownZoneError(name) from fault


def to_instant(local: datetime, zone: ZoneInfo) -> datetime:
    """Of a local time that exists twice, the first; one that does not exist is refused, never guessed."""
    instant = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if to_local(instant, zone) != local:
        raise SkippedLocalTimeError(f"{local.isoformat()} does not exist in {zone.key}")
    return instant


def to_local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Naive, because a local time with its zone attached compares and subtracts by the wall clock."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def local_day_bounds(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Where the clocks jump at midnight a day begins later than 00:00, so its end is the next day's start."""
    return local_day_start(day, zone), local_day_start(day + timedelta(days=1), zone)


def period_bounds(days: tuple[date | None, date | None], zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """Of local days, both included: the first instant, and the first one after them."""
    first, last = days
    return (
        None if first is None else local_day_start(first, zone),
        None if last is None else local_day_bounds(last, zone)[1],
    )


def local_day_start(day: date, zone: ZoneInfo) -> datetime:
    """The first instant of the local date."""
    midnight = datetime.combine(day, time())
    start = midnight.replace(tzinfo=zone).astimezone(UTC)
    if to_local(start, zone) != midnight:
        # zoneinfo moved a skipped midnight on by the whole jump; the jump may have begun before midnight
        while to_local(start - _MINUTE, zone) >= midnight:
            start -= _MINUTE
    return start


@lru_cache(maxsize=512)
def steady_form(name: str) -> str | None:
    """How PostgreSQL writes a moment of a zone whose clocks never change in all the years that moments may lie in.

    None where they do change. Looked at once a week of those years: no clock change was ever taken back sooner.
    """
    zone, first = get_zone(name), datetime(1970, 1, 1, tzinfo=UTC)
    offset = first.astimezone(zone).utcoffset()
    weeks = (first + timedelta(weeks=week) for week in range(_WEEKS))
    if offset is None or any(week.astimezone(zone).utcoffset() != offset for week in weeks):
        return None
    return f'YYYY-MM-DD"T"HH24:MI:SS"{first.astimezone(zone).isoformat()[-6:]}"'


def minutes_by_utc_day(start: datetime, end: datetime) -> list[tuple[date, int, int]]:
    """The UTC days that a time covers, each with the minutes from and to which."""
    parts, first = [], datetime.combine(start.astimezone(UTC).date(), time(), tzinfo=UTC)
    while first < end:
        opens, closes = max((start - first) // _MINUTE, 0), min((end - first) // _MINUTE, _DAY)
        parts.append((first.date(), opens, closes))
        first += timedelta(days=1)
    return parts


def format_utc(instant: datetime) -> str:
    """Always six digits of fraction, so that texts of instants sort as the instants do."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def format_offset(instant: datetime, zone: ZoneInfo) -> str:
    """The local reading with its offset, for people who want to see the clock on the wall."""
    return instant.astimezone(zone).isoformat(timespec="seconds")
