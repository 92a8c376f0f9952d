"""Local wall-clock time to instants and back.

The rules of time zones come from the tzdata wheel alone, never from the machine's own files: two machines of one
installation then compute the same. `kit/zone_rules.py` gives the same rules to the database. An instant is always an
aware datetime in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import resources
from io import BytesIO
from zoneinfo import ZoneInfo

_WHEEL = resources.files("tzdata")
ZONE_NAMES = frozenset((_WHEEL / "zones").read_text("utf-8").split())
_MINUTE = timedelta(minutes=1)
_DAY = 24 * 60


class UnknownZoneError(ValueError):
    """No zone has this name."""


class SkippedLocalTimeError(ValueError):
    """The clocks jump over this local time, so no instant has it."""


@cache
def get_zone(name: str) -> ZoneInfo:
    """The wheel's zone of this name; the same object for every caller, so that caches can compare it by identity."""
    return ZoneInfo.from_file(BytesIO(read_zone_file(name)), key=name)


def read_zone_file(name: str) -> bytes:
    if name not in ZONE_NAMES:
        raise UnknownZoneError(name)
    return (_WHEEL / "zoneinfo").joinpath(*name.split("/")).read_bytes()


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
    """The local reading with its offset in hours and minutes; one zone had seconds in its offset, until 1972."""
    return instant.astimezone(zone).isoformat(timespec="seconds")[:25]
