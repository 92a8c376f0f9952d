"""The close of a day: count the drawer, compare each payment method, close once; the closed days."""

from datetime import date
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.day_close.close import day_totals, look_at_day, plan_close
from frontdesk.day_close.close_queries import SeenDay, get_day
from frontdesk.day_close.drawer import look_at_drawer, plan_count
from frontdesk.day_close.drawer_queries import Drawer, get_drawer
from frontdesk.day_close.stored_queries import get_closed_day, list_closed_days
from frontdesk.day_close.unpaid_queries import list_unpaid_orders
from frontdesk.errors import invalid
from frontdesk.http.field_types import CalendarDate, PageNumber
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import Call
from frontdesk.ui.drawer.by_cashier import cashier_rows
from frontdesk.ui.drawer.entered import CountForm, read_count
from frontdesk.ui.drawer.pages import submitted_branch
from frontdesk.ui.drawer.tally import tally
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit_once
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import CASHIERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.denominations import denominations_of
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest

pages = Pages()
PATH = "/day-close"
MAX_AGE = 31  # days
TOO_OLD = N_("This day is too long ago to be closed.")


class DayQuery(msgspec.Struct):
    branch: UUID | None = None
    date: CalendarDate | None = None


class ClosesQuery(msgspec.Struct):
    branch: UUID | None = None
    page: PageNumber = 1

    def link(self, **changes: str | int | None) -> str:
        values = {"branch": self.branch, "page": self.page, **changes}
        return f"{PATH}/earlier?{urlencode({name: value for name, value in values.items() if value})}"


@pages.get(PATH, CASHIERS)
async def show_day(context: PageContext, query: DayQuery | None = None) -> Response:
    """An open day, to be counted; a closed one as it is stored."""
    branch_id = (query.branch or context.branch_id) if query else submitted_branch(context)
    chosen = query.date.day if query and query.date else _submitted_day(context)
    async with context.connection() as conn:
        drawer = await fetch(conn, context.tenant_id, get_drawer(branch_id))
        day = chosen or _day_to_close(context, drawer)
        seen = await fetch(conn, context.tenant_id, get_day(drawer.branch_id, day))
        unpaid = await fetch(conn, context.tenant_id, list_unpaid_orders(drawer.branch_id, day))
    if seen.stored is not None:
        return context.redirect(f"{PATH}/{seen.stored.id}")
    return context.render(
        "day_close.html",
        drawer=drawer,
        day=day,
        has_begun=seen.day_starts <= seen.now,
        is_old=is_old(context, seen, day),
        is_past=day < _day_to_close(context, drawer),
        cashiers=cashier_rows(day_totals(context.tenant, day, seen).cashiers, seen.tips),
        refunds=seen.refunds,
        sums=seen.drawer,
        unpaid=unpaid,
        tally=tally(context.tenant, drawer, seen, context.form.values),
        names={method.id: method.name for method in drawer.methods},
        may_close=context.has_access(RECEPTION),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/count", CASHIERS, on_error=show_day)
async def save_count(context: PageContext, form: CountForm) -> Response:
    """Keeps the count of an open drawer, and shows the page with all that was entered."""
    count = read_count(context.tenant, form)
    if count.problems:
        raise invalid(count.problems)

    def decide(seen: Drawer) -> Call:
        if count.counted is None:
            raise invalid({"pieces": ["Count the drawer."]})
        return plan_count(context.tenant, seen, count.pieces, count.counted)

    if form.is_open:
        await submit_once(context, form.id, look_at_drawer(form.branch), decide, PATH)
    context.form = FormState(context.language, read_form(context.request.raw_body))
    return await show_day(context)


@pages.post(PATH, RECEPTION, on_error=show_day)
async def close(context: PageContext, form: CountForm) -> Response:
    count = read_count(context.tenant, form)
    day = form.date.day

    flash = N_("The day is closed.")

    def decide(seen: SeenDay) -> Call:
        nonlocal flash
        if seen.stored is None and is_old(context, seen, day):
            raise invalid({"": [TOO_OLD]})
        if seen.stored is not None:
            flash = N_("This day was closed before. Your count was not saved.")
        return plan_close(context.tenant, form.branch, day, seen, count)

    path = f"{PATH}?branch={form.branch}&date={day}"
    path = await submit_once(context, form.id, look_at_day(form.branch, day), decide, path)
    return context.redirect(path, flash=flash)


@pages.get(f"{PATH}/earlier", CASHIERS)
async def list_closes(context: PageContext, query: ClosesQuery) -> Response:
    page = PageRequest(query.page)
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, list_closed_days(query.branch, page))
    return context.render("day_closes.html", found=found, query=query, first=page.offset + 1)


@pages.get(f"{PATH}/{{close_id}}", CASHIERS)
async def show_closed_day(context: PageContext, close_id: UUID) -> Response:
    async with context.connection() as conn:
        closed = await fetch(conn, context.tenant_id, get_closed_day(close_id))
    listed = denominations_of(context.tenant.currency)
    pieces = closed.drawer.pieces if closed.drawer else None
    values = listed.all if listed else ()
    return context.render(
        "day_closed.html",
        closed=closed,
        drawer=closed.drawer,
        cashiers=cashier_rows(closed.cashiers, closed.tips),
        handed_over={(each.cashier, each.payment_method_id): each.found for each in closed.handed_over or ()},
        pieces=[(value, number) for value, number in zip(values, pieces or (), strict=False) if number],
        names={method.id: method.name for method in closed.methods},
    )


def _day_to_close(context: PageContext, drawer: Drawer) -> date:
    """The day on which the drawer was opened, also after midnight; else today."""
    opened = drawer.sums.opened_at if drawer.sums else None
    return context.format.local(opened or drawer.now).date()


def _submitted_day(context: PageContext) -> date | None:
    try:
        return date.fromisoformat(context.form.value("date"))
    except ValueError:
        return None


def is_old(context: PageContext, seen: SeenDay, day: date) -> bool:
    """A day so long ago is a mistake; a till can still close it by the POS API."""
    return (context.format.local(seen.now).date() - day).days > MAX_AGE
