"""The forms for weekly hours, for a day with other hours, and for time off."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import CalendarDate, LongText
from frontdesk.http.forms import Fields
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem, raise_all
from frontdesk.staff.exceptions import ExceptionFields
from frontdesk.staff.hour_types import DAY, WeeklyHours
from frontdesk.staff.weekly_hours import check_week, find_overlaps, minute_text
from frontdesk.ui.components.entered_times import WEEKDAY_DIGITS, TimeText, Weekday, read_time
from frontdesk.ui.components.week_scale import Spans, weekday
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.tenant_context import TenantContext

MAX_INTERVALS = 8  # a day
_INCOMPLETE = N_("Enter both times of an interval.")
_NO_HOURS = N_("Enter the hours of this day, or select that it is closed.")
_CHOOSE_OWN = N_("You changed the times. Choose “Own hours” to save them.")
_LAST_DAY = N_("The last day must not be before the first.")
_LATER = N_("The end must be after the beginning.")
WEEK_FIELDS = {"days.#": "day-#"}
DAY_FIELDS = {"days.#": "opens"}  # of a form for one day


class WeekForm(msgspec.Struct):
    """`day`, `opens` and `closes` have the same order; a row without times is ignored."""

    version: int
    act: Literal["save", "draw"] = "save"  # "draw": only shows the bars and the errors of what was typed
    source: Literal["branch", "own"] = "own"
    all_time: bool = False
    day: Annotated[list[Weekday], Meta(max_length=7 * (MAX_INTERVALS + 1))] = []
    opens: list[TimeText] = []
    closes: list[TimeText] = []
    confirmed: str = ""  # the mark of the bookings that would be outside the hours
    setup: bool = False  # the person came from the set-up checklist


class ExceptionForm(msgspec.Struct):
    id: UUID | None = None
    version: int | None = None
    day: CalendarDate | None = None
    until: CalendarDate | None = None  # of a branch: the last of several days
    closed: bool = False
    opens: list[TimeText] = []
    closes: list[TimeText] = []
    note: LongText | None = None
    confirmed: str = ""  # the mark of the bookings that would be outside the hours


class TimeOffForm(msgspec.Struct):
    id: UUID
    first_day: CalendarDate | None = None
    last_day: CalendarDate | None = None
    start: TimeText | None = None  # None: whole days
    end: TimeText | None = None
    note: LongText | None = None
    confirmed: str = ""  # the mark of the bookings that would be outside the hours


def read_week(form: WeekForm) -> WeeklyHours | None:
    """None for the branch's hours. Every wrong day has its own message."""
    if form.source == "branch":
        return None
    if form.all_time:
        return WeeklyHours(all_time=True, intervals=())
    intervals: list[tuple[int, int, int]] = []
    wrong: dict[int, Problem] = {}
    for day, opens, closes in zip(form.day, form.opens, form.closes, strict=False):
        if opens or closes:
            try:
                intervals.append((day, *_interval(opens, closes, "days", day)))
            except Problem as problem:
                wrong.setdefault(day, problem)
    wrong = {**find_overlaps(intervals), **wrong}
    raise_all([wrong[day] for day in sorted(wrong)])
    return WeeklyHours(all_time=False, intervals=tuple(sorted(intervals)))


def read_typed(values: Fields) -> WeeklyHours:
    """What can be read of a form that may have errors, for its bars."""
    intervals = [
        (int(day), *_interval(opens, closes))
        for day, opens, closes in zip(values.get("day", []), *time_values(values), strict=False)
        if day in WEEKDAY_DIGITS and _is_readable(opens, closes)
    ]
    return WeeklyHours(all_time=bool(values.get("all_time")), intervals=tuple(intervals))


def check_times_unchanged(form: WeekForm, shown: WeeklyHours) -> None:
    """The form had the times of `shown`. Other times would be lost with the branch's hours."""
    entered = read_week(msgspec.structs.replace(form, source="own", all_time=False))
    if entered and entered.intervals and sorted(entered.intervals) != sorted(map(tuple, shown.intervals)):
        raise page_problem(_CHOOSE_OWN, "source")


