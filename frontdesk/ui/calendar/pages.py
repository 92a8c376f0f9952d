"""The calendar of a day by provider, and single blocks of it for pages that are open."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.types import Role
from frontdesk.availability.calendar_queries import Roster, roster_of
from frontdesk.availability.day import NIGHT, DayClock, clock_of
from frontdesk.errors import invalid
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.orders.queries.calendar import list_calendar_bookings
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.calendar.address import PATH, CalendarQuery, local_today, own_staff_id, sees_money
from frontdesk.ui.calendar.drawing import ProviderDay, draw_column, provider_days
from frontdesk.ui.calendar.labels import REASONS, VIEWS
from frontdesk.ui.calendar.selected import read_selected
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import BOOKERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.week import Scale, scale_of
from frontdesk.values.time import get_zone

pages = Pages()
MAX_ORDERS = 100
_FREE_SHOWN = 4


class BlocksQuery(msgspec.Struct):
    date: CalendarDate | None = None
    orders: Annotated[str, Meta(max_length=37 * MAX_ORDERS)] = ""  # ids, comma separated
    branch: UUID | None = None
    staff: UUID | None = None
    order: UUID | None = None  # the selected one

    def ids(self) -> list[UUID]:
        try:
            found = [UUID(text) for text in self.orders.split(",") if text]
        except ValueError:
            raise invalid({"orders": ["must be ids, separated by commas"]}) from None
        if len(found) > MAX_ORDERS:
            raise invalid({"orders": [f"must be at most {MAX_ORDERS} ids"]})
        return found


class Days(NamedTuple):
    """Some days of some providers, as they were read."""

    roster: Roster
    found: list[ProviderDay]

    def scale(self, *, margin: int) -> Scale:
        """The hours to draw, from `margin` hours before the first one."""
        scale = scale_of([bounds for day in self.found for bounds in day.bounds], usual=False)
        return scale._replace(first=max(scale.first - margin, 0))


class FreeTime(NamedTuple):
    staff_id: UUID
    name: str
    start: str
    minutes: int


@pages.get(PATH, BOOKERS)
async def show_calendar(context: PageContext, query: CalendarQuery) -> Response:
    day = query.date.day if query.date else local_today(context)
    async with context.connection() as conn:
        days = await read_days(context, conn, query, [day])
        order = await read_selected(context, conn, query.order) if query.order else None
    scale = days.scale(margin=1)
    columns = [draw_column(found, scale) for found in days.found]
    zone = get_zone(context.tenant.timezone)
    return context.render(
        "calendar_day.html",
        query=query,
        day=day,
        before=day - timedelta(days=1),
        after=day + timedelta(days=1),
        today=local_today(context),
        roster=days.roster,
        scale=scale,
        columns=columns,
        order=order,
        axis=Axis(clock_of(zone, day), scale, datetime.now(UTC)),
        free=_free_next(days.found, datetime.now(UTC)),
        **block_values(context, query, day),
    )


@pages.get(f"{PATH}/blocks", BOOKERS)
async def show_blocks(context: PageContext, query: BlocksQuery) -> Response:
    """The blocks of some orders on a day. An order that has left the day is absent."""
    day = query.date.day if query.date else local_today(context)
    shown = CalendarQuery(query.date, branch=query.branch, staff=query.staff, order=query.order)
    async with context.connection() as conn:
        days = await read_days(context, conn, shown, [day], query.ids())
    scale = Scale(0, 30)  # a place does not depend on the hours that are drawn
    columns = [draw_column(found, scale) for found in days.found]
    return context.render("calendar_blocks.html", columns=columns, **block_values(context, shown, day))


def block_values(context: PageContext, query: CalendarQuery, day: date) -> dict[str, Any]:
    """What the template of a block reads."""
    return {
        "reasons": REASONS,
        "views": VIEWS,
        "sees_money": sees_money(context),
        "selected": str(query.order) if query.order else None,
        "select_link": f"{query.link(date=day)}&order=".removeprefix(PATH),
    }


async def read_days(
    context: PageContext, conn: Connection, query: CalendarQuery, days: list[date], orders: list[UUID] | None = None
) -> Days:
    """Two statements: who works when, and what is booked."""
    zone, own = get_zone(context.tenant.timezone), own_staff_id(context)
    roster = await fetch(conn, context.tenant_id, roster_of(query.branch, own or query.staff, days[0], len(days)))
    if context.role is Role.PROVIDER:
        roster = roster._replace(staff=[member for member in roster.staff if member.id == own], branches=[])
    chosen = own or query.staff
    staff = [(member.id, member.name) for member in roster.staff if chosen in (None, member.id)]
    period = (clock_of(zone, days[0]).midnight, _night_after(clock_of(zone, days[-1])))
    bookings = await list_calendar_bookings(
        conn, context.tenant_id, [id_ for id_, _ in staff], period, context.names_language, orders
    )
    return Days(roster, provider_days(roster, staff, days, bookings, zone, context.tenant.grid_minutes))


def _night_after(clock: DayClock) -> datetime:
    return clock.midnight + timedelta(minutes=clock.length + NIGHT)


class Axis:
    """The hours beside the columns, and where now is."""

    def __init__(self, clock: DayClock, scale: Scale, now: datetime) -> None:
        first, last = scale.first * 60, scale.last * 60
        minute = clock.minute(now)
        self.midnight = f"{clock.midnight:%Y-%m-%dT%H:%MZ}"
        self.now = scale.place(minute, minute + 5) if first <= minute < last else None
        self.now_text = clock.text(minute) if self.now else ""
        # The label of the first hour has no room, nor that which the time of now would cover.
        self.hours = [
            (f"h{at // 60}" + (f" m{at % 60}" if at % 60 else ""), text, at == clock.length)
            for at, text in clock.hours(first + 1, last)
            if self.now is None or abs(at - minute) > 12
        ]
        self.next_day = f"h{clock.length // 60}" if first < clock.length < last else None


def _free_next(found: list[ProviderDay], now: datetime) -> list[FreeTime]:
    """The first free time of each provider, from now on."""
    times = []
    for one in found:
        at = one.plan.next_free(one.clock.minute(now) + 1) if one.plan else None
        if at is not None:
            times.append((at[0], FreeTime(one.id, one.name, one.clock.text(at[0]), at[1] - at[0])))
    return [free for _, free in sorted(times, key=lambda pair: pair[0])[:_FREE_SHOWN]]
