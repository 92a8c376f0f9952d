"""The selected booking: who comes and for what, and what can be done with it. Also a page of its own."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.types import Role
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.change_status import SettableStatus
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.scheduling.check_in import SetOrderArrived
from frontdesk.ui.calendar.address import PATH, sees_money
from frontdesk.ui.components.calendar_queries import CalendarOrder, calendar_order
from frontdesk.ui.components.order_status import ask_before_time, change_status_by_form
from frontdesk.ui.shell.confirmation import Confirmed
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import DIARY_READERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()
Act = Literal["arrived", "not-arrived", "confirmed", "in-progress", "completed"]


class ActForm(msgspec.Struct):
    act: Act
    version: int | None = None
    back: Annotated[str, Meta(max_length=2000)] = ""  # the calendar that was open
    sure: Confirmed = None  # that it is started or done before its time


async def read_selected(context: PageContext, conn: Connection, order_id: UUID) -> CalendarOrder:
    """A provider sees only orders in which they perform something."""
    order = await fetch(conn, context.tenant_id, calendar_order(order_id, context.names_language))
    own = context.current_tenant.staff_id
    if context.role is Role.PROVIDER and (own is None or all(line.staff_id != own for line in order.lines)):
        raise not_found("order")
    return order


@pages.get(f"{PATH}/bookings/{{order_id}}", DIARY_READERS)
async def show_booking(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await read_selected(context, conn, order_id)
    back = context.form.value("back", "")
    return context.render(
        "calendar_booking.html",
        order=order,
        back=local_path(back) if back else f"{PATH}?order={order_id}",
        sees_money=sees_money(context),
    )


@pages.post(f"{PATH}/bookings/{{order_id}}", DIARY_READERS, on_error=show_booking)
async def submit_act(context: PageContext, order_id: UUID, form: ActForm) -> Response:
    async with context.connection() as conn:
        order = await read_selected(context, conn, order_id)
    if form.act in ("arrived", "not-arrived"):
        await context.run(SetOrderArrived(order_id, form.act == "arrived", form.version))
    if order.is_early(form.act) and form.sure is None:
        return ask_before_time(context, order.starts_at, form.act, form.back or f"{PATH}/bookings/{order_id}")
    if form.act not in ("arrived", "not-arrived"):
        await change_status_by_form(context, order_id, SettableStatus(form.act), None, form.version)
    return context.redirect(local_path(form.back or f"{PATH}/bookings/{order_id}"), flash=_DONE[form.act])


_DONE: dict[Act, str] = {
    "arrived": N_("Checked in."),
    "not-arrived": N_("The check-in was taken back."),
    "confirmed": N_("Confirmed."),
    "in-progress": N_("The appointment has started."),
    "completed": N_("The appointment is done."),
}