def read_exception(form: ExceptionForm) -> ExceptionFields:
    if form.day is None:
        raise page_problem(N_("Choose a day."), "day")
    spans: list[tuple[int, int]] = []
    for opens, closes in zip(form.opens, form.closes, strict=False):
        if (opens or closes) and not form.closed:
            start, end = _interval(opens, closes, "opens")
            spans.append((start, end if end > start else end + DAY))
    if not spans and not form.closed:
        raise page_problem(_NO_HOURS, "opens")
    day = weekday(form.day.day)
    check_week([(day, start, end % DAY) for start, end in spans])
    return ExceptionFields(form.day.day, sorted(spans), form.note)


def read_days(form: ExceptionForm) -> list[date]:
    first = form.day.day if form.day else date.min
    last = form.until.day if form.until else first
    if last < first:
        raise page_problem(_LAST_DAY, "until")
    return [first + timedelta(days=n) for n in range(min((last - first).days + 1, 400))]


def read_time_off(form: TimeOffForm, tenant: TenantContext) -> tuple[datetime, datetime]:
    """From midnight to midnight, unless the times are given."""
    if form.first_day is None:
        raise page_problem(N_("Choose a day."), "first_day")
    first = form.first_day.day
    last = form.last_day.day if form.last_day else first
    if last < first:
        raise page_problem(_LAST_DAY, "last_day")
    start = _moment(first, form.start, "start")
    end = _moment(last, form.end, "end") if form.end else _moment(last + timedelta(days=1), None, "end")
    if end <= start:
        raise page_problem(_LATER, "end")
    return tenant.to_utc(start, "start"), tenant.to_utc(end, "end")


def _moment(day: date, text: str | None, field: str) -> datetime:
    minute = read_time(text, field) if text else 0
    return datetime.combine(day, time()) + timedelta(minutes=minute)


def _interval(opens: str, closes: str, *at: str | int) -> tuple[int, int]:
    if not (opens and closes):
        raise page_problem(_INCOMPLETE, *at)
    return read_time(opens, *at) % DAY, read_time(closes, *at) % DAY


def week_rows(hours: WeeklyHours, values: Fields) -> list[list[tuple[str, str]]]:
    """The times of each day as the form shows them: what was submitted, else what is stored, and an empty row."""
    rows: list[list[tuple[str, str]]] = [[] for _ in range(7)]
    if values:
        for day, opens, closes in zip(values.get("day", []), *time_values(values), strict=False):
            if day in WEEKDAY_DIGITS and (opens or closes):
                rows[int(day)].append((opens, closes))
    else:
        for number, first, last in hours.intervals:
            rows[number].append((minute_text(first), minute_text(last)))
    return [[*row, ("", "")] for row in rows]


def exception_rows(minutes: Spans, values: Fields) -> list[tuple[str, str]]:
    if values:
        rows = [(opens, closes) for opens, closes in zip(*time_values(values), strict=False) if opens or closes]
    else:
        rows = [(minute_text(start), minute_text(end)) for start, end in minutes]
    return [*rows, ("", "")]


def wrong_times(rows: Sequence[tuple[str, str]]) -> set[int]:
    """Which rows of a day with an error to mark: those that cannot be read, else all, because two of them overlap."""
    filled = {index for index, row in enumerate(rows) if any(row)}
    unreadable = {index for index in filled if not _is_readable(*rows[index])}
    return unreadable or filled or {0}


def _is_readable(opens: str, closes: str) -> bool:
    try:
        _interval(opens, closes)
    except Problem:
        return False
    return True


def ends_next_day(opens: str, closes: str) -> bool:
    """Midnight still belongs to the day."""
    if not _is_readable(opens, closes):
        return False
    start, end = _interval(opens, closes, "")
    return 0 < end <= start


def time_values(values: Fields) -> tuple[Sequence[str], Sequence[str]]:
    return values.get("opens", []), values.get("closes", [])
