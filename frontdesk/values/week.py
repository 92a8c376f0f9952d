"""The days of a week, in the order in which they are read where the business is."""

from datetime import date, timedelta

from babel.core import Locale, get_global

_WEEK = 7


def week_of(zone: str, day: date) -> list[date]:
    """The week of a day; the time zone of the business says in which country it is."""
    first = day - timedelta(days=(day.weekday() - _first_weekday(zone)) % _WEEK)
    return [first + timedelta(days=number) for number in range(_WEEK)]


def _first_weekday(zone: str) -> int:
    """0 is Monday."""
    territory = get_global("zone_territories").get(zone)
    return int(Locale.parse(f"und_{territory}").first_week_day) if territory else 0
