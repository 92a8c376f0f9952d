"""The overview: the figures of today, what needs attention, who works today and tomorrow."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.attention.queries import find_problems
from frontdesk.auth.types import Role
from frontdesk.availability.calendar_queries import Roster, roster_of
from frontdesk.availability.day import NIGHT, clock_of, plan_of
from frontdesk.http.responses import Response
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.tenants.setup_queries import SetupState, get_setup
from frontdesk.ui.calendar.drawing import ProviderDay, provider_days
from frontdesk.ui.calendar.labels import REASONS
from frontdesk.ui.components.calendar_queries import list_calendar_bookings
from frontdesk.ui.components.staff_labels import WEEKDAYS
from frontdesk.ui.overview.day import percent_of, today_of, tomorrow_of
from frontdesk.ui.overview.my_day import show_my_day
from frontdesk.ui.overview.queries import Days, get_overview
from frontdesk.ui.overview.sales import sales_of
from frontdesk.ui.setup.pages import read_checklist
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE, DIARY_READERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone, local_day_start
from frontdesk.waiting_list.fit import days_to_search, find_fit
from frontdesk.waiting_list.queries import waiting_between
from frontdesk.webhooks.problems import OffReason

pages = Pages()
_WEEK = timedelta(days=7)
_ONE = timedelta(days=1)
_MEANT = (OffReason.SWITCHED_OFF.name, OffReason.NOT_REQUESTED.name)
_WAITING = 20  # no more of the waiting list are compared with what is free


class Fitting(NamedTuple):
    customer: str
    start: datetime


class Waiting(NamedTuple):
    total: int
    fitting: list[Fitting]


class OverviewQuery(msgspec.Struct):
    branch: UUID | None = None


@pages.get("/start", ANY_ROLE)
async def show_first_page(context: PageContext) -> Response:
    """Who books begins with the calendar, who sells with the till, and who sets up the business with what is left."""
    if context.is_manager and not context.current_tenant.is_set_up:
        return context.redirect("/")
    return context.redirect("/till" if context.role is Role.CASHIER else "/calendar")


@pages.get("/", ANY_ROLE)
async def show_overview(context: PageContext, query: OverviewQuery) -> Response:
    if context.role is Role.PROVIDER:
        return await show_my_day(context)
    zone, now = get_zone(context.tenant.timezone), current_time()
    today = context.format.local(now).date()
    days = Days(today, *(local_day_start(today + n * _ONE, zone) for n in range(3)))
    async with context.connection() as conn:
        branch_id = query.branch or context.branch_id
        roster = await fetch(conn, context.tenant_id, roster_of(branch_id, None, today - _WEEK, 9))
        found = await _read_days(context, conn, roster, days)
        overview = await fetch(conn, context.tenant_id, get_overview(roster.branch_id, days))
        state = await _find_setup(context, conn)
        checklist = await read_checklist(context, conn, state) if state else None
        waiting = None if state else await _read_waiting(context, conn, now)
        problems = await fetch(conn, context.tenant_id, find_problems(_MEANT)) if context.is_manager else None
    grid = context.tenant.grid_minutes
    week_ago = [plan_of(schedule, zone, today - _WEEK, grid) for schedule in roster.schedules.values()]
    return context.render(
        "overview.html",
        now=now,
        roster=roster,
        overview=overview,
        today=today_of([day for day in found if day.day == today], now),
        tomorrow=tomorrow_of([day for day in found if day.day != today]),
        tomorrow_day=today + _ONE,
        week_ago=percent_of(week_ago),
        reasons=REASONS,
        sales=sales_of(dict(overview.sales), today, rtl=context.direction == "rtl"),
        waiting=waiting,
        problems=problems,
        weekdays=WEEKDAYS,
        may_book=context.has_access(DIARY_READERS),
        checklist=checklist,
    )


async def _read_days(context: PageContext, conn: Connection, roster: Roster, days: Days) -> list[ProviderDay]:
    zone = get_zone(context.tenant.timezone)
    shown = [days.today, days.today + _ONE]
    last = clock_of(zone, shown[-1])
    bookings = await list_calendar_bookings(
        conn,
        context.tenant_id,
        [member.id for member in roster.staff],
        (days.starts, last.midnight + timedelta(minutes=last.length + NIGHT)),
        context.names_language,
    )
    staff = [(member.id, member.name) for member in roster.staff]
    return provider_days(roster, staff, shown, bookings, zone, context.tenant.grid_minutes)


async def _read_waiting(context: PageContext, conn: Connection, now: datetime) -> Waiting | None:
    """Who waits for a time of the coming days, and whom a free one suits. For those who book."""
    if not context.has_access(DIARY_READERS):
        return None
    first = context.format.local(now).date()
    last = first + _WEEK - _ONE
    page = await fetch(
        conn, context.tenant_id, waiting_between(first, last, days_to_search(first, _WEEK.days), _WAITING)
    )
    fits = [
        find_fit(context.tenant, entry, page.schedules, now, shown=(first, last))
        for entry in page.entries
        if not entry.blocked
    ]
    return Waiting(page.total, [Fitting(fit.entry.customer, fit.start.assigned[0].start) for fit in fits if fit.start])


async def _find_setup(context: PageContext, conn: Connection) -> SetupState | None:
    """Of a business that is not set up, for those who can do its steps."""
    if context.current_tenant.is_set_up or not context.is_manager:
        return None
    state = await get_setup(conn, context.tenant_id)
    return None if state.is_done else state
