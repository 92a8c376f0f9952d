"""Time off: a provider requests it for themselves; owners and managers add, approve, decline and remove it."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.auth.types import Role
from frontdesk.availability.affected_bookings import AffectsBookings
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.staff.hour_types import HoursOwner, TimeOff
from frontdesk.staff.time_off import AddTimeOff, DecideTimeOff
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import MANAGERS, TIME_OFF_REQUESTERS
from frontdesk.ui.shell.problems import forbidden
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.affected_bookings import affected_bookings_guard, confirm_affected_bookings
from frontdesk.ui.staff.hour_forms import TimeOffForm, read_time_off
from frontdesk.ui.staff.pages import PATH, check_may_see_card, read_card, show_card
from frontdesk.values.ids import uuid7

pages = Pages()


class DecisionForm(msgspec.Struct):
    version: int
    decision: Literal["approved", "declined"]
    confirmed: str = ""


class RemoveForm(msgspec.Struct):
    version: int


@pages.get(f"{PATH}/{{staff_id}}/time-off/new", TIME_OFF_REQUESTERS)
async def show_new_time_off(context: PageContext, staff_id: UUID) -> Response:
    check_may_see_card(context, staff_id)
    card = await read_card(context, staff_id)
    return context.render(
        "time_off.html", card=card, form_id=uuid7(), today=context.format.today, requests=not context.is_manager
    )


@pages.post(f"{PATH}/{{staff_id}}/time-off/new", TIME_OFF_REQUESTERS, on_error=show_new_time_off)
async def add_time_off(context: PageContext, staff_id: UUID, form: TimeOffForm) -> Response:
    check_may_see_card(context, staff_id)
    start, end = read_time_off(form, context.tenant)
    path = f"{PATH}/{staff_id}"
    owner = HoursOwner(staff_id=staff_id)
    status: Literal["requested", "approved"] = "approved" if context.is_manager else "requested"
    act = AddTimeOff(staff_id, form.id, start, end, form.note, status)
    guard = affected_bookings_guard(context, owner, form.confirmed) if context.is_manager else None
    try:
        path = await submit(context, act, once=form.id, then=path, guard=guard)
    except AffectsBookings as found:
        return confirm_affected_bookings(context, owner, found, back=f"{path}/time-off/new", is_time_off=True)
    return context.redirect(path, flash=N_("Time off added.") if context.is_manager else N_("Time off requested."))


@pages.post(f"{PATH}/{{staff_id}}/time-off/{{time_off_id}}", MANAGERS, on_error=show_card)
async def decide_time_off(context: PageContext, staff_id: UUID, time_off_id: UUID, form: DecisionForm) -> Response:
    await _find(context, staff_id, time_off_id)
    owner = HoursOwner(staff_id=staff_id)
    guard = affected_bookings_guard(context, owner, form.confirmed) if form.decision == "approved" else None
    try:
        await context.run(DecideTimeOff(time_off_id, form.decision, form.version), guard=guard)
    except AffectsBookings as found:
        return confirm_affected_bookings(context, owner, found, back=f"{PATH}/{staff_id}", is_time_off=True)
    flash = N_("Time off approved.") if form.decision == "approved" else N_("Time off declined.")
    return context.redirect(f"{PATH}/{staff_id}", flash=flash)


@pages.post(f"{PATH}/{{staff_id}}/time-off/{{time_off_id}}/delete", TIME_OFF_REQUESTERS)
async def remove_time_off(context: PageContext, staff_id: UUID, time_off_id: UUID, form: RemoveForm) -> Response:
    """A provider may withdraw a request that is not decided yet."""
    check_may_see_card(context, staff_id)
    time_off = await _find(context, staff_id, time_off_id)
    if context.role is Role.PROVIDER and time_off.status != "requested":
        raise forbidden(N_("Only a manager can remove time off that was decided."))
    await context.run(DecideTimeOff(time_off_id, None, form.version))
    return context.redirect(f"{PATH}/{staff_id}", flash=N_("Time off removed."))


async def _find(context: PageContext, staff_id: UUID, time_off_id: UUID) -> TimeOff:
    for time_off in (await read_card(context, staff_id)).time_off:
        if time_off.id == time_off_id:
            return time_off
    raise not_found("time off")
