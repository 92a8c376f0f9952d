"""A month at a glance: how many bookings each day has, and how much of the working time is booked."""

from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.calendar_queries import Roster
from frontdesk.availability.day import NIGHT, DayPlan, clock_of, plan_of
from frontdesk.http.responses import Response
from frontdesk.ui.calendar.address import CalendarQuery
from frontdesk.ui.calendar.reading import block_values, chosen_staff, read_roster
from frontdesk.ui.components.calendar_queries import DayCount, count_bookings_by_day
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.time import get_zone, last_of_month
from frontdesk.values.week import week_of


class MonthDay(NamedTuple):
    day: date
    bookings: int
    percent: int | None  # None: nobody works
    closed: str | None  # the reason of a closed day

    @property
    def step(self) -> int:
        """How full it is, in tenths, rounded up."""
        return -(-min(self.percent or 0, 100) // 10)


async def show_month(context: PageContext, query: CalendarQuery) -> Response:
    day = query.date.day if query.date else context.format.today
    days = _days_of(context, day)
    zone = get_zone(context.tenant.timezone)
    midnights = [clock_of(zone, shown).midnight for shown in [*days, days[-1] + timedelta(days=1)]]
    async with context.connection() as conn:
        roster = await read_roster(context, conn, query, days)
        staff = [id_ for id_, _ in chosen_staff(context, query, roster)]
        counts = await count_bookings_by_day(conn, context.tenant_id, staff, midnights, NIGHT)
    plans = [
        {id_: plan_of(schedule, zone, shown) for id_, schedule in roster.schedules.items() if id_ in staff}
        for shown in [*days, days[-1] + timedelta(days=1)]
    ]
    totals = _totals(counts, plans)
    cells = [_cell(shown, roster, plans[index], totals[index]) for index, shown in enumerate(days)]
    first = day.replace(day=1)
    return context.render(
        "calendar_month.html",
        query=query,
        day=day,
        weeks=[cells[at : at + 7] for at in range(0, len(cells), 7)],
        before=(first - timedelta(days=1)).replace(day=1),
        after=(first + timedelta(days=31)).replace(day=1),
        today=context.format.today,
        roster=roster,
        **block_values(context, query, day),
    )


def _days_of(context: PageContext, day: date) -> list[date]:
    """The whole weeks in which the month lies."""
    zone = context.tenant.timezone
    start, end = week_of(zone, day.replace(day=1))[0], week_of(zone, last_of_month(day))[-1]
    return [start + timedelta(days=n) for n in range((end - start).days + 1)]


def _totals(counts: list[DayCount], plans: list[dict[UUID, DayPlan]]) -> list[int]:
    """The bookings of each day. Those after midnight belong to the day on which the hours began."""
    totals = [0] * len(plans)
    for count in counts:
        plan = plans[count.day].get(count.staff_id)
        before = sum(1 for minute in count.night if plan is not None and minute < plan.starts)
        totals[count.day] += count.later + len(count.night) - before
        totals[max(count.day - 1, 0)] += before
    return totals


def _cell(day: date, roster: Roster, plans: dict[UUID, DayPlan], bookings: int) -> MonthDay:
    minutes = sum(plan.minutes for plan in plans.values())
    booked = sum(plan.booked_minutes for plan in plans.values())
    percent = round(100 * booked / minutes) if minutes else None
    return MonthDay(day, bookings, percent, (roster.closed[day] or "closed") if day in roster.closed else None)
