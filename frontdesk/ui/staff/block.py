"""Blocked time: some hours in which a provider cannot be booked, such as a break or a meeting.

It is time off that the front desk gives. The calendar leads here from a drag over free time.
"""

import datetime as dt
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.affected_bookings import AffectsBookings
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.problems import not_found
from frontdesk.staff.hour_types import HoursOwner, TimeOff
from frontdesk.staff.time_off import AddTimeOff, DecideTimeOff
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import RECEPTION
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.staff.affected_bookings import affected_bookings_guard, confirm_affected_bookings
from frontdesk.ui.staff.hour_forms import TimeOffForm, read_time_off
from frontdesk.ui.staff.pages import PATH, read_card
from frontdesk.values.ids import uuid7

pages = Pages()
_LONGEST = dt.timedelta(days=1)  # what is longer is time off, which managers decide about
_Clock = Annotated[str, Meta(max_length=5)]


class BlockQuery(msgspec.Struct):
    date: CalendarDate | None = None
    start: _Clock = ""
    end: _Clock = ""


class UnblockForm(msgspec.Struct):
    version: int


@pages.get(f"{PATH}/{{staff_id}}/block", RECEPTION)
async def show_block(context: PageContext, staff_id: UUID, query: BlockQuery | None = None) -> Response:
    asked = query or BlockQuery()
    day = asked.date.day if asked.date else context.format.today
    card = await read_card(context, staff_id)
    return context.render(
        "block.html",
        card=card,
        form_id=uuid7(),
        day=day,
        asked=asked,
        blocked=[one for one in card.time_off if _is_block(one) and context.format.local(one.start).date() == day],
    )


@pages.post(f"{PATH}/{{staff_id}}/block", RECEPTION, on_error=show_block)
async def block_time(context: PageContext, staff_id: UUID, form: TimeOffForm) -> Response:
    start, end = read_time_off(form, context.tenant)
    if end - start >= _LONGEST:
        raise page_problem(N_("Block less than a day. Longer is time off, on the page of the staff member."), "end")
    owner, path = HoursOwner(staff_id=staff_id), _day_of(context, start)
    act = AddTimeOff(staff_id, form.id, start, end, form.note, "approved")
    try:
        path = await submit(
            context, act, once=form.id, then=path, guard=affected_bookings_guard(context, owner, form.confirmed)
        )
    except AffectsBookings as found:
        return confirm_affected_bookings(context, owner, found, back=f"{PATH}/{staff_id}/block", is_time_off=True)
    return context.redirect(path, flash=N_("The time is blocked."))


@pages.post(f"{PATH}/{{staff_id}}/block/{{time_off_id}}/delete", RECEPTION)
async def unblock_time(context: PageContext, staff_id: UUID, time_off_id: UUID, form: UnblockForm) -> Response:
    card = await read_card(context, staff_id)
    blocked = next((one for one in card.time_off if one.id == time_off_id and _is_block(one)), None)
    if blocked is None:
        raise not_found("time off")
    await context.run(DecideTimeOff(time_off_id, None, form.version))
    return context.redirect(_day_of(context, blocked.start), flash=N_("The time is free again."))


def _is_block(time_off: TimeOff) -> bool:
    return time_off.status == "approved" and time_off.end - time_off.start < _LONGEST


def _day_of(context: PageContext, start: dt.datetime) -> str:
    return f"/calendar?date={context.format.local(start).date()}"
