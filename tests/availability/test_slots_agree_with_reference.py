"""Random calendars, put to the kernel and to the reference."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from frontdesk.availability import hours as weekly, slots, window as real_time
from frontdesk.values import time as clock
from tests.availability.reference import WEEKDAYS, Answers, Case, dates, instant
from tests.support.repetitions import repetitions

CLOCK_CHANGES: dict[str, list[date]] = {
    "Africa/Cairo": [date(2026, 4, 24), date(2026, 10, 29)],  # from 00:00 on, and back at 24:00
    "Europe/Berlin": [date(2026, 3, 29), date(2026, 10, 25)],
    "America/New_York": [date(2026, 3, 8), date(2026, 11, 1)],
    "Pacific/Auckland": [date(2026, 4, 5), date(2026, 9, 27)],
    "Asia/Riyadh": [],
}
thorough = settings(
    max_examples=repetitions(15, long=1000),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.torture

readings = st.one_of(
    st.sampled_from([0, 15, 30, 60, 90, 120, 150, 180, 1320, 1380, 1410, 1439]),
    st.integers(0, 1439),
)


@st.composite
def first_dates(draw: st.DrawFn, zone: str) -> date:
    anchors = CLOCK_CHANGES[zone]
    if anchors and draw(st.integers(0, 3)) > 0:
        change: date = draw(st.sampled_from(anchors))
        return change - timedelta(days=draw(st.integers(0, 2)))
    return date(2026, 2, 1) + timedelta(days=draw(st.integers(0, 6)))


@st.composite
def week(draw: st.DrawFn) -> list[tuple[str, int, int, bool]]:
    """Days cut at some readings into pieces that touch; one inactive piece may leave a gap."""
    pieces = []
    for day in draw(st.lists(st.sampled_from(WEEKDAYS), min_size=2, max_size=7, unique=True)):
        cuts = sorted(draw(st.lists(readings, min_size=1, max_size=3, unique=True)))
        closing = draw(st.one_of(st.just(cuts[0]), st.integers(0, cuts[0]), st.just(0)))
        pieces += [(day, *bounds) for bounds in zip(cuts, [*cuts[1:], closing], strict=True)]
    inactive = draw(st.integers(0, 20))
    return [(*piece, number != inactive) for number, piece in enumerate(pieces)]


@st.composite
def ranges(draw: st.DrawFn, first: date) -> tuple[datetime, datetime]:
    start = datetime(first.year, first.month, first.day, tzinfo=UTC) - timedelta(days=1)
    start += timedelta(minutes=draw(st.integers(0, 5 * 1440)), seconds=draw(st.sampled_from([0, 0, 1, 59])))
    return start, start + timedelta(minutes=draw(st.integers(1, 300)), seconds=draw(st.sampled_from([0, 0, 1])))


@st.composite
def exceptional_days(draw: st.DrawFn, first: date) -> dict[date, list[tuple[int, int]]]:
    """Some days with other hours, as the database stores them: apart, and in order. None means closed."""
    days = {}
    for number in draw(st.lists(st.integers(-1, 3), max_size=2, unique=True)):
        edges = sorted(draw(st.lists(st.integers(0, 2000), max_size=4, unique=True)))
        openings = list(zip(edges[::2], edges[1::2], strict=False))
        days[first + timedelta(days=number)] = [(opens, closes) for opens, closes in openings if opens < 1440]
    return days


buffers = st.sampled_from([0, 0, 0, 5, 10, 17, 90])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    zone = draw(st.sampled_from(sorted(CLOCK_CHANGES)))
    first = draw(first_dates(zone))
    days = draw(st.sampled_from([1, 1, 2, 2, 3, 3, 12]))
    lengths = st.one_of(st.sampled_from([1, 15, 30, 45, 60, 90]), st.integers(1, 300), st.integers(1380, 1600))
    midnight = datetime(first.year, first.month, first.day, tzinfo=UTC)
    return Case(
        zone=zone,
        first=first,
        days=days,
        intervals=draw(week()),
        now=midnight + timedelta(seconds=draw(st.one_of(st.just(-(10**6)), st.integers(-50_000, 100_000)))),
        length=draw(lengths),
        grid=draw(st.sampled_from([15, 15, 5, 7, 20, 30, 45, 60, 90])),
        all_time=draw(st.integers(0, 5)) == 0,
        active=draw(st.integers(0, 19)) > 0,
        closed={first + timedelta(days=draw(st.integers(-1, 3)))} if draw(st.booleans()) else set(),
        exceptions=draw(exceptional_days(first)),
        exceptions_limit=draw(st.booleans()),
        before=draw(buffers),
        after=draw(buffers),
        time_off=draw(st.lists(ranges(first), max_size=1)),
        bookings=draw(st.lists(ranges(first), max_size=3)),
    )


class Kernel:
    def __init__(self, case: Case) -> None:
        self.length = case.length
        self.closed = frozenset(case.closed)
        zone = clock.get_zone(case.zone)
        self.window = real_time.window_of(zone, case.first, case.days, case.length)
        intervals = tuple(weekly.Interval(*interval) for interval in case.intervals)  # type: ignore[arg-type]
        hours = weekly.Hours(intervals, all_time=case.all_time, active=case.active)
        exceptions = tuple(
            weekly.DayHours(day, tuple(openings), case.exceptions_limit)
            for day, openings in sorted(case.exceptions.items())
        )
        opened, grid = weekly.open_and_start_masks(hours, self.window, self.closed, case.grid, exceptions)
        calendar = slots.Calendar(opened, grid, self.mask(case.time_off), self.mask(case.bookings))
        self.calendar = slots.widened(calendar, case.before, case.after)
        self.earliest = real_time.first_bit_after(self.window, case.now)

    def mask(self, moments: list[tuple[datetime, datetime]]) -> int:
        mask = 0
        for start, end in moments:
            mask |= real_time.mask_of_range(self.window, start, end)
        return mask

    def offered(self) -> dict[str, list[str]]:
        mask = slots.starts(self.calendar, self.length, self.earliest)
        return real_time.by_day(self.window, mask & self.window.named)

    def reason(self, moment: datetime) -> str | None:
        return slots.reason(self.calendar, real_time.minute_index(self.window, moment), self.length, self.earliest)

    def fits(self, moment: datetime) -> bool:
        return slots.fits(self.calendar, real_time.minute_index(self.window, moment), self.length)

    def explain(self) -> dict[str, slots.DayExplanation]:
        named = self.calendar._replace(grid=self.calendar.grid & self.window.named)
        return slots.explain_by_day(self.window, named, self.closed, self.length, self.earliest)


@thorough
@given(cases())
def test_the_kernel_offers_exactly_the_starts_of_the_reference(case: Case) -> None:
    assert Kernel(case).offered() == Answers(case).slots()


@settings(parent=thorough, max_examples=repetitions(12, long=600))
@given(cases(), st.lists(st.floats(0, 1, exclude_max=True), min_size=5, max_size=5))
def test_the_kernel_gives_the_reason_of_the_reference_for_any_minute(case: Case, at: list[float]) -> None:
    kernel, answers = Kernel(case), Answers(case)
    minutes = [minute for day in dates(case) for minute in answers.walk.of_date[day]]
    for start in sorted(minutes[int(share * len(minutes))] for share in at):
        why = answers.refusal(start)
        assert kernel.reason(instant(start)) == why
        if why != "past":
            assert kernel.fits(instant(start)) == (why in (None, "off_grid"))


@settings(parent=thorough, max_examples=repetitions(8, long=200))
@given(cases())
def test_the_explanation_covers_exactly_the_grid_starts_that_are_not_offered(case: Case) -> None:
    kernel, answers = Kernel(case), Answers(case)
    explained = kernel.explain()
    for day in dates(case):
        assert explained[day.isoformat()] == expected_explanation(answers, day)


def expected_explanation(answers: Answers, day: date) -> tuple[str | None, list[Any]]:
    runs: list[list[Any]] = []
    grid = [
        minute
        for minute in answers.walk.of_date[day]
        if minute in answers.ticks
        and minute in answers.opened
        and answers.walk.minute_showing[answers.walk.shows[minute]] == minute
    ]
    previous: str | None = None
    for minute in grid:
        why, shown = answers.refusal(minute), answers.walk.shows[minute].strftime("%H:%M")
        if why is not None and why == previous:
            runs[-1][2] = shown
        elif why is not None:
            runs.append([why, shown, shown])
        previous = why
    if day in answers.case.closed:
        return "closed_day", []
    return (None if grid else "no_working_hours"), [tuple(run) for run in runs]
