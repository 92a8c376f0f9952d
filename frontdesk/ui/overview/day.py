"""The providers of a branch today and tomorrow, from the days that the calendar draws."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.day import DayPlan, runs_of
from frontdesk.ui.calendar.blocks import Span
from frontdesk.ui.calendar.drawing import ProviderDay
from frontdesk.ui.components.week_scale import Scale, scale_of

_LONG_GAP = 120  # minutes
_GAPS = 3


class ProviderRow(NamedTuple):
    id: UUID
    name: str
    working: list[str]  # classes of the bars
    busy: list[str]
    percent: int | None
    off: str
    next: tuple[str, str | None] | None  # the time and the customer


class Today(NamedTuple):
    rows: list[ProviderRow]
    scale: Scale
    now: str | None  # the class of the line
    bookings: int
    done: int
    running: int
    canceled: int
    missed: int
    percent: int | None
    opens: str | None  # the first opening and the last closing
    closes: str | None


class Gap(NamedTuple):
    staff_id: UUID
    staff: str
    start: str
    minutes: int


class Tomorrow(NamedTuple):
    bookings: int
    percent: int | None
    first: tuple[str, str] | None  # the time and the provider
    last: str | None
    idle: list[str]  # who work and have no booking
    gaps: list[Gap]


def today_of(days: Sequence[ProviderDay], now: datetime) -> Today:
    shown = [run for day in days for run in (*(day.plan.opened if day.plan else ()), *_times(day))]
    scale = scale_of(shown, usual=False)
    minute = days[0].clock.minute(now) if days else 0
    line = scale.place(minute, minute + 5)
    spans = [span for day in days for span in day.spans]
    busy = [span for span in spans if span.first.takes_time]
    opened = [run for day in days if day.plan for run in day.plan.opened]
    clock = days[0].clock if days else None
    return Today(
        [_row(day, scale, minute) for day in days],
        scale,
        " ".join(part for part in line.split() if part[0] in "hm") if line else None,
        len(busy),
        sum(span.first.status == "completed" for span in busy),
        sum(span.first.status == "in-progress" for span in busy),
        sum(span.first.status == "canceled" and not span.first.no_show for span in spans),
        sum(span.first.no_show for span in spans),
        percent_of([day.plan for day in days if day.plan]),
        clock.text(min(start for start, _ in opened)) if clock and opened else None,
        clock.text(max(end for _, end in opened)) if clock and opened else None,
    )


def tomorrow_of(days: Sequence[ProviderDay]) -> Tomorrow:
    busy = sorted(((span, day) for day in days for span in _busy(day)), key=lambda pair: pair[0].start)
    first = (busy[0][1].clock.text(busy[0][0].start), busy[0][1].name) if busy else None
    last = max(busy, key=lambda pair: pair[0].end) if busy else None
    return Tomorrow(
        len(busy),
        percent_of([day.plan for day in days if day.plan]),
        first,
        last[1].clock.text(last[0].end) if last else None,
        [day.name for day in days if day.plan and day.plan.working and not _busy(day)],
        _gaps(days),
    )


def percent_of(plans: Sequence[DayPlan]) -> int | None:
    minutes = sum(plan.minutes for plan in plans)
    return round(100 * sum(plan.booked_minutes for plan in plans) / minutes) if minutes else None


def _row(day: ProviderDay, scale: Scale, minute: int) -> ProviderRow:
    plan = day.plan
    coming = min((span for span in _busy(day) if span.start > minute), key=lambda span: span.start, default=None)
    return ProviderRow(
        day.id,
        day.name,
        _places(plan.working if plan else (), scale),
        _places(_times(day), scale),
        plan.percent if plan else None,
        day.off,
        (day.clock.text(coming.start), coming.first.customer) if coming else None,
    )


def _busy(day: ProviderDay) -> list[Span]:
    return [span for span in day.spans if span.first.takes_time]


def _times(day: ProviderDay) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in _busy(day)]


def _places(runs: Sequence[tuple[int, int]], scale: Scale) -> list[str]:
    return [place for start, end in runs if (place := scale.place(start, end)) is not None]


def _gaps(days: Sequence[ProviderDay]) -> list[Gap]:
    """The longest times between bookings. Who has no booking at all is named elsewhere."""
    found = [
        Gap(day.id, day.name, day.clock.text(start), end - start)
        for day in days
        if day.plan and _busy(day)
        for start, end in runs_of(day.plan.free)
        if end - start >= _LONG_GAP
    ]
    return sorted(found, key=lambda gap: -gap.minutes)[:_GAPS]
