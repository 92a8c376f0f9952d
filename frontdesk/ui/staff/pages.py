"""The list of staff, and the card of one staff member."""

from datetime import timedelta
from typing import Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.availability.day import DayPlan, plan_of
from frontdesk.availability.upcoming_queries import schedules_of
from frontdesk.calendar_sync.external_calendar_queries import calendars_of
from frontdesk.catalog.options import duration_range, price_range
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.staff.card_queries import Card, get_card
from frontdesk.staff.hour_types import WeeklyHours
from frontdesk.staff.list_queries import ListedStaff, list_staff_rows
from frontdesk.ui.components.calendar_feed import shown_feed
from frontdesk.ui.components.staff_labels import ACCOUNT_ROLES, WEEKDAYS
from frontdesk.ui.components.week_scale import Scale, draw_week, scale_of, span_text
from frontdesk.ui.shell.application_panels import find_stored_data
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import DIARY_READERS, TIME_OFF_REQUESTERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.hour_forms import ends_next_day, week_rows, wrong_times
from frontdesk.values.clock import current_time
from frontdesk.values.pagination import PageRequest
from frontdesk.values.text import search_key
from frontdesk.values.time import get_zone

pages = Pages()
PATH = "/staff"
ROWS = 50
_PAST_DAYS = 30  # exceptions and time off that are over are shown for so long


class StaffQuery(msgspec.Struct):
    show: Literal["working", "left"] = "working"
    branch: UUID | None = None
    search: FilterText = ""
    page: int = 1

    def link(self, **changes: str | int | None) -> str:
        values = {name: getattr(self, name) for name in self.__struct_fields__ if name != "page"} | changes
        query = {name: str(value) for name, value in values.items() if value not in (None, "", 1, "working")}
        return f"{PATH}?{urlencode(query)}" if query else PATH

    def export_link(self) -> str:
        """Names what the page shows even where it is the usual: without it, those who have left are exported too."""
        values = {"show": self.show, "branch": self.branch, "search": self.search}
        return f"{PATH}?{urlencode({name: str(value) for name, value in values.items() if value})}"


class StaffRow(msgspec.Struct):
    member: ListedStaff
    working: list[str]  # the classes of the bars
    booked: list[str]
    times: list[str]
    percent: int | None


@pages.get(PATH, DIARY_READERS)
async def show_staff(context: PageContext, query: StaffQuery) -> Response:
    if context.role is Role.PROVIDER and context.current_tenant.staff_id is not None:
        return context.redirect(f"{PATH}/{context.current_tenant.staff_id}")
    page_request, today = PageRequest(max(query.page, 1), ROWS), context.format.today
    listed = list_staff_rows(
        page_request,
        active=query.show == "working",
        branch_id=query.branch,
        text=search_key(query.search) or None,
    )
    plans: dict[UUID, DayPlan] = {}
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, listed)
        if context.role is Role.PROVIDER:  # whose account is linked with no staff member
            found = msgspec.structs.replace(found, rows=[], working=0, left=0)
        if query.show == "working" and found.rows:
            schedules = await fetch(conn, context.tenant_id, schedules_of([row.id for row in found.rows], today))
            zone = get_zone(context.tenant.timezone)
            plans = {id_: plan_of(schedule, zone, today) for id_, schedule in schedules.items()}
    scale = scale_of([span for plan in plans.values() for span in plan.working], usual=not plans)
    return context.render(
        "staff.html",
        query=query,
        found=found,
        rows=[_row(row, plans.get(row.id), scale) for row in found.rows],
        scale=scale,
        first=page_request.offset + 1,
        total=found.working if query.show == "working" else found.left,
    )


def _row(member: ListedStaff, plan: DayPlan | None, scale: Scale) -> StaffRow:
    if plan is None:
        return StaffRow(member, [], [], [], None)
    working = [scale.place(*span) for span in plan.working]
    booked = [scale.place(*span) for span in plan.booked]
    times = [span_text(*span) for span in plan.working]
    return StaffRow(member, [bar for bar in working if bar], [bar for bar in booked if bar], times, plan.percent)


@pages.get(f"{PATH}/{{staff_id}}", DIARY_READERS)
async def show_card(context: PageContext, staff_id: UUID) -> Response:
    check_may_see_card(context, staff_id)
    card = await read_card(context, staff_id)
    async with context.connection() as conn:
        stored_data = await find_stored_data(context, conn, "staff", staff_id)
    calendars = None
    if card.active and context.has_access(TIME_OFF_REQUESTERS):
        calendars = await context.fetch(calendars_of(staff_id))
    branch = card.branch_hours or WeeklyHours(all_time=False, intervals=())
    return context.render(
        "staff_member.html",
        card=card,
        stored_data=stored_data,
        week=draw_week(card.hours, branch if card.staff_hours else None),
        rows=week_rows(card.hours, {}),
        may_edit_hours=context.is_manager and card.active and not card.hours.all_time,
        weekdays=WEEKDAYS,
        price_range=price_range,
        duration_range=duration_range,
        wrong_times=wrong_times,
        ends_next_day=ends_next_day,
        account_roles=ACCOUNT_ROLES,
        today=context.format.today,
        now=current_time(),
        is_own=context.current_tenant.staff_id == staff_id,
        staff_calendars=calendars,
        feed=shown_feed(context, calendars.feed if calendars else None),
    )


async def read_card(context: PageContext, staff_id: UUID) -> Card:
    return await context.call(
        fetch, context.tenant_id, get_card(staff_id, context.format.today - timedelta(days=_PAST_DAYS))
    )


def check_may_see_card(context: PageContext, staff_id: UUID) -> None:
    """A provider sees their own card only."""
    if context.role is Role.PROVIDER and context.current_tenant.staff_id != staff_id:
        raise not_found("staff member")
