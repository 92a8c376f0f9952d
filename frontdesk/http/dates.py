"""Dates and times of requests, interpreted in the tenant's time zone."""

import datetime as dt

from frontdesk.http.field_types import CalendarDate, DateTimeInput
from frontdesk.http.problems import ValueProblem
from frontdesk.problems import Problem, SharedProblem
from frontdesk.values.time import SkippedLocalTimeError, get_zone, to_instant


def to_utc(moment: DateTimeInput | None, zone: str, field: str) -> dt.datetime | None:
    """Without an offset the value is a local time; the first instant if the local time occurs twice."""
    return None if moment is None else required_instant(moment, zone, field)


def required_instant(moment: DateTimeInput, zone: str, field: str) -> dt.datetime:
    written = moment.written
    if written.tzinfo is not None:
        return written.astimezone(dt.UTC)
    try:
        return to_instant(written, get_zone(zone))
    except SkippedLocalTimeError:
        raise Problem(SharedProblem.SKIPPED_TIME, field) from None


def check_period(
    first: CalendarDate | None, last: CalendarDate | None, names: tuple[str, str] = ("from", "to")
) -> tuple[dt.date | None, dt.date | None]:
    if first is not None and last is not None and first.day > last.day:
        raise Problem(ValueProblem.AFTER, names[0], other=names[1])
    return first.day if first else None, last.day if last else None
