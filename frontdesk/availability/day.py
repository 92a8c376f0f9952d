"""What one day of a staff member looks like: working time and booked time, as minutes from midnight."""

from datetime import date
from typing import NamedTuple
from zoneinfo import ZoneInfo

from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.types import StaffSchedule
from frontdesk.availability.window import DAY, span, window_of

_NIGHT = 6 * 60  # hours of the day before that end by then are left out, and those of this day are shown until then


class DayPlan(NamedTuple):
    working: list[tuple[int, int]]  # beyond 1440 on the next day
    booked: list[tuple[int, int]]
    percent: int | None  # of the working time that is booked; None without working time


def plan_of(schedule: StaffSchedule, zone: ZoneInfo, day: date) -> DayPlan:
    window = window_of(zone, day, 1, DAY)
    calendar = calendar_of(schedule, window, 1)
    midnight = window.days[0].start
    whole = span(midnight, midnight + DAY + _NIGHT)
    working = calendar.opened & ~calendar.time_off & whole
    if calendar.opened >> (midnight - 1) & 1 and not calendar.opened >> (midnight + _NIGHT) & 1:
        working &= ~span(midnight, midnight + _NIGHT)
    if not calendar.opened >> (midnight + DAY - 1) & 1:
        working &= ~span(midnight + DAY, midnight + DAY + _NIGHT)
    booked = calendar.booked & whole & working
    minutes = working.bit_count()
    percent = round(100 * booked.bit_count() / minutes) if minutes else None
    return DayPlan(_runs(working >> midnight), _runs(booked >> midnight), percent)


def _runs(mask: int) -> list[tuple[int, int]]:
    found, at = [], 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        length = (~mask & (mask + 1)).bit_length() - 1
        found.append((at + skipped, at + skipped + length))
        mask >>= length
        at += skipped + length
    return found
