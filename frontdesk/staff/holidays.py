"""Holidays of a country as templates for other hours: proposals with dates, which a person checks and saves.

Islamic dates are computed with the tabular calendar. It is within a day of what is announced when the moon is seen.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from frontdesk.i18n.texts import N_

_EPOCH = (
    date(622, 7, 19).toordinal() - 1
)  # the day before 1 Muharram of the year 1, in the proleptic Gregorian calendar
_MUSLIM = frozenset(
    {"AE", "BD", "BH", "DJ", "DZ", "EG", "ID", "IQ", "IR", "JO", "KM", "KW", "LB", "LY", "MA", "MR", "MY", "OM"}
    | {"PK", "PS", "QA", "SA", "SD", "SO", "SY", "TN", "TR", "YE"}
)
_RAMADAN_HOURS = ((12 * 60, 17 * 60), (20 * 60 + 30, 25 * 60))  # after the night prayer until one o'clock
_RAMADAN, _SHAWWAL, _DHU_AL_HIJJA = 9, 10, 12
_NATIONAL_DAY = N_("National Day")
_NEW_YEAR, _CHRISTMAS = (N_("New Year"), 1, 1, 1), (N_("Christmas"), 12, 25, 2)
# A name, a month, a day and how many days.
_FIXED = {
    "SA": ((N_("Founding Day"), 2, 22, 1), (_NATIONAL_DAY, 9, 23, 1)),
    "AE": (_NEW_YEAR, (_NATIONAL_DAY, 12, 2, 2)),
    "BH": (_NEW_YEAR, (_NATIONAL_DAY, 12, 16, 2)),
    "EG": ((N_("Revolution Day"), 7, 23, 1), (N_("Armed Forces Day"), 10, 6, 1)),
    "JO": (_NEW_YEAR, (N_("Independence Day"), 5, 25, 1)),
    "KW": (_NEW_YEAR, (_NATIONAL_DAY, 2, 25, 2)),
    "MA": (_NEW_YEAR, (N_("Throne Day"), 7, 30, 1), (N_("Independence Day"), 11, 18, 1)),
    "OM": ((_NATIONAL_DAY, 11, 20, 2),),
    "QA": ((_NATIONAL_DAY, 12, 18, 1),),
}
_ELSEWHERE = (_NEW_YEAR, _CHRISTMAS)
_AHEAD = timedelta(days=400)


class Holiday(NamedTuple):
    name: str  # a text marked for translation
    first: date
    last: date
    minutes: tuple[tuple[int, int], ...] = ()  # none: closed
    is_approximate: bool = False

    @property
    def key(self) -> str:
        """In addresses."""
        return self.first.isoformat()


def coming_holidays(country: str | None, today: date) -> list[Holiday]:
    """Those that end in the next thirteen months, in the order of their days."""
    found = [holiday for holiday in _holidays(country or "", today) if today <= holiday.last < today + _AHEAD]
    return sorted(found, key=lambda holiday: holiday.first)


def _holidays(country: str, today: date) -> Iterator[Holiday]:
    for year in (today.year, today.year + 1):
        for name, month, day, days in _FIXED.get(country, () if country in _MUSLIM else _ELSEWHERE):
            first = date(year, month, day)
            yield Holiday(name, first, first + timedelta(days=days - 1))
    if country in _MUSLIM:
        near = (today.toordinal() - _EPOCH) * 30 // 10631
        for year in (near, near + 1, near + 2):
            yield from _islamic_holidays(year)


def _islamic_holidays(year: int) -> Iterator[Holiday]:
    eid, sacrifice = islamic_date(year, _SHAWWAL, 1), islamic_date(year, _DHU_AL_HIJJA, 10)
    fast = islamic_date(year, _RAMADAN, 1), eid - timedelta(days=1)
    yield Holiday(N_("Ramadan"), *fast, _RAMADAN_HOURS, is_approximate=True)
    yield Holiday(N_("Eid al-Fitr"), eid, eid + timedelta(days=2), is_approximate=True)
    yield Holiday(N_("Eid al-Adha"), sacrifice, sacrifice + timedelta(days=2), is_approximate=True)


def islamic_date(year: int, month: int, day: int) -> date:
    """Months have 30 and 29 days in turn, and 11 of 30 years a day more."""
    return date.fromordinal(_EPOCH + (year - 1) * 354 + (3 + 11 * year) // 30 + (59 * (month - 1) + 1) // 2 + day)
