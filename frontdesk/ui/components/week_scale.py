"""Hours drawn to scale. The places are CSS classes in steps of five minutes, because pages have no inline styles."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from frontdesk.staff.hour_types import WeeklyHours
from frontdesk.staff.weekly_hours import minute_text
from frontdesk.ui.shell.time_classes import MAX_HOUR, place_classes, scale_classes, start_class

_USUAL_FIRST, _USUAL_LAST = 8, 24  # hours that are always drawn
Spans = Sequence[tuple[int, int]]


class Scale(NamedTuple):
    """The hours that a track shows."""

    first: int
    last: int

    @property
    def classes(self) -> str:
        return scale_classes(self.first, self.last)

    @property
    def text(self) -> str:
        return f"{self.first:02}:00–{(self.last - 1) % 24 + 1:02}:00"

    @property
    def ticks(self) -> list[tuple[str, str]]:
        """Every third hour, as its class and its text."""
        hours = [hour for hour in range(self.first + 1, self.last) if hour % 3 == 0]
        return [(start_class(hour * 60), f"{hour % 24:02}:00") for hour in hours]

    def place(self, start: int, end: int) -> str | None:
        """The classes of a bar; None if it is outside."""
        return _place(self, start, end)


@lru_cache(maxsize=4096)
def _place(scale: Scale, start: int, end: int) -> str | None:
    start, end = max(start, scale.first * 60), min(end, scale.last * 60)
    return place_classes(start, end) if start < end else None


class Bar(NamedTuple):
    classes: str
    text: str


class DayRow(NamedTuple):
    day: int  # 0 is Sunday
    bars: list[Bar]
    closed: list[str]  # the classes of the branch's closed time
    minutes: int
    times: list[str]
    is_branch_closed: bool = False  # all day

    @property
    def total(self) -> str:
        hours, minutes = divmod(self.minutes, 60)
        return f"{hours}:{minutes:02}" if minutes else str(hours)


class WeekDrawing(NamedTuple):
    scale: Scale
    rows: list[DayRow]
    minutes: int

    @property
    def hours(self) -> str:
        return f"{self.minutes / 60:.1f}".removesuffix(".0")


def scale_of(spans: Spans, *, usual: bool = True) -> Scale:
    """Wide enough for all of them."""
    first = min([start // 60 for start, _ in spans] + ([_USUAL_FIRST] if usual else []), default=_USUAL_FIRST)
    last = max([-(-end // 60) for _, end in spans] + ([_USUAL_LAST] if usual else []), default=_USUAL_LAST)
    return Scale(first, min(max(last, first + 6), MAX_HOUR))


def draw_week(hours: WeeklyHours, branch: WeeklyHours | None = None) -> WeekDrawing:
    """`branch` is given for a staff member with hours of their own, to show when the branch is closed."""
    days = {day: hours.minutes_of(day) for day in range(7)}
    scale = scale_of([span for spans in days.values() for span in spans])
    rows = [
        draw_day(scale, day, spans, None if branch is None else branch.minutes_of(day)) for day, spans in days.items()
    ]
    return WeekDrawing(scale, rows, sum(row.minutes for row in rows))


def draw_day(scale: Scale, day: int, spans: Spans, branch: Spans | None = None) -> DayRow:
    placed = [(scale.place(*span), span_text(*span)) for span in spans]
    bars = [Bar(classes, text) for classes, text in placed if classes is not None]
    gaps = [] if branch is None else [scale.place(*gap) for gap in _gaps(branch, scale)]
    return DayRow(
        day,
        bars,
        [gap for gap in gaps if gap is not None],
        sum(end - start for start, end in spans),
        [text for _, text in placed],
        branch is not None and not branch,
    )


def _gaps(spans: Spans, scale: Scale) -> list[tuple[int, int]]:
    edges = [scale.first * 60, *(edge for span in spans for edge in span), scale.last * 60]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def span_text(start: int, end: int) -> str:
    return f"{minute_text(start)}–{minute_text(end)}"


def weekday(day: date) -> int:
    """0 is Sunday."""
    return day.isoweekday() % 7
