"""Asks before a change of hours that would leave coming bookings outside them."""

from collections.abc import Callable
from datetime import date, datetime

from frontdesk.availability.coming import find_stranded
from frontdesk.availability.coming_queries import coming_of
from frontdesk.availability.hours import DayHours, Hours, Interval, Weekday
from frontdesk.availability.types import StaffSchedule
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.csrf import CSRF_FIELD
from frontdesk.values.time import get_zone

Change = Callable[[StaffSchedule], StaffSchedule]
_WEEK: tuple[Weekday, ...] = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
MAX_LISTED = 100


async def ask_about_stranded(
    context: PageContext, owner: HoursOwner, change: Change, *, back: str, confirmed: bool, is_time_off: bool = False
) -> Response | None:
    """The page that lists the bookings and asks; None if there are none, or if the person has confirmed."""
    if confirmed:
        return None
    query = coming_of(staff_id=owner.staff_id, branch_id=owner.branch_id)
    async with context.connection() as conn:
        coming = await fetch(conn, context.tenant_id, query)
    stranded = find_stranded(get_zone(context.tenant.timezone), coming, change)
    if not stranded:
        return None
    fields = read_form(context.request.raw_body)
    return context.render(
        "stranded.html",
        bookings=stranded[:MAX_LISTED],
        total=len(stranded),
        action=context.request.path,
        fields=[(name, value) for name, values in fields.items() if name != CSRF_FIELD for value in values],
        back=back,
        is_time_off=is_time_off,
    )


def with_hours(hours: WeeklyHours | None, branch: WeeklyHours | None = None) -> Change:
    """The weekly hours of a staff member; `branch` are those they fall back to."""
    applied = to_hours(hours or branch or WeeklyHours(all_time=False, intervals=()))
    return lambda schedule: schedule._replace(hours=applied, has_own_hours=hours is not None)


def with_branch_hours(hours: WeeklyHours) -> Change:
    applied = to_hours(hours)
    return lambda schedule: schedule if schedule.has_own_hours else schedule._replace(hours=applied)


def to_hours(hours: WeeklyHours) -> Hours:
    intervals = tuple(Interval(_WEEK[day], opens, closes) for day, opens, closes in hours.intervals)
    return Hours(intervals, all_time=hours.all_time, active=hours.active)


def with_exception(day: date, minutes: tuple[tuple[int, int], ...], owner: HoursOwner, replaced: date | None) -> Change:
    """`replaced` is the day that the exception was for before."""

    def change(schedule: StaffSchedule) -> StaffSchedule:
        is_limit = owner.branch_id is not None and schedule.has_own_hours
        others = [other for other in schedule.exceptions if other.day not in (day, replaced)]
        return schedule._replace(exceptions=tuple(sorted([*others, DayHours(day, minutes, is_limit)])))

    return change


def without_exception(day: date) -> Change:
    return lambda schedule: schedule._replace(exceptions=tuple(e for e in schedule.exceptions if e.day != day))


def with_closed_days(days: list[date]) -> Change:
    return lambda schedule: schedule._replace(closed=schedule.closed | frozenset(days))


def with_time_off(start: datetime, end: datetime) -> Change:
    return lambda schedule: schedule._replace(time_off=[*schedule.time_off, (start, end)])


def owner_path(owner: HoursOwner) -> str:
    return f"/staff/{owner.staff_id}" if owner.staff_id else f"/settings/hours?branch={owner.branch_id}"
