"""One column of the calendar, drawn to scale: hours, breaks, time off and bookings of a provider on one day.

Places are CSS classes in steps of five minutes, counted in elapsed hours from midnight (`Scale` of the staff pages).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.calendar_queries import Colors, Roster
from frontdesk.availability.day import NIGHT, DayClock, DayPlan, clock_of, plan_of
from frontdesk.ui.calendar.blocks import Block, Span, WallScale, draw_block, hue_of, visible
from frontdesk.ui.components.calendar_queries import CalendarBooking
from frontdesk.ui.components.week_scale import Scale

_REASON_FROM = 30
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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
            and (before.first.takes_time, before.first.is_extra) == (booking.takes_time, booking.is_extra)
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
    blocks = visible(found.spans)
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
            if (block := draw_block(span, found.clock, scale, kind + hue_of(span, colors, provider_place)))
        ],
        sum(1 for span in found.spans if span.first.status != "canceled"),
    )


def _whole(opened: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """From the first opening to the last closing: breaks are drawn."""
    return [(opened[0][0], opened[-1][1])] if opened else []


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
