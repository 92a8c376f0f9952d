"""A week of days, and the times of one of them: for booking, and for moving a booking."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from typing import NamedTuple, TypeVar

from frontdesk.scheduling.online import OpenDay
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.components.part_of_day import part_of_day

T = TypeVar("T")
_FEW = 3  # a day with at most so many times is nearly full


class StripDay(NamedTuple):
    day: date
    state: str  # "many", "few", "full", "away" or "closed"
    link: str
    is_current: bool


class WeekStrip(NamedTuple):
    """A week of days, or a month of them."""

    day: date  # that is shown
    days: list[StripDay]
    earlier: str | None  # links to the weeks or months before and after
    later: str | None
    columns: Sequence[date] = ()  # of a month: the week in which it begins; what has passed of it is left empty

    @property
    def state(self) -> str:
        return next(day.state for day in self.days if day.is_current)

    @property
    def weeks(self) -> list[list[StripDay | None]]:
        """The rows of a month."""
        wide, passed = len(self.columns), (self.days[0].day - self.columns[0]).days
        days = [*[None] * passed, *self.days, *[None] * (-(passed + len(self.days)) % wide)]
        return [days[first : first + wide] for first in range(0, len(days), wide)]


def strip_of(week: Sequence[OpenDay], shown: date, link: Callable[[date], str]) -> list[StripDay]:
    most = max(day.start_count for day in week)
    return [StripDay(day.day, _state(day, most), link(day.day), day.day == shown) for day in week]


def _state(day: OpenDay, most: int) -> str:
    """`most` is the number of times of the day of the week that has the most."""
    if day.start_count:
        return "few" if day.start_count <= max(_FEW, most // 3) else "many"
    return {"booked": "full", "time_off": "away"}.get(day.why or "", "closed")


def by_part_of_day(
    context: PublicContext, starts: Iterable[T], local: Callable[[T], datetime]
) -> list[tuple[str, list[T]]]:
    parts: dict[str, list[T]] = {}
    for start in starts:
        parts.setdefault(context.translate(part_of_day(local(start).hour)), []).append(start)
    return list(parts.items())
