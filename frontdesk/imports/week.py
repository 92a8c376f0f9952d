"""Weekly hours in a table: a column for each day, with times such as "09:00-13:00, 16:00-21:00"."""

import re
from collections.abc import Mapping
from typing import Any

from frontdesk.imports.cell_values import Refused, optional_value, shorten
from frontdesk.imports.fields import Field, names
from frontdesk.imports.problems import RowProblem
from frontdesk.staff.weekly_hours import find_overlaps, minute_text
from frontdesk.values.text import ascii_digits

# In the order of the database: Sunday is 0.
DAYS = (
    Field("sunday", names("sun, الأحد, أحد, يوم الأحد")),
    Field("monday", names("mon, الاثنين, الإثنين, اثنين, يوم الاثنين")),
    Field("tuesday", names("tue, tues, الثلاثاء, ثلاثاء, يوم الثلاثاء")),
    Field("wednesday", names("wed, الأربعاء, أربعاء, يوم الأربعاء")),
    Field("thursday", names("thu, thurs, الخميس, خميس, يوم الخميس")),
    Field("friday", names("fri, الجمعة, جمعة, يوم الجمعة")),
    Field("saturday", names("sat, السبت, سبت, يوم السبت")),
)
_CLOSED = frozenset({"-", "–", "closed", "off", "no", "مغلق", "إجازة", "اجازة", "عطلة", "راحة", "لا"})
_PARTS = re.compile(r"[,،;؛/+\n]")
_TIMES = re.compile(
    r"(\d{1,2})(?:[:.](\d\d))?\s*(am|pm|ص|م)?\s*(?:-|–|to|until|إلى|الى|حتى)\s*(\d{1,2})(?:[:.](\d\d))?\s*(am|pm|ص|م)?"
)
_Interval = tuple[int, int, int]


def read_week(cells: Mapping[str, str]) -> dict[str, Any] | None:
    """None without a cell for any day. A day without a cell is then free."""
    if not any(day.name in cells for day in DAYS):
        return None
    with optional_value(*(day.name for day in DAYS)):  # without its cell alone, a day would be free
        intervals = [
            interval
            for number, day in enumerate(DAYS)
            if day.name in cells
            for interval in _day(number, cells[day.name])
        ]
        if find_overlaps(intervals):
            raise Refused(RowProblem.TIMES_OVERLAP)
    return {"all_time": False, "intervals": [list(interval) for interval in sorted(intervals)]}


def shown_week(hours: Mapping[str, Any] | None) -> dict[str, str]:
    """The times of each day, as people read them."""
    shown: dict[str, list[str]] = {}
    for day, opens, closes in hours["intervals"] if hours else []:
        shown.setdefault(DAYS[day].name, []).append(f"{minute_text(opens)}–{minute_text(closes)}")
    return {day.name: ", ".join(shown.get(day.name, [])) for day in DAYS}


def _day(number: int, text: str) -> list[_Interval]:
    folded = ascii_digits(text).strip().casefold()
    if folded in _CLOSED:
        return []
    return [_interval(number, part.strip(), text) for part in _PARTS.split(folded) if part.strip()]


def _interval(day: int, part: str, text: str) -> _Interval:
    found = _TIMES.fullmatch(part)
    opens = _minute(*found.groups()[:3]) if found else None
    closes = _minute(*found.groups()[3:]) if found else None
    if opens is None or closes is None or opens == 24 * 60:
        raise Refused(RowProblem.NOT_A_TIME, text=shorten(text))
    return day, opens, closes % (24 * 60)


def _minute(hour: str, minute: str | None, half: str | None) -> int | None:
    """Of the day; None if there is no such time."""
    hours, minutes = int(hour), int(minute or 0)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half in ("pm", "م") else 0)
    at = hours * 60 + minutes
    return at if minutes < 60 and at <= 24 * 60 else None
