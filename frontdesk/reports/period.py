"""The days of a report, and those it is compared with."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from frontdesk.values.time import last_of_month

MAX_DAYS = 3660
_DAILY_UP_TO = 62  # days that are drawn one by one; more are drawn by week, then by month
_WEEKLY_UP_TO = 190
_DAY = timedelta(days=1)


class Period(NamedTuple):
    """The first and the last day, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    def before(self) -> "Period":
        """The days before: as many, or the same number of months where whole months are chosen."""
        months = self._whole_months()
        if months:
            return Period(_add_months(self.first, -months), self.first - _DAY)
        return Period(self.first - timedelta(days=self.days), self.first - _DAY)

    def _whole_months(self) -> int:
        if self.first.day != 1 or self.last != last_of_month(self.last):
            return 0
        return (self.last.year - self.first.year) * 12 + self.last.month - self.first.month + 1

    def parts(self) -> "Parts":
        """Days, weeks or months, few enough to be drawn."""
        if self.days <= _DAILY_UP_TO:
            return Parts("day", [self.first + timedelta(days=n) for n in range(self.days)])
        if self.days <= _WEEKLY_UP_TO:
            return Parts("week", [self.first + timedelta(days=n) for n in range(0, self.days, 7)])
        starts, month = [self.first], _add_months(self.first.replace(day=1), 1)
        while month <= self.last:
            starts.append(month)
            month = _add_months(month, 1)
        return Parts("month", starts)


class Parts(NamedTuple):
    unit: str  # day, week or month
    starts: Sequence[date]

    def index_of(self, day: date) -> int:
        return bisect_right(self.starts, day) - 1


def _add_months(first_of_month: date, months: int) -> date:
    number = first_of_month.year * 12 + first_of_month.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)
