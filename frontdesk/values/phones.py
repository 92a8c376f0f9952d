"""Telephone numbers: strict where they are stored, digits only where they are compared."""

import re
from collections.abc import Iterator

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberFormat

# The longest number of E.164, country code included.
_MAX_DIGITS = 15
# Far above any number with its punctuation; longer text is not worth reading.
_MAX_TEXT = 250

_NO_DIGITS = re.compile(r"\D+")
_PLUS = "+＋"
# Spaces, dashes (the typographic ones too), dots and parentheses, and the invisible direction marks that
# come along when a number is copied out of Arabic text.
_PUNCTUATION = re.compile(
    r"[\s\-.()\u2010-\u2015\u2212\uff0d\uff08\uff09\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+"
)


class PhoneError(Exception):
    """A number or country that cannot be stored; `field` is the one to blame."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def parse_phone(number: str, country: str) -> str:
    """Read a number as it is dialled in `country` and give it in E.164 form ("+966501234567").

    A number that carries its own calling code (+ or 00) is taken as it stands, also where that code is not
    the country's: it is unambiguous, a visitor's foreign number is the usual reason, and refusing it would
    only make people change the country by hand. The country decides how a local form is read, and a number
    of any country that shares its calling code (+1, +7, +44 …) is good.
    """
    region = _region(country)
    for candidate in _readings(_dialled(number)):
        try:
            parsed = phonenumbers.parse(candidate, region)
        except NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return str(phonenumbers.format_number(parsed, PhoneNumberFormat.E164))
    raise PhoneError("phone", f"is not a valid telephone number for {region}")


def digits_of(text: str) -> str:
    """Only the digits, those of any script as ASCII: what two numbers are compared by."""
    digits = _NO_DIGITS.sub("", text)
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


def international_digits(text: str) -> str | None:
    """The digits to look a customer up by, None where they cannot be an international number.

    No calling code begins with 0, so what is left with one is a local form, which names no country.
    """
    if len(text) > _MAX_TEXT:
        return None
    digits = digits_of(text).removeprefix("00")
    if not digits or len(digits) > _MAX_DIGITS or digits.startswith("0"):
        return None
    return digits


def _region(country: str) -> str:
    # Only ASCII is raised to upper case: a long s ("ſa") would otherwise pass for SA.
    region = country.upper() if len(country) == 2 and country.isascii() else ""
    if region not in phonenumbers.SUPPORTED_REGIONS:
        raise PhoneError("phone_country", "must be a two-letter country code, such as SA")
    return region


def _dialled(number: str) -> str:
    """The digits with at most a leading plus; letters and extensions are refused, never guessed at."""
    if len(number) > _MAX_TEXT:
        raise PhoneError("phone", "is too long for a telephone number")
    bare = _PUNCTUATION.sub("", number)
    plus, digits = ("+", bare[1:]) if bare[:1] and bare[0] in _PLUS else ("", bare)
    if not digits.isdecimal():
        raise PhoneError("phone", "may hold only digits, spaces, dashes, dots, parentheses and a leading +")
    return plus + digits_of(digits)


def _readings(dialled: str) -> Iterator[str]:
    """00 is written for + even where the country dials abroad otherwise, so that is tried first."""
    if dialled.startswith("00"):
        yield "+" + dialled[2:]
    yield dialled
