"""The weekly hours of a staff member and of a branch."""

from datetime import timedelta
from uuid import UUID

import msgspec

from frontdesk.attention.queries import find_week
from frontdesk.availability.affected_bookings import AffectsBookings
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import Problem
from frontdesk.staff.card_queries import BranchHours, get_branch_hours
from frontdesk.staff.holidays import Holiday, coming_holidays
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.tenants.settings_queries import tenant_country
from frontdesk.ui.components.staff_labels import WEEKDAYS
from frontdesk.ui.components.week_scale import draw_week
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.permissions import MANAGERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.affected_bookings import affected_bookings_guard, confirm_affected_bookings, owner_path
from frontdesk.ui.staff.hour_forms import (
    WEEK_FIELDS,
    WeekForm,
    check_times_unchanged,
    ends_next_day,
    read_typed,
    read_week,
    week_rows,
    wrong_times,
)
from frontdesk.ui.staff.pages import PATH, read_card

pages = Pages()
HOURS_PATH = "/settings/hours"
_PAST_DAYS = 30
_NO_HOURS = WeeklyHours(all_time=False, intervals=())


class SetupQuery(msgspec.Struct):
    setup: str = ""  # from the set-up checklist, to which saving leads back


class BranchQuery(msgspec.Struct):
    branch: UUID | None = None


async def read_branch_hours(context: PageContext, branch_id: UUID | None) -> BranchHours:
    since = context.format.today - timedelta(days=_PAST_DAYS)
    return await context.fetch(get_branch_hours(branch_id, since))


@pages.get(f"{PATH}/{{staff_id}}/hours", MANAGERS)
async def show_staff_hours(context: PageContext, staff_id: UUID) -> Response:
    card = await read_card(context, staff_id)
    source = context.form.value("source", "own" if card.staff_hours else "branch")
    return context.render(
        "staff_week.html",
        card=card,
        hours=card.hours,
        week=draw_week(_typed(context, card.hours), card.branch_hours if source == "own" else None),
        version=card.staff_hours.version if card.staff_hours else 0,
        source=source,
        rows=week_rows(card.hours, context.form.values),
        weekdays=WEEKDAYS,
        wrong_times=wrong_times,
        ends_next_day=ends_next_day,
    )


def _typed(context: PageContext, stored: WeeklyHours) -> WeeklyHours:
    return read_typed(context.form.values) if context.form.values else stored


def _show_typed(context: PageContext, form: WeekForm) -> None:
    """Nothing is refused: a script asks what the times look like, and which are wrong."""
    values = read_form(context.request.raw_body)
    context.form = FormState(values)
    try:
        read_week(form)
    except Problem as raised:
        context.show_errors(context.error(raised, WEEK_FIELDS), values)


@pages.post(f"{PATH}/{{staff_id}}/hours", MANAGERS, on_error=show_staff_hours, fields=WEEK_FIELDS)
async def set_staff_hours(context: PageContext, staff_id: UUID, form: WeekForm) -> Response:
    if form.act == "draw":
        _show_typed(context, form)
        return await show_staff_hours(context, staff_id)
    owner, hours = HoursOwner(staff_id=staff_id), read_week(form)
    if hours is None:
        check_times_unchanged(form, (await read_card(context, staff_id)).hours)
    return await _set_hours(context, owner, hours, form, owner_path(owner))


@pages.get(HOURS_PATH, RECEPTION)
async def show_branch_hours(context: PageContext, query: BranchQuery) -> Response:
    branch = await read_branch_hours(context, query.branch or context.branch_id)
    hours = branch.hours or _NO_HOURS
    usual = await context.fetch(find_week(branch.id))
    return context.render(
        "branch_hours.html",
        usual=usual,
        branch=branch,
        week=draw_week(hours),
        rows=week_rows(hours, {}),
        may_edit=context.is_manager and not hours.all_time,
        weekdays=WEEKDAYS,
        wrong_times=wrong_times,
        ends_next_day=ends_next_day,
        today=context.format.today,
        holidays=await _open_holidays(context, branch) if context.is_manager else [],
    )


async def _open_holidays(context: PageContext, branch: BranchHours) -> list[Holiday]:
    """Those on whose first day nothing is entered yet."""
    entered = branch.entered_days
    coming = coming_holidays(await context.fetch(tenant_country()), context.format.today)
    return [holiday for holiday in coming if holiday.first not in entered and holiday.first >= context.format.today]


@pages.get(f"{HOURS_PATH}/{{branch_id}}", MANAGERS)
async def show_branch_week(context: PageContext, branch_id: UUID, query: SetupQuery | None = None) -> Response:
    branch = await read_branch_hours(context, branch_id)
    hours = branch.hours or _NO_HOURS
    return context.render(
        "branch_week.html",
        branch=branch,
        setup=query.setup if query else context.form.value("setup"),
        hours=hours,
        version=hours.version,
        week=draw_week(_typed(context, hours)),
        rows=week_rows(hours, context.form.values),
        weekdays=WEEKDAYS,
        wrong_times=wrong_times,
        ends_next_day=ends_next_day,
    )


@pages.post(f"{HOURS_PATH}/{{branch_id}}", MANAGERS, on_error=show_branch_week, fields=WEEK_FIELDS)
async def set_branch_week(context: PageContext, branch_id: UUID, form: WeekForm) -> Response:
    if form.act == "draw":
        _show_typed(context, form)
        return await show_branch_week(context, branch_id)
    owner, hours = HoursOwner(branch_id=branch_id), read_week(form) or _NO_HOURS
    path = "/setup" if form.setup else owner_path(owner)
    return await _set_hours(context, owner, hours, form, path)


async def _set_hours(
    context: PageContext, owner: HoursOwner, hours: WeeklyHours | None, form: WeekForm, path: str
) -> Response:
    try:
        act = SetWorkingHours(owner, hours, form.version)
        await context.run(act, guard=affected_bookings_guard(context, owner, form.confirmed))
    except AffectsBookings as found:
        return confirm_affected_bookings(context, owner, found, back=owner_path(owner))
    return context.redirect(path, flash=N_("Hours saved."))
