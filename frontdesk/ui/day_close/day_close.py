"""The close of a day: count the drawer, compare each payment method, close; closed days, reopening the last close."""

from datetime import date
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.day_close.close import AlreadyClosed, CloseDay, is_old, open_totals
from frontdesk.day_close.close_queries import get_day
from frontdesk.day_close.day_orders_queries import list_unpaid_orders, list_upcoming_orders
from frontdesk.day_close.drawer import CountDrawer
from frontdesk.day_close.drawer_queries import Drawer, get_drawer
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.reopen import ReopenDay, why_not_reopened
from frontdesk.day_close.shift_queries import list_shifts
from frontdesk.day_close.stored_queries import get_closed_day, get_day_parts, list_closed_days, list_open_days
from frontdesk.http.field_types import CalendarDate, PageNumber, ShortText
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, Problems, raise_all
from frontdesk.ui.components.approval import ApprovalFields, approvers_for, require_approval
from frontdesk.ui.day_close.by_cashier import cashier_rows
from frontdesk.ui.day_close.day_parts import day_rows, found_in_shifts, shift_notes
from frontdesk.ui.day_close.entered import CountForm, read_count
from frontdesk.ui.day_close.pages import hides_expected, submitted_branch
from frontdesk.ui.day_close.slip import shown_drawer
from frontdesk.ui.day_close.tally import counted_pieces, tally
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.permissions import CASHIERS, RECEPTION
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest

pages = Pages()
PATH = "/day-close"


class DayQuery(msgspec.Struct):
    branch: UUID | None = None
    date: CalendarDate | None = None


class ReopeningForm(ApprovalFields, kw_only=True):
    reason: ShortText | None = None


class ClosesQuery(msgspec.Struct):
    branch: UUID | None = None
    page: PageNumber = 1

    def link(self, **changes: str | int | None) -> str:
        values = {"branch": self.branch, "page": self.page, **changes}
        return f"{PATH}/earlier?{urlencode({name: value for name, value in values.items() if value})}"


