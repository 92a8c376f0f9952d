"""What every view of the calendar reads, and the hours beside its columns."""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.availability.calendar_queries import Roster, roster_of
from frontdesk.availability.day import NIGHT, DayClock, clock_of
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.calendar.address import PATH, CalendarQuery, restricted_staff_id, sees_money
from frontdesk.ui.calendar.blocks import WallScale
from frontdesk.ui.calendar.drawing import Column, ProviderDay, draw_column, provider_days
from frontdesk.ui.calendar.labels import REASONS, VIEWS
from frontdesk.ui.components.calendar_queries import CalendarOrder, list_calendar_bookings
from frontdesk.ui.components.week_scale import Scale, scale_of
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.time_classes import start_class
from frontdesk.values.time import get_zone


class Days(NamedTuple):
    """Some days of some providers, as they were read."""

    roster: Roster
    found: list[ProviderDay]

    def columns(self, scale: Scale, *, by_wall_clock: bool = False) -> list[Column]:
        places = {member.id: place for place, member in enumerate(self.roster.staff)}
        return [
            draw_column(
                day,
                WallScale(scale, day.clock) if by_wall_clock else scale,
                self.roster.view.colors,
                places.get(day.id, 0),
            )
            for day in self.found
        ]

    def scale(self, *, margin: int) -> Scale:
        """The hours to draw, from `margin` hours before the first one."""
        scale = scale_of([bounds for day in self.found for bounds in day.bounds], usual=False)
        return scale._replace(first=max(scale.first - margin, 0))


def block_values(context: PageContext, query: CalendarQuery, day: date) -> dict[str, Any]:
    """What the template of a block reads. Its link leaves out the branch, which is that of the order."""
    return {
        "reasons": REASONS,
        "views": VIEWS,
        "sees_money": sees_money(context),
        "selected": str(query.order) if query.order else None,
        "select_link": f"{query.link(date=day, branch=None)}&order=".removeprefix(PATH),
    }


async def read_days(
    context: PageContext,
    conn: Connection,
    query: CalendarQuery,
    days: list[date],
    *,
    orders: list[UUID] | None = None,
    selected: CalendarOrder | None = None,
) -> Days:
    """Two statements: who works when, and what is booked. The providers of the selected order are always shown."""
    zone = get_zone(context.tenant.timezone)
    roster = await read_roster(context, conn, query, days)
    staff = chosen_staff(context, query, roster, {line.staff_id for line in selected.lines} if selected else ())
    period = (clock_of(zone, days[0]).midnight, _night_after(clock_of(zone, days[-1])))
    bookings = await list_calendar_bookings(
        conn, context.tenant_id, [id_ for id_, _ in staff], period, context.names_language, orders
    )
    found = provider_days(roster, staff, days, bookings, zone, context.tenant.grid_minutes)
    if roster.view.only_working and query.staff is None and len(days) == 1:
        found = [day for day in found if day.spans or (day.plan and day.plan.working)] or found
    return Days(roster, found)


async def read_roster(context: PageContext, conn: Connection, query: CalendarQuery, days: list[date]) -> Roster:
    """A provider finds only themselves in it. The links of the page stay in the branch that was found."""
    own = restricted_staff_id(context)
    branch_id = query.branch or (None if query.order else context.branch_id)  # an order is shown in its branch
    wanted = roster_of(branch_id, own or query.staff, days[0], len(days), query.order, context.user.id)
    roster = await fetch(conn, context.tenant_id, wanted)
    if context.role is Role.PROVIDER:
        return roster._replace(
            staff=[member for member in roster.staff if member.id == own],
            schedules={id_: schedule for id_, schedule in roster.schedules.items() if id_ == own},
            branches=[],
        )
    if len(roster.branches) > 1:
        query.branch = context.branch_id = roster.branch_id
    return roster


def chosen_staff(
    context: PageContext, query: CalendarQuery, roster: Roster, also: Collection[UUID | None] = ()
) -> list[tuple[UUID, str]]:
    """The one of the address, else all but those whom the user has hidden."""
    chosen = restricted_staff_id(context) or query.staff
    hidden = roster.view.hidden_staff_ids.difference(filter(None, also))
    staff = [(member.id, member.name) for member in roster.staff]
    if chosen is not None:
        return [(id_, name) for id_, name in staff if id_ == chosen]
    return [(id_, name) for id_, name in staff if id_ not in hidden] or staff


def _night_after(clock: DayClock) -> datetime:
    return clock.midnight + timedelta(minutes=clock.length + NIGHT)


class Axis:
    """The hours beside the columns, and where now is."""

    def __init__(self, clock: DayClock, scale: Scale, minute: int) -> None:
        """`minute` is now, counted from midnight."""
        first, last = scale.first * 60, scale.last * 60
        self.midnight = f"{clock.midnight:%Y-%m-%dT%H:%MZ}"
        self.now = scale.place(minute, minute + 5) if first <= minute < last else None
        self.now_text = clock.text(minute) if self.now else ""
        # The label of the first hour has no room, nor that which the time of now would cover.
        self.hours = [
            (start_class(at), text, at == clock.length)
            for at, text in clock.hours(first + 1, last)
            if self.now is None or abs(at - minute) > 12
        ]
        self.next_day = start_class(clock.length // 60 * 60) if first < clock.length < last else None
