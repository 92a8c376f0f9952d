"""The week of one provider, with a column for each day, and the week of the branch, with a row for each provider."""

from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.day import DayClock, clock_of
from frontdesk.availability.window import DAY
from frontdesk.http.responses import Response
from frontdesk.ui.calendar.address import CalendarQuery, restricted_staff_id
from frontdesk.ui.calendar.blocks import WallScale
from frontdesk.ui.calendar.drawing import ProviderDay, draw_column
from frontdesk.ui.calendar.reading import Axis, block_values, read_days
from frontdesk.ui.calendar.selected import read_selected
from frontdesk.ui.components.week_scale import Scale
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone
from frontdesk.values.week import week_of


class Lane(NamedTuple):
    """One day of a provider in the week of the branch."""

    day: date
    off: str
    shut: list[str]
    bars: list[tuple[str, str]]  # the status and the place
    bookings: int
    percent: int | None
    hours: str


class Row(NamedTuple):
    id: UUID
    name: str
    lanes: list[Lane]


class DaySum(NamedTuple):
    """All providers of a day together."""

    day: date
    bookings: int
    percent: int | None


async def show_week(context: PageContext, query: CalendarQuery) -> Response:
    day = query.date.day if query.date else context.format.today
    days = week_of(context.tenant.timezone, day)
    async with context.connection() as conn:
        order = await read_selected(context, conn, query.order) if query.order else None
        read = await read_days(context, conn, query, days, selected=order)
    scale = read.scale(margin=0)
    zone, today = get_zone(context.tenant.timezone), context.format.today
    is_one = restricted_staff_id(context) is not None or query.staff is not None
    return context.render(
        "calendar_week.html" if is_one else "calendar_week_branch.html",
        query=query,
        day=day,
        days=days,
        before=day - timedelta(days=len(days)),
        after=day + timedelta(days=len(days)),
        today=today,
        roster=read.roster,
        scale=scale,
        columns=read.columns(scale, by_wall_clock=True) if is_one else [],
        rows=[] if is_one else _rows(read.found, scale),
        sums=[sum_of(shown, [found for found in read.found if found.day == shown]) for shown in days],
        order=order,
        axis=Axis(_usual_clock(zone, days), scale, _now_in(zone, today) if today in days else -1),
        **block_values(context, query, day),
    )


def _usual_clock(zone: ZoneInfo, days: list[date]) -> DayClock:
    """Of a day on which the clocks do not change: for the hours beside the columns."""
    clocks = [clock_of(zone, day) for day in days]
    return next((clock for clock in clocks if clock.length == DAY), clocks[0])


def _now_in(zone: ZoneInfo, today: date) -> int:
    clock = clock_of(zone, today)
    return clock.wall(clock.minute(current_time()))


def _rows(found: list[ProviderDay], scale: Scale) -> list[Row]:
    by_staff: dict[UUID, list[ProviderDay]] = {}
    for provider_day in found:
        by_staff.setdefault(provider_day.id, []).append(provider_day)
    return [Row(id_, days[0].name, [_lane(day, scale) for day in days]) for id_, days in by_staff.items()]


def _lane(found: ProviderDay, scale: Scale) -> Lane:
    column = draw_column(found, WallScale(scale, found.clock))
    return Lane(
        found.day,
        found.off,
        [shut.classes for shut in column.shut],
        [(block.status, block.place) for block in column.blocks],
        column.bookings,
        found.plan.percent if found.plan else None,
        column.hours,
    )


def sum_of(day: date, found: list[ProviderDay]) -> DaySum:
    plans = [provider_day.plan for provider_day in found if provider_day.plan is not None]
    minutes, booked = sum(plan.minutes for plan in plans), sum(plan.booked_minutes for plan in plans)
    bookings = sum(1 for provider_day in found for span in provider_day.spans if span.first.status != "canceled")
    return DaySum(day, bookings, round(100 * booked / minutes) if minutes else None)