@pages.get(PATH, CASHIERS)
async def show_day(context: PageContext, query: DayQuery | None = None) -> Response:
    """What is open of a day, to be counted. A day without money since its last close is shown as that close.

    Bookings that come in after the close stand in the reports of the day, and nobody has to close it again for them.
    """
    branch_id = (query.branch or context.branch_id) if query else submitted_branch(context)
    chosen = query.date.day if query and query.date else _submitted_day(context)
    async with context.connection() as conn:
        drawer = await fetch(conn, context.tenant_id, get_drawer(branch_id))
        day = chosen or _day_to_close(context, drawer)
        state = await fetch(conn, context.tenant_id, get_day(drawer.branch_id, day))
        unpaid = await fetch(conn, context.tenant_id, list_unpaid_orders(drawer.branch_id, day))
        coming = await fetch(conn, context.tenant_id, list_upcoming_orders(drawer.branch_id, day))
        parts = await fetch(conn, context.tenant_id, get_day_parts(drawer.branch_id, day))
        open_days = await fetch(conn, context.tenant_id, list_open_days(drawer.branch_id, day))
        shifts = await fetch(conn, context.tenant_id, list_shifts(drawer.branch_id, day))
    if state.stored and not state.has_money and not state.has_shifts:
        return context.redirect(f"{PATH}/{state.stored[-1].id}")
    is_hidden = drawer.blind_count and not context.is_manager and bool(state.open_shifts)
    is_counted = state.drawer is not None and (state.drawer.session_id is not None or not drawer.own_shifts)
    return context.render(
        "day_close.html",
        drawer=drawer,
        shifts=shifts,
        open_shifts=state.open_shifts,
        hidden=is_hidden or hides_expected(context, drawer),
        is_opened_later=state.drawer is None,
        outside=state.drawer.expected if state.drawer and not is_counted else None,
        notes=shift_notes(shifts),
        day=day,
        has_begun=state.day_starts <= state.now,
        is_old=is_old(context.tenant, state, day),
        is_past=day < _day_to_close(context, drawer),
        cashiers=cashier_rows(open_totals(context.tenant, state), state.tips),
        refunds=state.refunds,
        sums=state.drawer if is_counted else None,
        unpaid=unpaid,
        coming=coming,
        day_parts=day_rows(state, parts),
        starts=state.starts,
        open_days=open_days,
        tally=tally(context.tenant, drawer, state, context.form.values, found_in_shifts(context.tenant, state, shifts)),
        names={method.id: method.name for method in drawer.methods},
        may_close=context.has_access(RECEPTION),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/count", CASHIERS, on_error=show_day)
async def save_count(context: PageContext, form: CountForm) -> Response:
    """Keeps the count of an open drawer, and shows the page with all that was entered."""
    count = read_count(context.tenant, form)
    raise_all(count.problems)
    if form.is_open:
        if count.counted is None:
            raise Problem(CloseProblem.NOT_COUNTED, "pieces")
        await submit(context, CountDrawer(form.branch, count.pieces, count.counted), once=form.id, then=PATH)
    context.form = FormState(read_form(context.request.raw_body))
    return await show_day(context)


@pages.post(PATH, RECEPTION, on_error=show_day)
async def close(context: PageContext, form: CountForm) -> Response:
    """While orders of the day are still to come, the one who closes is asked first."""
    drawer = await context.fetch(get_drawer(form.branch))
    if form.is_open and hides_expected(context, drawer):
        return await save_count(context, form)
    count = read_count(context.tenant, form)
    day = form.date.day
    coming = await context.fetch(list_upcoming_orders(form.branch, day))
    if coming.total and not form.sure:
        sure = page_problem(N_("Orders of this day are still to come. Close it anyway?"), "sure")
        raise Problems([*count.problems, sure])
    path = f"{PATH}?branch={form.branch}&date={day}"
    try:
        path = await submit(context, CloseDay(form.branch, day, count), once=form.id, then=path)
    except AlreadyClosed:
        return context.redirect(path, flash=N_("This day was closed before. Your count was not saved."))
    return context.redirect(path, flash=N_("The day is closed."))


@pages.get(f"{PATH}/earlier", CASHIERS)
async def list_closes(context: PageContext, query: ClosesQuery) -> Response:
    page = PageRequest(query.page)
    found = await context.fetch(list_closed_days(query.branch, page))
    return context.render("day_closes.html", found=found, query=query, first=page.offset + 1)


@pages.get(f"{PATH}/{{close_id}}", CASHIERS)
async def show_closed_day(context: PageContext, close_id: UUID) -> Response:
    async with context.connection() as conn:
        closed = await fetch(conn, context.tenant_id, get_closed_day(close_id))
        state = await fetch(conn, context.tenant_id, get_day(closed.branch_id, closed.day))
        parts = await fetch(conn, context.tenant_id, get_day_parts(closed.branch_id, closed.day))
        open_days = await fetch(conn, context.tenant_id, list_open_days(closed.branch_id, closed.day))
        of_day = await fetch(conn, context.tenant_id, list_shifts(closed.branch_id, closed.day))
    shifts = [shift for shift in of_day if shift.day_close_id == close_id]
    return context.render(
        "day_closed.html",
        closed=closed,
        drawer=shown_drawer(closed, shifts),
        shifts=shifts,
        cashiers=cashier_rows(closed.cashiers, closed.tips),
        handed_over={(row.cashier, row.payment_method_id): row.found for row in closed.handed_over or ()},
        pieces=counted_pieces(context.tenant, closed.drawer),
        names={method.id: method.name for method in closed.methods},
        day_parts=day_rows(state, parts),
        open_days=open_days,
        approvers=await approvers_for(context),
        why_not=why_not_reopened(closed),
    )


@pages.post(f"{PATH}/{{close_id}}/reopen", CASHIERS, on_error=show_closed_day)
async def reopen(context: PageContext, close_id: UUID, form: ReopeningForm) -> Response:
    closed = await context.fetch(get_closed_day(close_id))
    act = ReopenDay(close_id, form.reason)
    act.check(closed)  # before a PIN is tried
    await require_approval(context, form)
    await context.run(act)
    path = f"{PATH}?branch={closed.branch_id}&date={closed.day}"
    return context.redirect(path, flash=N_("The day is open again. Count and close it when it is right."))


def _day_to_close(context: PageContext, drawer: Drawer) -> date:
    """The day on which the drawer or the first shift was opened, also after midnight; else today."""
    opened = drawer.sums.opened_at if drawer.sums else drawer.shifts_since
    return context.format.local(opened or drawer.now).date()


def _submitted_day(context: PageContext) -> date | None:
    try:
        return date.fromisoformat(context.form.value("date"))
    except ValueError:
        return None
