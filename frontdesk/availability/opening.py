"""Until when a branch is open, and when it opens next."""

from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from frontdesk.availability.day import runs_of
from frontdesk.availability.hours import DayHours, Hours, Interval, Weekday, open_and_start_masks
from frontdesk.availability.window import DAY, instant_of, minute_index, window_of
from frontdesk.values.time import to_local

_SEARCHED_DAYS = 8
_WEEK: tuple[Weekday, ...] = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

# The hours of all branches of the tenant `n`, by branch.
HOURS_OF_BRANCHES = """(
    SELECT json_object_agg(w.branch_id, json_build_object('all_time', w.all_time, 'active', w.active,
        'intervals', (SELECT coalesce(json_agg(json_build_array(i.day, i.opens, i.closes)), '[]')
            FROM working_intervals i WHERE i.tenant_id = n.id AND i.working_hour_id = w.id AND i.active),
        'closed', ARRAY(SELECT d.day FROM closed_days d WHERE d.tenant_id = n.id AND d.branch_id = w.branch_id
            AND d.day BETWEEN now()::date - 2 AND now()::date + 14),
        'exceptions', (SELECT coalesce(json_agg(json_build_array(e.day, (
                SELECT coalesce(json_agg(json_build_array(lower(r), upper(r)) ORDER BY r), '[]')
                FROM unnest(e.minutes) r))), '[]')
            FROM hour_exceptions e WHERE e.tenant_id = n.id AND e.branch_id = w.branch_id
            AND e.day BETWEEN now()::date - 2 AND now()::date + 14)))::text
    FROM working_hours w WHERE w.tenant_id = n.id AND w.branch_id IS NOT NULL AND w.is_default)"""


class OpeningHours(msgspec.Struct, frozen=True):
    all_time: bool
    active: bool
    intervals: list[tuple[int, int, int]]  # the day of the week, from Sunday on, and two minutes of it
    closed: list[date]
    exceptions: list[tuple[date, tuple[tuple[int, int], ...]]]


class Opening(NamedTuple):
    is_open: bool
    moment: datetime | None  # until when, or from when on; None: not within a week


def opening_of(hours: OpeningHours, zone: ZoneInfo, now: datetime) -> Opening:
    window = window_of(zone, to_local(now, zone).date(), _SEARCHED_DAYS, DAY)
    weekly = Hours(
        tuple(sorted(Interval(_WEEK[day], opens, closes) for day, opens, closes in hours.intervals)),
        all_time=hours.all_time,
        active=hours.active,
    )
    exceptions = tuple(sorted(DayHours(day, openings) for day, openings in hours.exceptions))
    opened, _ = open_and_start_masks(weekly, window, frozenset(hours.closed), 1, exceptions)
    bit = minute_index(window, now)
    first, end = next(iter(runs_of(opened >> bit)), (None, None))
    if first is None or end is None:
        return Opening(is_open=False, moment=None)
    if first > 0:
        return Opening(is_open=False, moment=instant_of(window, bit + first))
    is_soon = end < _SEARCHED_DAYS * DAY - DAY
    return Opening(is_open=True, moment=instant_of(window, bit + end) if is_soon else None)
