"""The names of time zones: their own in English, the city in other languages."""

from functools import cache, lru_cache

from babel import Locale
from babel.core import get_global


@lru_cache(maxsize=2048)
def zone_name(zone: str, language: str) -> str:
    cities = Locale(language).time_zones if language != "en" else {}
    found = (cities.get(name, {}).get("city") for name in _names_of(zone))
    return next(filter(None, found), zone.replace("_", " "))


def is_current_name(zone: str) -> bool:
    """Some zones have earlier names, whose city is the same."""
    return zone not in get_global("zone_aliases")


def _names_of(zone: str) -> list[str]:
    """The zone under all its names, such as Asia/Kolkata and Asia/Calcutta."""
    current = get_global("zone_aliases").get(zone, zone)
    return [zone, current, *_earlier_names().get(current, [])]


@cache
def _earlier_names() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for earlier, current in get_global("zone_aliases").items():
        found.setdefault(current, []).append(earlier)
    return found
