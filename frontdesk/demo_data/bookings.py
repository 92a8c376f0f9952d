"""Tracks busy times, so that appointments of the sandbox do not overlap."""

from collections import defaultdict
from datetime import date
from itertools import chain
from uuid import UUID

from frontdesk.demo_data.people import Week
from frontdesk.demo_data.store import Performer

GRID = 15


def opening_hours(week: Week, day: date) -> tuple[tuple[int, int], ...]:
    return week.get(day.isoweekday() % 7, ())


class BookingCalendar:
    """Minutes of local days. Nothing crosses midnight, and days with a clock change are not used."""

    def __init__(self) -> None:
        self._taken: defaultdict[tuple[UUID, date], list[tuple[int, int]]] = defaultdict(list)

    def starts(self, performer: Performer, day: date, length: int) -> list[int]:
        hours, taken = opening_hours(performer.week, day), self._taken[performer.id, day]
        grid = chain.from_iterable(range(opens, closes - length + 1, GRID) for opens, closes in hours)
        return [start for start in grid if all(start + length <= s or e <= start for s, e in taken)]

    def fits(self, performer: Performer, day: date, start: int, length: int) -> bool:
        end = start + length
        is_open = any(o <= start and end <= c for o, c in opening_hours(performer.week, day))
        return is_open and all(end <= s or e <= start for s, e in self._taken[performer.id, day])

    def take(self, performer: Performer, day: date, start: int, length: int) -> None:
        self._taken[performer.id, day].append((start, start + length))
