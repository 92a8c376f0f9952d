"""One column of the calendar, drawn to scale: hours, breaks, time off and bookings of a provider on one day.

Places are CSS classes in steps of five minutes, counted in elapsed hours from midnight (`Scale` of the staff pages).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID
from zlib import crc32
from zoneinfo import ZoneInfo

from frontdesk.availability.calendar_queries import Colors, Roster
from frontdesk.availability.day import NIGHT, DayClock, DayPlan, clock_of, plan_of
from frontdesk.availability.window import DAY
from frontdesk.ui.components.calendar_queries import CalendarBooking
from frontdesk.ui.components.week_scale import Scale

_LINE_FROM, _SERVICE_FROM, _SPAN_FROM = 20, 45, 90  # minutes from which a block has room for them
_REASON_FROM = 30
_HUES = ("hue-1", "hue-2", "hue-3", "hue-4", "hue-5", "hue-6", "hue-7", "hue-8")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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


class Shut(NamedTuple):
    classes: str
    reason: str  # a key of labels.REASONS, or a text of the business, or empty
    time: str = ""


class Column(NamedTuple):
    id: UUID
    name: str
    day: date
    midnight: str  # UTC
    plan: DayPlan | None  # None: does not work here any more
    hours: str
    off: str  # the reason why the whole day is off
    shut: list[Shut]
    buffers: list[str]
    blocks: list[Block]
    bookings: int  # that were not canceled


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


class ProviderDay(NamedTuple):
    """What a column is drawn from, before the hours to show are known."""

    id: UUID
    name: str
    day: date
    clock: DayClock
    plan: DayPlan | None
    off: str
    reasons: list[tuple[int, int, str]]  # of the time off
    spans: list[Span]

    @property
    def bounds(self) -> list[tuple[int, int]]:
        return [*(self.plan.opened if self.plan else ()), *((span.start, span.end) for span in self.spans)]


def provider_days(
    roster: Roster,
    staff: Sequence[tuple[UUID, str]],
    days: Sequence[date],
    bookings: Sequence[CalendarBooking],
    zone: ZoneInfo,
    grid: int,
) -> list[ProviderDay]:
    by_staff: dict[str, list[CalendarBooking]] = {}
    for booking in bookings:
        by_staff.setdefault(booking.staff_id, []).append(booking)
    return [
        _provider_day(roster, id_, name, day, by_staff.get(str(id_), []), zone, grid)
        for id_, name in staff
        for day in days
    ]


def _provider_day(
    roster: Roster, id_: UUID, name: str, day: date, bookings: list[CalendarBooking], zone: ZoneInfo, grid: int
) -> ProviderDay:
    clock, schedule = clock_of(zone, day), roster.schedules.get(id_)
    plan = None if schedule is None else plan_of(schedule, zone, day, grid)
    starts, ends = (plan.starts, plan.ends) if plan else (0, clock.length)
    midnight = int((clock.midnight - _EPOCH).total_seconds()) // 60
    until = midnight + clock.length + NIGHT
    spans = _joined([booking for booking in bookings if booking.end > midnight and booking.start < until], midnight)
    return ProviderDay(
        id_,
        name,
        day,
        clock,
        plan,
        _off(roster, id_, day, plan, has_own_hours=schedule is not None and schedule.has_own_hours),
        [
            (clock.minute(absence.start), clock.minute(absence.end), absence.note or "time_off")
            for absence in roster.absences
            if absence.staff_id == id_
        ]
        + [
            (clock.minute(start), clock.minute(end), "outside")
            for start, end in (schedule.external_busy if schedule else ())
        ],
        [span for span in spans if starts <= span.start < ends or (span.start < starts and span.end > NIGHT)],
    )


def _off(roster: Roster, id_: UUID, day: date, plan: DayPlan | None, *, has_own_hours: bool) -> str:
    if plan is None:
        return "left"
    if day in roster.closed:
        return roster.closed[day] or "closed"
    if plan.opened:
        if plan.working:
            return ""
        return "time_off" if any(absence.staff_id == id_ for absence in roster.absences) else "outside"
    branch_note = roster.exceptions.get((roster.branch_id, day)) if roster.branch_id else None
    return roster.exceptions.get((id_, day)) or branch_note or ("day_off" if has_own_hours else "closed")


def _joined(bookings: list[CalendarBooking], midnight: int) -> list[Span]:
    spans: list[Span] = []
    last: dict[str, Span] = {}
    for booking in bookings:
        before = last.get(booking.order_id)
        if (
            before is not None
            and before.end == booking.start - midnight
            and before.first.takes_time == booking.takes_time
        ):
            spans.remove(before)
            span = before._replace(
                end=booking.end - midnight,
                services=[*before.services, booking.service],
                lines=f"{before.lines} {booking.line_id}",
            )
        else:
            start, end = booking.start - midnight, booking.end - midnight
            span = Span(booking, start, end, [booking.service], booking.line_id or "")
        last[booking.order_id] = span
        spans.append(span)
    return spans


def draw_column(
    found: ProviderDay, scale: Scale | WallScale, colors: Colors = "status", provider_place: int = 0
) -> Column:
    """`provider_place` is that among all providers, so that a color stays when others are hidden."""
    blocks = _visible(found.spans)
    plan = found.plan
    hours = ", ".join(
        f"{found.clock.text(start)}–{found.clock.text(end)}" for start, end in (_whole(plan.opened) if plan else ())
    )
    return Column(
        found.id,
        found.name,
        found.day,
        f"{found.clock.midnight:%Y-%m-%dT%H:%MZ}",
        plan,
        hours,
        found.off,
        _shut(found, scale),
        _buffers(found, scale),
        [
            block
            for span, kind in blocks
            if (block := _block(span, found.clock, scale, kind + _hue(span, colors, provider_place)))
        ],
        sum(1 for span in found.spans if span.first.status != "canceled"),
    )


def _whole(opened: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """From the first opening to the last closing: breaks are drawn."""
    return [(opened[0][0], opened[-1][1])] if opened else []


def _visible(spans: list[Span]) -> list[tuple[Span, str]]:
    """With their class. What holds no time is half beneath what holds it; of several of these, only the newest."""
    busy = [span for span in spans if span.first.takes_time]
    if len(busy) == len(spans):
        return [(span, "") for span in spans]
    kept = busy[:]
    kinds: dict[int, str] = {}
    for span in sorted((s for s in spans if not s.first.takes_time), key=lambda s: -s.first.order_number):
        over = [other for other in kept if other.start < span.end and span.start < other.end]
        if any(not other.first.takes_time for other in over):
            continue
        kept.append(span)
        if over:
            kinds |= dict.fromkeys(map(id, over), " above") | {id(span): " half"}
    kept.sort(key=lambda span: span.start)
    return [(span, kinds.get(id(span), "")) for span in kept]


def _hue(span: Span, colors: Colors, provider_place: int) -> str:
    if colors == "status":
        return ""
    number = crc32(span.services[0].encode()) if colors == "service" else provider_place
    return f" {_HUES[number % len(_HUES)]}"


def _block(span: Span, clock: DayClock, scale: Scale | WallScale, kind: str) -> Block | None:
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


def _shut(found: ProviderDay, scale: Scale | WallScale) -> list[Shut]:
    first, last = _edges(scale)
    plan = found.plan
    if plan is None or not plan.working:
        place = scale.place(first, last)
        return [Shut(place, found.off)] if place else []
    edges = [first, *(edge for run in plan.working for edge in run), last]
    drawn = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        place = scale.place(start, end)
        if start < end and place is not None:
            drawn.append(_closed(found, plan, start, end, place))
    return drawn


def _edges(scale: Scale | WallScale) -> tuple[int, int]:
    """The first and the last minute that are drawn."""
    if isinstance(scale, Scale):
        return scale.first * 60, scale.last * 60
    return scale.clock.elapsed(scale.scale.first * 60), scale.clock.elapsed(scale.scale.last * 60)


def _closed(found: ProviderDay, plan: DayPlan, start: int, end: int, place: str) -> Shut:
    """The reason is left out where it has no room."""
    if end - start < _REASON_FROM:
        return Shut(place, "")
    away = next((reason for begin, until, reason in found.reasons if begin < end and start < until), None)
    if away is not None and any(begin < end and start < until for begin, until in plan.away):
        return Shut(place, away)
    if start < plan.opened[0][0]:
        return Shut(place, "starts", found.clock.text(plan.opened[0][0]))
    if end > plan.opened[-1][1]:
        return Shut(place, "ends", found.clock.text(plan.opened[-1][1]))
    return Shut(place, "break")


def _buffers(found: ProviderDay, scale: Scale | WallScale) -> list[str]:
    """The booked minutes before and after the bookings themselves."""
    places = []
    busy = [(span.start, span.end) for span in found.spans if span.first.takes_time]
    for start, end in found.plan.booked if found.plan else ():
        at = start
        for begin, until in busy:
            if begin >= end or until <= at:
                continue
            places.append(scale.place(at, begin))
            at = until
        places.append(scale.place(at, end))
    return [place for place in places if place is not None]
