"""The overview of a provider: who is in the chair, their day as a list, without amounts of others."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.calendar_queries import roster_of
from frontdesk.availability.day import NIGHT, clock_of
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.ui.calendar.blocks import Span
from frontdesk.ui.calendar.drawing import ProviderDay, provider_days
from frontdesk.ui.calendar.labels import REASONS
from frontdesk.ui.components.calendar_queries import list_calendar_bookings
from frontdesk.ui.overview.my_day_queries import CustomerFacts, MyDayFacts, get_my_day_facts
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone

_DAYS = 7


class DayEntry(NamedTuple):
    """A booking or a break of their day."""

    start: str
    end: str
    minutes: int
    is_now: bool
    status: str = ""  # empty for a break
    order_id: str = ""
    customer: str | None = None
    services: str = ""
    facts: CustomerFacts | None = None


class Off(NamedTuple):
    day: ProviderDay
    reason: str


class MyDay(NamedTuple):
    today: list[DayEntry]
    percent: int | None
    ends: str | None
    tomorrow: list[DayEntry]
    starts_tomorrow: str | None
    booked_minutes: int  # of the week from today on
    minutes: int
    off: list[Off]
    facts: MyDayFacts

    @property
    def bookings(self) -> int:
        return sum(1 for entry in self.today if entry.status)

    @property
    def in_chair(self) -> DayEntry | None:
        """Who is being served; else who has arrived or whose time it is."""
        now = [entry for entry in self.today if entry.status in ("confirmed", "in-progress")]
        serving = next((entry for entry in now if entry.status == "in-progress"), None)
        return serving or next((entry for entry in now if entry.is_now), None)


async def show_my_day(context: PageContext) -> Response:
    staff_id, now = context.current_tenant.staff_id, current_time()
    my_day = await _read(context, staff_id, now) if staff_id else None
    return context.render("my_day.html", my_day=my_day, now=now, staff_id=staff_id, reasons=REASONS)


async def _read(context: PageContext, staff_id: UUID, now: datetime) -> MyDay:
    zone = get_zone(context.tenant.timezone)
    today = context.format.local(now).date()
    clock, next_day = clock_of(zone, today), clock_of(zone, today + timedelta(days=1))
    ends = next_day.midnight + timedelta(minutes=next_day.length + NIGHT)
    async with context.connection() as conn:
        roster = await fetch(conn, context.tenant_id, roster_of(None, staff_id, today, _DAYS))
        bookings = await list_calendar_bookings(
            conn, context.tenant_id, [staff_id], (clock.midnight, ends), context.names_language
        )
        facts = await fetch(conn, context.tenant_id, get_my_day_facts(staff_id, clock.midnight, ends))
    shown = [today + timedelta(days=n) for n in range(_DAYS)]
    days = provider_days(roster, [(staff_id, "")], shown, bookings, zone, context.tenant.grid_minutes)
    by_order = {known.order_id: known for known in facts.customers}
    plans = [day.plan for day in days if day.plan]
    return MyDay(
        _entries(days[0], by_order, clock.minute(now)),
        days[0].plan.percent if days[0].plan else None,
        _closing(days[0]),
        _entries(days[1], by_order, None),
        _opening(days[1]),
        sum(plan.booked_minutes for plan in plans),
        sum(plan.minutes for plan in plans),
        [Off(day, day.off) for day in days if day.off],
        facts,
    )


def _opening(day: ProviderDay) -> str | None:
    return day.clock.text(day.plan.working[0][0]) if day.plan and day.plan.working else None


def _closing(day: ProviderDay) -> str | None:
    return day.clock.text(day.plan.working[-1][1]) if day.plan and day.plan.working else None


def _entries(day: ProviderDay, by_order: dict[str, CustomerFacts], minute: int | None) -> list[DayEntry]:
    spans = [span for span in day.spans if span.first.status != "canceled"]
    entries = [(span.start, _booking(day, span, by_order, minute)) for span in spans]
    entries += [(start, _break(day, start, end)) for start, end in _breaks(day)]
    return [entry for _, entry in sorted(entries, key=lambda pair: (pair[0], pair[1].status == ""))]


def _booking(day: ProviderDay, span: Span, by_order: dict[str, CustomerFacts], minute: int | None) -> DayEntry:
    first = span.first
    return DayEntry(
        day.clock.text(span.start),
        day.clock.text(span.end),
        span.end - (minute if minute is not None else span.start),
        minute is not None and span.start <= minute < span.end,
        first.status,
        first.order_id,
        first.customer,
        " + ".join(span.services),
        by_order.get(first.order_id),
    )


def _break(day: ProviderDay, start: int, end: int) -> DayEntry:
    return DayEntry(day.clock.text(start), day.clock.text(end), end - start, is_now=False)


def _breaks(day: ProviderDay) -> Sequence[tuple[int, int]]:
    """The time between the hours in which the provider works."""
    working = day.plan.working if day.plan else []
    return [(end, start) for (_, end), (start, _) in pairwise(working)]
