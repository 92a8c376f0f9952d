"""What a business in a country most likely uses, as a proposal."""

from functools import cache
from typing import NamedTuple

from babel.core import get_global
from babel.numbers import get_territory_currencies

from frontdesk.values.money import currency_decimals

_MAX_DECIMALS = 3
_UNKNOWN = "ZZ"  # of zones without a country
_CAPITAL_ZONES = {
    "AU": "Australia/Sydney",
    "BR": "America/Sao_Paulo",
    "CA": "America/Toronto",
    "CN": "Asia/Shanghai",
    "ES": "Europe/Madrid",
    "ID": "Asia/Jakarta",
    "MX": "America/Mexico_City",
    "MY": "Asia/Kuala_Lumpur",
    "NZ": "Pacific/Auckland",
    "PS": "Asia/Hebron",
    "PT": "Europe/Lisbon",
    "RU": "Europe/Moscow",
    "US": "America/New_York",
}  # of countries with several zones
_ARABIC = frozenset(
    {"AE", "BH", "DJ", "DZ", "EG", "IQ", "JO", "KM", "KW", "LB", "LY"}
    | {"MA", "MR", "OM", "PS", "QA", "SA", "SD", "SO", "SY", "TN", "YE"}
)


class Proposal(NamedTuple):
    timezone: str
    currency: str
    languages: tuple[str, ...]


def is_country(code: str) -> bool:
    return code in countries()


@cache
def countries() -> tuple[str, ...]:
    """ISO 3166 codes."""
    codes = sorted(get_global("territory_zones"))
    return tuple(code for code in codes if len(code) == 2 and code.isalpha() and code != _UNKNOWN)


def propose(country: str) -> Proposal:
    zones = get_global("territory_zones").get(country) or ["UTC"]
    languages = ("ar", "en") if country in _ARABIC else ("en",)
    return Proposal(_CAPITAL_ZONES.get(country, zones[0]), _currency(country), languages)


def _currency(country: str) -> str:
    return next((code for code in get_territory_currencies(country) if is_currency(code)), "USD")


def is_currency(code: str) -> bool:
    """Whether prices can have it."""
    try:
        return currency_decimals(code) <= _MAX_DECIMALS
    except ValueError:
        return False
