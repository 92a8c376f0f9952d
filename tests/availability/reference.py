"""The same answers as the kernel, minute by minute and as plainly as possible.

Real minutes are counted from 1970 in UTC, and only the step from an instant to its local reading is asked
of the zone, because that step is never in doubt. Everything else is read off that walk:

- the opening at a reading is the first minute that shows it, and so is the closing;
- a reading that no minute shows lies as many minutes after the last one before the jump as it would on a
  clock that had not been changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Range = tuple[datetime, datetime]


@dataclass
class Case:
    zone: str
    first: date
    days: int
    intervals: list[tuple[str, int, int, bool]]
    now: datetime
    length: int
    grid: int = 15
    all_time: bool = False
    active: bool = True
    closed: set[date] = field(default_factory=set)
    exceptions: dict[date, list[tuple[int, int]]] = field(default_factory=dict)  # minutes from midnight
    exceptions_limit: bool = False  # they only cut the usual hours
    before: int = 0  # buffers of the service
    after: int = 0
    time_off: list[Range] = field(default_factory=list)
    bookings: list[Range] = field(default_factory=list)


class Walk:
    """Every real minute around some local dates, with what the wall clock shows at it."""

    def __init__(self, zone: str, first: date, last: date) -> None:
        begin = minute_of(datetime(first.year, first.month, first.day, tzinfo=UTC)) - 1440
        end = minute_of(datetime(last.year, last.month, last.day, tzinfo=UTC)) + 2 * 1440
        self.shows: dict[int, datetime] = {}
        self.minute_showing: dict[datetime, int] = {}
        self.of_date: dict[date, list[int]] = {}
        for minute in range(begin, end):
            shown = instant(minute).astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0)
            self.shows[minute] = shown
            self.minute_showing.setdefault(shown, minute)
            self.of_date.setdefault(shown.date(), []).append(minute)

    def minute_at(self, reading: datetime) -> int:
        if reading in self.minute_showing:
            return self.minute_showing[reading]
        before_the_jump = max(minute for minute, shown in self.shows.items() if shown < reading)
        missing = reading - self.shows[before_the_jump]
        return before_the_jump + int(missing.total_seconds()) // 60


def walk_around(zone: str, day: date) -> Walk:
    """Days of the same fortnight share a walk, because walking is the slow part."""
    return _walk(zone, day.toordinal() // 14 * 14)


@lru_cache
def _walk(zone: str, ordinal: int) -> Walk:
    return Walk(zone, date.fromordinal(ordinal - 3), date.fromordinal(ordinal + 14 + 16))


def minute_of(moment: datetime) -> int:
    return int(moment.timestamp()) // 60


def instant(minute: int) -> datetime:
    return datetime.fromtimestamp(minute * 60, UTC)


def dates(case: Case) -> list[date]:
    return [case.first + timedelta(days=n) for n in range(case.days)]


def minutes_touched(ranges: Iterable[Range]) -> set[int]:
    touched: set[int] = set()
    for start, end in ranges:
        minute = minute_of(start)
        while instant(minute) < end:
            touched.add(minute)
            minute += 1
    return touched


class Answers:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.margin = case.length // 1440 + 3
        self.walk = walk_around(case.zone, case.first)
        self.opened: set[int] = set()
        self.ticks: set[int] = set()
        self._open()
        for day in {*case.closed, *(day for day, openings in case.exceptions.items() if not openings)}:
            self.opened.difference_update(self.walk.of_date.get(day, []))
        self.time_off = minutes_touched(case.time_off)
        self.booked = minutes_touched(case.bookings)

    def _open(self) -> None:
        for n in range(-2, self.case.days + self.margin):
            day = self.case.first + timedelta(days=n)
            if day in self.case.closed:
                continue
            midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001
            for opens, closes in self._minutes_of(day):
                self._open_between(
                    self.walk.minute_at(midnight + timedelta(minutes=opens)),
                    self.walk.minute_at(midnight + timedelta(minutes=closes)),
                )

    def _minutes_of(self, day: date) -> list[tuple[int, int]]:
        usual = [
            (opens, closes if closes > opens else closes + 1440)
            for name, opens, closes, active in self.case.intervals
            if active and name == WEEKDAYS[day.weekday()]
        ]
        if self.case.all_time:
            usual = [(0, 1440)]
        if not self.case.active:
            usual = []
        exception = self.case.exceptions.get(day)
        if exception is None:
            return usual
        if not self.case.exceptions_limit:
            return exception
        return [(max(a, c), min(b, d)) for a, b in usual for c, d in exception]

    def _open_between(self, opening: int, closing: int) -> None:
        for minute in range(opening, closing):
            self.opened.add(minute)
            if (minute - opening) % self.case.grid == 0:
                self.ticks.add(minute)

    def refusal(self, start: int) -> str | None:
        needed = range(start, start + self.case.length)
        if instant(start) <= self.case.now:
            return "past"
        if not self.opened.issuperset(needed):
            return "outside_working_hours"
        if not self.time_off.isdisjoint(needed):
            return "time_off"
        if not self.booked.isdisjoint(range(start - self.case.before, start + self.case.length + self.case.after)):
            return "booked"
        return None if start in self.ticks else "off_grid"

    def is_named(self, minute: int) -> bool:
        """By its local time alone: of a reading that is shown twice only the first."""
        return self.walk.minute_showing[self.walk.shows[minute]] == minute

    def slots(self) -> dict[str, list[str]]:
        return {
            day.isoformat(): [
                self.walk.shows[minute].strftime("%H:%M")
                for minute in self.walk.of_date[day]
                if minute in self.ticks and self.is_named(minute) and self.refusal(minute) is None
            ]
            for day in dates(self.case)
        }
