"""Weekly hours in a few words: days with the same times that follow each other, such as Saturday to Thursday."""

from typing import NamedTuple

from frontdesk.staff.hour_types import WeeklyHours
from frontdesk.ui.components.week_scale import span_text

_DAYS = range(7)
MAX_RUNS = 4  # a week with more of them is not summed up


class DayRun(NamedTuple):
    """Days from `first` to `last`, 0 is Sunday; a week ends where it began, so `last` can be the smaller one."""

    first: int
    last: int
    times: tuple[str, ...]  # none: closed


def day_runs(hours: WeeklyHours) -> list[DayRun]:
    """Begins with the first day that is open after a day with other times; open all week in the same way: one run."""
    times = [tuple(span_text(*span) for span in hours.minutes_of(day)) for day in _DAYS]
    starts = [day for day in _DAYS if times[day] != times[day - 1]]
    if not starts:
        return [DayRun(0, 6, times[0])]
    begin = next((at for at, day in enumerate(starts) if times[day]), 0)
    ordered = starts[begin:] + starts[:begin]
    return [
        DayRun(first, (following - 1) % 7, times[first])
        for first, following in zip(ordered, [*ordered[1:], ordered[0]], strict=True)
    ]
