"""Birthdays: a day of the year, and the year if it is known, as "1990-03-21" or "--03-21", as vCard writes them.

Who was born on 29 February celebrates on the 28th in the years that have no such day.
"""

import re
from datetime import date, timedelta
from functools import cache

from babel.dates import get_month_names

from frontdesk.values.text import ascii_digits, fold

FIRST_YEAR = 1900
_LEAP_YEAR = 2000
_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d.*)?")  # a workbook adds the time
_NO_YEAR = re.compile(r"--(\d{2})-?(\d{2})")
_DAY_FIRST = re.compile(r"(\d{1,2})[-/. ]+(\d{1,2})(?:[-/. ]+(\d{4}))?")
_BETWEEN_WORDS = re.compile(r"[\s,،./-]+")
_MAX_WORDS = 3


def birthday_of(day: int, month: int, year: int | None, today: date) -> str | None:
    """None if there is no such day, or it has not come yet."""
    try:
        born = date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return None
    if year is None:
        return f"--{month:02}-{day:02}"
    return born.isoformat() if year >= FIRST_YEAR and born <= today else None


def parse_birthday(text: str, today: date) -> str | None:
    """As people and programs write it: with the day first unless it cannot be one, with or without a year."""
    plain = ascii_digits(text).strip()
    if found := _YEAR_FIRST.fullmatch(plain):
        return birthday_of(int(found[3]), int(found[2]), int(found[1]), today)
    if found := _NO_YEAR.fullmatch(plain):
        return birthday_of(int(found[2]), int(found[1]), None, today)
    if found := _DAY_FIRST.fullmatch(plain):
        day, month, year = int(found[1]), int(found[2]), int(found[3]) if found[3] else None
        return birthday_of(*((month, day) if month > 12 else (day, month)), year, today)
    return _parse_words(plain, today)


def _parse_words(plain: str, today: date) -> str | None:
    """Such as "21 March 1990" or "March 21"."""
    words = [word for word in _BETWEEN_WORDS.split(plain) if word]
    months = [month for word in words if (month := _months().get(fold(word)))]
    numbers = [int(word) for word in words if word.isdecimal() and len(word) in (1, 2, 4)]
    if len(months) != 1 or not 1 <= len(numbers) == len(words) - 1 < _MAX_WORDS:
        return None
    return birthday_of(numbers[0], months[0], numbers[1] if len(numbers) > 1 else None, today)


@cache
def _months() -> dict[str, int]:
    return {
        fold(name): month
        for language in ("en", "ar")
        for width in ("wide", "abbreviated")
        for month, name in get_month_names(width, locale=language).items()
    }


def split_birthday(birthday: str) -> tuple[int, int, int | None]:
    """The day, the month, and the year if it is known."""
    year = None if birthday.startswith("--") else int(birthday[:4])
    return int(birthday[-2:]), int(birthday[-5:-3]), year


def next_birthday(birthday: str, today: date) -> date:
    """Today if it is today."""
    coming = _in_year(birthday, today.year)
    return coming if coming >= today else _in_year(birthday, today.year + 1)


def age_on(birthday: str, day: date) -> int | None:
    year = split_birthday(birthday)[2]
    return None if year is None else day.year - year - (_in_year(birthday, day.year) > day)


def days_of_year(first: date, count: int) -> list[str]:
    """The days as "03-21" on which somebody who celebrates in this time was born."""
    days = [first + timedelta(days=n) for n in range(count)]
    found = [f"{day:%m-%d}" for day in days]
    if any((day.month, day.day) == (2, 28) and (day + timedelta(days=1)).day == 1 for day in days):
        found.append("02-29")
    return found


def _in_year(birthday: str, year: int) -> date:
    day, month, _ = split_birthday(birthday)
    try:
        return date(year, month, day)
    except ValueError:
        return date(year, month, day - 1)
