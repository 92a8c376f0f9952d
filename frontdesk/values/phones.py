"""Telephone numbers: stored in E.164 form, compared by their digits."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import phonenumbers
from phonenumbers import NumberParseException, PhoneMetadata, PhoneNumberFormat, PhoneNumberType

from frontdesk.problems import Problem
from frontdesk.values.problems import PhoneProblem

# The longest number of E.164, country code included.
_MAX_DIGITS = 15
# Far above any number with its punctuation; longer text is not parsed.
_MAX_TEXT = 250

# The country code and what follows it, which decide about the layout of a number.
_LAYOUT_DIGITS = 6

_NO_DIGITS = re.compile(r"\D+")
_PLUS = "+＋"
# Spaces, dashes (the typographic ones too), dots and parentheses, and the invisible direction marks that
# come along when a number is copied out of Arabic text.
_PUNCTUATION = re.compile(
    r"[\s\-.()\u2010-\u2015\u2212\uff0d\uff08\uff09\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+"
)


class PhoneError(Problem):
    """A number or country that cannot be stored."""


def parse_phone(number: str, country: str) -> str:
    """Parses a number as it is dialed in `country` and returns it in E.164 form ("+966501234567").

    A number with a calling code (+ or 00) is accepted even if the code is not the country's: it is unambiguous, and
    it is usually a visitor's foreign number. The country decides how a local number is parsed. A number of any
    country that shares its calling code (+1, +7, +44, …) is valid.
    """
    region = _region(country)
    dialed = _dialed(number)
    usual = _mobile_numbers(region)
    if usual and (found := usual.numbers.fullmatch(dialed)) and not (found[1] and usual.local.fullmatch(dialed)):
        return usual.code + found[2]
    for candidate in _candidates(dialed):
        try:
            parsed = phonenumbers.parse(candidate, region)
        except NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return str(phonenumbers.format_number(parsed, PhoneNumberFormat.E164))
    raise PhoneError(PhoneProblem.NOT_A_NUMBER, "phone", region=region)


@lru_cache(maxsize=1000)
def is_mobile(number: str) -> bool:
    """Whether a stored number is one of a mobile phone, or can be."""
    try:
        kind = phonenumbers.number_type(phonenumbers.parse(number))
    except NumberParseException:
        return False
    return kind in (PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE)


class _MobileNumbers(NamedTuple):
    code: str  # with the +
    numbers: re.Pattern[str]  # the calling code without a plus, and the number
    local: re.Pattern[str]  # any local number: it may begin with the same digits as the calling code


@lru_cache(maxsize=512)
def _mobile_numbers(region: str) -> _MobileNumbers | None:
    """How mobile numbers of a country are written; most numbers are such ones, and the library needs 70 microseconds.

    None for countries where it is not this simple: local numbers begin with 0, and the calling code is theirs alone.
    """
    rules = PhoneMetadata.metadata_for_region(region)
    if rules is None or rules.mobile is None or rules.mobile.national_number_pattern is None:
        return None
    prefixes = {rules.national_prefix, rules.national_prefix_for_parsing}
    if prefixes != {"0"} or len(phonenumbers.COUNTRY_CODE_TO_REGION_CODE[rules.country_code or 0]) > 1:
        return None
    code, pattern = f"{rules.country_code}", rules.mobile.national_number_pattern
    local = rules.general_desc.national_number_pattern if rules.general_desc else None
    return _MobileNumbers(
        f"+{code}",
        re.compile(rf"(?:0(?!0)|\+{code}|00{code}|({code}))?({pattern})"),
        re.compile(local or pattern),
    )


def region_of(number: str) -> str | None:
    """The country of a stored number; None if several countries share it."""
    return phonenumbers.region_code_for_number(phonenumbers.parse(number))


@lru_cache(maxsize=4096)
def spaced(number: str) -> str:
    """A stored number as people read it ("+966 50 123 4567").

    Formatting a number takes half a millisecond. Where the spaces are depends on its first digits and its length.
    """
    if not number.startswith("+"):  # as typed, not a stored number
        return number
    digits = digits_of(number)
    layout = _layout(digits[:_LAYOUT_DIGITS], len(digits))
    if layout is None:
        return number
    return layout.format(*digits)


@lru_cache(maxsize=4096)
def _layout(prefix: str, length: int) -> str | None:
    """The number with "{}" for each digit."""
    try:
        parsed = phonenumbers.parse(f"+{prefix.ljust(length, '0')}")
    except NumberParseException:
        return None
    layout = str(phonenumbers.format_number(parsed, PhoneNumberFormat.INTERNATIONAL))
    return re.sub(r"\d", "{}", layout) if len(digits_of(layout)) == length else None


def digits_of(text: str) -> str:
    """Only the digits, converted to ASCII; two numbers are compared by them."""
    digits = _NO_DIGITS.sub("", text)
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


def international_digits(text: str) -> str | None:
    """The digits to search a customer by, or None if they cannot be an international number.

    No calling code begins with 0, so digits that do are a local number of an unknown country.
    """
    if len(text) > _MAX_TEXT:
        return None
    digits = digits_of(text).removeprefix("00")
    if not digits or len(digits) > _MAX_DIGITS or digits.startswith("0"):
        return None
    return digits


def _region(country: str) -> str:
    # Only ASCII is converted to upper case: a long s ("ſa") would otherwise become SA.
    region = country.upper() if len(country) == 2 and country.isascii() else ""
    if region not in phonenumbers.SUPPORTED_REGIONS:
        raise PhoneError(PhoneProblem.NO_SUCH_REGION, "phone_country")
    return region


def _dialed(number: str) -> str:
    """The digits with an optional leading plus. Letters and extensions are rejected."""
    if len(number) > _MAX_TEXT:
        raise PhoneError(PhoneProblem.TOO_LONG, "phone")
    bare = _PUNCTUATION.sub("", number)
    plus, digits = ("+", bare[1:]) if bare[:1] and bare[0] in _PLUS else ("", bare)
    if not digits.isdecimal():
        raise PhoneError(PhoneProblem.OTHER_CHARACTERS, "phone")
    return plus + digits_of(digits)


def _candidates(dialed: str) -> Iterator[str]:
    """People write 00 for + even in countries with another international prefix, so that is tried first."""
    if dialed.startswith("00"):
        yield "+" + dialed[2:]
    yield dialed
