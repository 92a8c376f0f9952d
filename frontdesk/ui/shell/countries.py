"""The countries whose phone numbers are known, by name."""

from functools import cache

import phonenumbers
from babel import Locale


@cache
def country_names(language: str) -> list[tuple[str, str]]:
    names = Locale.parse(language).territories
    known = [(code, names[code]) for code in phonenumbers.SUPPORTED_REGIONS if code in names]
    return sorted(known, key=lambda country: country[1])
