"""Conversion between local times and instants.

Time-zone rules come from the tzdata package only, not from the operating system, so that all machines of an
installation use the same rules. `postgres/time_zones.py` loads them into the database. An instant is an aware datetime
in UTC.
"""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from zoneinfo import ZoneInfo

_TZDATA = resources.files("tzdata")
ZONE_NAMES = frozenset((_TZDATA / "zones").read_text("utf-8").split())
# Of requests: within a few centuries of today, so that no arithmetic on them can overflow.
FIRST_DAY, LAST_DAY = date(1970, 1, 1), date(2200, 12, 31)
_MINUTE = timedelta(minutes=1)


class UnknownZoneError(ValueError):
    """There is no time zone with this name."""


class SkippedLocalTimeError(ValueError):
    """The local time is skipped by a change of the clocks, so no instant has it."""


@cache
def get_zone(name: str) -> ZoneInfo:
    """Always the same object for a name, so that caches can compare it by identity."""
    return ZoneInfo.from_file(BytesIO(read_zone_file(name)), key=name)


def read_zone_file(name: str) -> bytes:
    if name not in ZONE_NAMES:
        raise UnknownZoneError(name)
    return (_TZDATA / "zoneinfo").joinpath(*name.split("/")).read_bytes()


def to_instant(local: datetime, zone: ZoneInfo) -> datetime:
    """The first instant if the local time occurs twice. Raises SkippedLocalTimeError if it does not exist."""
    instant = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if to_local(instant, zone) != local:
        raise SkippedLocalTimeError(f"{local.isoformat()} does not exist in {zone.key}")
    return instant


def to_local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Returns a naive datetime: an aware one would still be compared and subtracted by local time."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def local_day_bounds(day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The end is the start of the next day, which is later than 00:00 if the clocks change at midnight."""
    return local_day_start(day, zone), local_day_start(day + timedelta(days=1), zone)


@lru_cache(maxsize=4096)
def local_day_start(day: date, zone: ZoneInfo) -> datetime:
    """The first instant of the local date."""
    midnight = datetime.combine(day, time())
    start = midnight.replace(tzinfo=zone).astimezone(UTC)
    if to_local(start, zone) != midnight:
        # zoneinfo moves a skipped midnight by the whole gap, but the gap may begin before midnight
        while to_local(start - _MINUTE, zone) >= midnight:
            start -= _MINUTE
    return start


def last_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def format_utc(instant: datetime) -> str:
    """Always with microseconds, so that the texts sort like the instants."""
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def format_offset(instant: datetime, zone: ZoneInfo) -> str:
    """Local time with its offset in hours and minutes. One zone had seconds in its offset until 1972; they are cut."""
    return instant.astimezone(zone).isoformat(timespec="seconds")[:25]
