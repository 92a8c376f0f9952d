"""One block of the calendar: its place, its colors and what it says."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple
from zlib import crc32

from frontdesk.availability.calendar_queries import Colors
from frontdesk.availability.day import NIGHT, DayClock
from frontdesk.availability.window import DAY
from frontdesk.ui.components.calendar_queries import CalendarBooking
from frontdesk.ui.components.week_scale import Scale

_LINE_FROM, _SERVICE_FROM, _SPAN_FROM = 20, 45, 90  # minutes from which a block has room for them
_HUES = ("hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6", "hue-7", "hue-8")
Mark = Literal["", "double", "outside"]  # booked on purpose over another booking, or outside the hours


class Block(NamedTuple):
    order_id: str
    version: int
    status: str
    payment_status: str
    place: str
    classes: str  # the place and others
    start: str  # on the clock
    end: str | None  # for long ones
    starts_at: str  # UTC
    ends_at: str
    customer: str | None
    is_ascii: bool  # the name of the customer
    service: str | None
    arrived: bool
    no_show: bool
    every_weeks: int | None
    lines: str  # the ids of its services; empty if the order has no others
    mark: Mark


class WallScale(NamedTuple):
    """For several days side by side: a time of day has the same place on each, also when the clocks change."""

    scale: Scale
    clock: DayClock

    def place(self, start: int, end: int) -> str | None:
        return self.scale.place(self.clock.wall(start), self.clock.wall(end - 1) + 1) if start < end else None


class Span(NamedTuple):
    """Bookings of one order with one provider that follow one another."""

    first: CalendarBooking
    start: int
    end: int
    services: list[str]
    lines: str

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


def visible(spans: list[Span]) -> list[tuple[Span, str]]:
    """With their class. Bookings at the same time, made on purpose, are side by side. What holds no time is half
    beneath what holds it; of several of these, only the newest.
    """
    busy = [span for span in spans if span.first.takes_time]
    kinds = _side_by_side(busy) if any(span.first.is_extra for span in busy) else {}
    if len(busy) == len(spans):
        return [(span, kinds.get(id(span), "")) for span in spans]
    kept = busy[:]
    for span in sorted((s for s in spans if not s.first.takes_time), key=lambda s: -s.first.order_number):
        over = [other for other in kept if other.overlaps(span)]
        if any(not other.first.takes_time for other in over):
            continue
        kept.append(span)
        if over:
            kinds = dict.fromkeys(map(id, over), " above") | kinds | {id(span): " half"}
    kept.sort(key=lambda span: span.start)
    return [(span, kinds.get(id(span), "")) for span in kept]


def _side_by_side(busy: list[Span]) -> dict[int, str]:
    kinds: dict[int, str] = {}
    for span in busy:
        beside = [other for other in busy if other is not span and other.overlaps(span)]
        if beside:
            is_first = all(kinds.get(id(other)) != " double-1" for other in beside)
            kinds[id(span)] = " double-1" if is_first else " double-2"
    return kinds


def hue_of(span: Span, colors: Colors, provider_place: int) -> str:
    if colors == "status":
        return ""
    number = crc32(span.services[0].encode()) if colors == "service" else provider_place
    return f" {_HUES[number % len(_HUES)]}"


def draw_block(span: Span, clock: DayClock, scale: Scale | WallScale, kind: str) -> Block | None:
    first, minutes = span.first, span.end - span.start
    place = scale.place(span.start, span.end)
    if place is None:
        return None
    return Block(
        first.order_id,
        first.version,
        first.status,
        first.payment_status,
        place,
        f"{place}{kind} short" if minutes < _LINE_FROM else f"{place}{kind}",
        clock.text(span.start),
        clock.text(span.end) if minutes >= _SPAN_FROM else None,
        _utc(clock, span.start),
        _utc(clock, span.end),
        first.customer,
        first.customer is not None and first.customer.isascii(),
        (span.services[0] if len(span.services) == 1 else " + ".join(span.services))
        if minutes >= _SERVICE_FROM
        else None,
        first.arrived,
        first.no_show,
        first.every_weeks,
        span.lines,
        ("double" if "double-" in kind else "outside") if first.is_extra else "",
    )


def _utc(clock: DayClock, minute: int) -> str:
    texts = _instants(clock.midnight)
    return texts[minute] if 0 <= minute < len(texts) else _instant(clock.midnight, minute)


@lru_cache(maxsize=8)  # of a busy day all blocks are within one entry
def _instants(midnight: datetime) -> list[str]:
    """The text of every minute of a day and of the night after it."""
    return [_instant(midnight, minute) for minute in range(DAY + NIGHT)]


def _instant(midnight: datetime, minute: int) -> str:
    return f"{midnight + timedelta(minutes=minute):%Y-%m-%dT%H:%MZ}"
