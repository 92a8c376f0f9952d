"""The sales of the last days as a small plot and as sums."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import NamedTuple

from frontdesk.values.money import exact_sum

_DAYS = 8
_TOP, _BASE = 10, 112


class Bar(NamedTuple):
    day: date
    total: Decimal
    x: str  # percent
    width: str
    middle: str
    y: str  # pixels
    height: str


class Sales(NamedTuple):
    bars: list[Bar]
    week: Decimal
    week_before: Decimal
    month: Decimal


def sales_of(totals: Mapping[date, Decimal], today: date, *, rtl: bool) -> Sales:
    days = [today - timedelta(days=n) for n in range(_DAYS - 1, -1, -1)]
    most = max((totals.get(day, Decimal(0)) for day in days), default=Decimal(0)) or Decimal(1)
    wide = 100 / _DAYS

    def bar(position: int, day: date) -> Bar:
        total = totals.get(day, Decimal(0))
        at = (_DAYS - 1 - position if rtl else position) * wide
        height = max(float(total / most), 0.0) * (_BASE - _TOP)
        return Bar(
            day,
            total,
            f"{at + wide * 0.18:.2f}%",
            f"{wide * 0.64:.2f}%",
            f"{at + wide / 2:.2f}%",
            f"{_BASE - height:.1f}",
            f"{height:.1f}",
        )

    def between(first: date, last: date) -> Decimal:
        return exact_sum(total for day, total in totals.items() if first <= day <= last)

    week = timedelta(days=6)
    return Sales(
        [bar(position, day) for position, day in enumerate(days)],
        between(today - week, today),
        between(today - 2 * week - timedelta(days=1), today - week - timedelta(days=1)),
        between(today.replace(day=1), today),
    )
