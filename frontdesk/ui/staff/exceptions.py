"""The days on which the hours of a staff member or of a branch differ."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.availability.affected_bookings import AffectsBookings
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.act import Act
from frontdesk.postgres.write import run_guarded
from frontdesk.problems import Problem, not_found
from frontdesk.staff.card_queries import BranchHours, Card
from frontdesk.staff.exceptions import (
    MAX_CLOSED_DAYS,
    AddClosedDays,
    DeleteClosedDay,
    DeleteHourException,
    ExceptionFields,
    SaveHourException,
)
from frontdesk.staff.holidays import Holiday, coming_holidays
from frontdesk.staff.hour_types import HourException, HoursOwner
from frontdesk.staff.problems import HoursProblem
from frontdesk.tenants.settings_queries import tenant_country
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.affected_bookings import affected_bookings_guard, confirm_affected_bookings, owner_path
from frontdesk.ui.staff.hour_forms import (
    DAY_FIELDS,
    ExceptionForm,
    exception_rows,
    read_days,
    read_exception,
    wrong_times,
)
from frontdesk.ui.staff.hours import HOURS_PATH, read_branch_hours
from frontdesk.ui.staff.pages import PATH, read_card
from frontdesk.values.ids import uuid7

pages = Pages()
_PAST = N_("Choose today or a later day.")


class HolidayQuery(msgspec.Struct):
    holiday: str = ""  # the key of a template, which fills in the form


class DayForm(msgspec.Struct):
    day: CalendarDate


class VersionForm(msgspec.Struct):
    version: int
    confirmed: str = ""


def _exception_pages(
    path: str,
    owner_of: Callable[[UUID], HoursOwner],
    read: Callable[[PageContext, UUID], Awaitable[Card | BranchHours]],
) -> None:
    """The same pages for staff members and for branches."""
    new, existing = f"{path}/exceptions/new", f"{path}/exceptions/{{exception_id}}"

    @pages.get(new, MANAGERS)
    async def show_new_exception(context: PageContext, owner_id: UUID, query: HolidayQuery | None = None) -> Response:
        name = (await read(context, owner_id)).name
        holiday = await _find_holiday(context, query.holiday) if query and query.holiday else None
        return _exception_form(context, owner_of(owner_id), name, None, holiday)

    @pages.post(new, MANAGERS, on_error=show_new_exception, fields=DAY_FIELDS)
    async def add_exception(context: PageContext, owner_id: UUID, form: ExceptionForm) -> Response:
        return await _save_exception(context, owner_of(owner_id), form, None)

    @pages.get(existing, MANAGERS)
    async def show_exception(context: PageContext, owner_id: UUID, exception_id: UUID) -> Response:
        owner = await read(context, owner_id)
        return _exception_form(context, owner_of(owner_id), owner.name, _find(owner.exceptions, exception_id))

    @pages.post(existing, MANAGERS, on_error=show_exception, fields=DAY_FIELDS)
    async def change_exception(
        context: PageContext, owner_id: UUID, exception_id: UUID, form: ExceptionForm
    ) -> Response:
        found = _find((await read(context, owner_id)).exceptions, exception_id)
        return await _save_exception(context, owner_of(owner_id), form, found)

    @pages.post(f"{existing}/delete", MANAGERS, on_error=show_exception, fields=DAY_FIELDS)
    async def delete_exception(context: PageContext, owner_id: UUID, exception_id: UUID, form: VersionForm) -> Response:
        found = _find((await read(context, owner_id)).exceptions, exception_id)
        return await _delete_exception(context, owner_of(owner_id), found, form)


_exception_pages(f"{PATH}/{{staff_id}}", lambda staff_id: HoursOwner(staff_id=staff_id), read_card)
_exception_pages(f"{HOURS_PATH}/{{branch_id}}", HoursOwner, read_branch_hours)


@pages.post(f"{HOURS_PATH}/{{branch_id}}/open", MANAGERS)
async def open_again(context: PageContext, branch_id: UUID, form: DayForm) -> Response:
    """Removes a closed day."""
    await context.run(DeleteClosedDay(branch_id, form.day.day))
    return context.redirect(owner_path(HoursOwner(branch_id)), flash=N_("Saved."))


async def _find_holiday(context: PageContext, key: str) -> Holiday | None:
    coming = coming_holidays(await context.fetch(tenant_country()), context.format.today)
    return next((holiday for holiday in coming if holiday.key == key), None)


def _exception_form(
    context: PageContext, owner: HoursOwner, name: str, found: HourException | None, holiday: Holiday | None = None
) -> Response:
    base = f"{PATH}/{owner.staff_id}" if owner.staff_id else f"{HOURS_PATH}/{owner.branch_id}"
    return context.render(
        "hour_exception.html",
        owner=owner,
        name=name,
        exception=found,
        base=base,
        back=owner_path(owner),
        holiday=holiday,
        rows=exception_rows(found.minutes if found else holiday.minutes if holiday else [], context.form.values),
        wrong_times=wrong_times,
        tomorrow=context.format.today + timedelta(days=1),
    )


def _find(exceptions: list[HourException], exception_id: UUID) -> HourException:
    for exception in exceptions:
        if exception.id == exception_id:
            return exception
    raise not_found("day with other hours")


async def _save_exception(
    context: PageContext, owner: HoursOwner, form: ExceptionForm, found: HourException | None
) -> Response:
    """A branch that is closed gets closed days instead, of which there may be several."""
    fields = read_exception(form)
    if found is None and fields.day < context.format.today:
        raise page_problem(_PAST, "day")
    if owner.branch_id is not None and found is None:
        if form.closed:
            closed = AddClosedDays(owner.branch_id, read_days(form), form.note)
            return await _change_hours(context, owner, [closed], form.confirmed, N_("Saved."))
        if form.until is not None:
            acts = await _on_each_day(context, owner, read_days(form), fields)
            return await _change_hours(context, owner, acts, form.confirmed, N_("Hours saved."))
    act = SaveHourException(owner, found.id if found else uuid7(), fields, is_new=found is None, version=form.version)
    return await _change_hours(context, owner, [act], form.confirmed, N_("Hours saved."))


async def _on_each_day(
    context: PageContext, owner: HoursOwner, days: list[date], fields: ExceptionFields
) -> list[SaveHourException]:
    """Days that are closed or have other hours already keep them."""
    if len(days) > MAX_CLOSED_DAYS:
        raise Problem(HoursProblem.TOO_MANY_DAYS, "until", most=MAX_CLOSED_DAYS)
    branch = await read_branch_hours(context, owner.branch_id)
    taken = branch.entered_days
    return [
        SaveHourException(owner, uuid7(), fields._replace(day=day), is_new=True) for day in days if day not in taken
    ]


async def _delete_exception(
    context: PageContext, owner: HoursOwner, found: HourException, form: VersionForm
) -> Response:
    """The usual hours of the day may be shorter."""
    act = DeleteHourException(owner, found.id, form.version)
    return await _change_hours(context, owner, [act], form.confirmed, N_("Saved."), back=owner_path(owner))


async def _change_hours(
    context: PageContext,
    owner: HoursOwner,
    acts: Sequence[Act[Any]],
    confirmed: str,
    flash: str,
    back: str | None = None,
) -> Response:
    try:
        if acts:
            guard = affected_bookings_guard(context, owner, confirmed)
            await context.call(run_guarded, context.tenant, acts, context.actor, guard)
    except AffectsBookings as affected:
        return confirm_affected_bookings(context, owner, affected, back=back or context.request.path)
    return context.redirect(owner_path(owner), flash=flash)
