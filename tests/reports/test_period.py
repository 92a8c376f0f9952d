"""Ranges of days, the days before them, and what is drawn of them."""

from datetime import date
from decimal import Decimal

import pytest

from frontdesk.reports.period import Period
from frontdesk.ui.reports.plots import Draw

D = date.fromisoformat


@pytest.mark.parametrize(
    ("first", "last", "before_first", "before_last"),
    [
        ("2026-11-01", "2026-11-16", "2026-10-16", "2026-10-31"),
        ("2026-11-01", "2026-11-30", "2026-10-01", "2026-10-31"),  # a whole month with the one before
        ("2026-01-01", "2026-12-31", "2025-01-01", "2025-12-31"),
        ("2024-02-01", "2024-02-29", "2024-01-01", "2024-01-31"),
        ("2026-03-15", "2026-03-15", "2026-03-14", "2026-03-14"),
        ("2026-01-01", "2026-03-31", "2025-10-01", "2025-12-31"),
    ],
)
def test_a_report_period_is_compared_with_the_days_before(
    first: str, last: str, before_first: str, before_last: str
) -> None:
    assert Period(D(first), D(last)).before() == Period(D(before_first), D(before_last))


@pytest.mark.parametrize(
    ("last", "unit", "parts"),
    [("2026-01-31", "day", 31), ("2026-05-31", "week", 22), ("2026-12-31", "month", 12), ("2027-02-03", "month", 14)],
)
def test_long_periods_are_drawn_in_parts(last: str, unit: str, parts: int) -> None:
    found = Period(D("2026-01-01"), D(last)).parts()
    assert (found.unit, len(found.starts)) == (unit, parts)
    assert [found.index_of(day) for day in (D("2026-01-01"), D(last))] == [0, parts - 1]


def test_bars_reach_from_zero_also_below_it() -> None:
    values = [Decimal(150), Decimal(-40)]
    plot = Draw(rtl=False).columns(values, [], ["1", "2"], ["", ""], str)
    up, down = plot.bars
    assert float(up.y) + float(up.height) == pytest.approx(float(plot.base), abs=0.2)
    assert float(down.y) == pytest.approx(float(plot.base), abs=0.2)
    assert [tick.text for tick in plot.grid] == ["-100", "0", "100", "200"]
    mirrored = Draw(rtl=True).columns(values, [], ["1", "2"], ["", ""], str)
    assert mirrored.bars[0].x == down.x
