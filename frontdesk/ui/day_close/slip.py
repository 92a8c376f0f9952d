"""The count of a closed day or shift on the 80 mm roll."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.day_close.drawer_queries import Method, get_drawer
from frontdesk.day_close.drawer_types import MethodCount, StoredDrawer
from frontdesk.day_close.shift_queries import ShiftRow, get_shift, list_shifts
from frontdesk.day_close.stored_queries import ShownDayClose, get_closed_day
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


@pages.get("/day-close/{close_id}/slip", CASHIERS)
async def show_day_slip(context: PageContext, close_id: UUID) -> Response:
    async with context.connection() as conn:
        closed = await fetch(conn, context.tenant_id, get_closed_day(close_id))
        of_day = await fetch(conn, context.tenant_id, list_shifts(closed.branch_id, closed.day))
    shifts = [shift for shift in of_day if shift.day_close_id == close_id]
    drawer = shown_drawer(closed, shifts)
    return context.render(
        "slip.html",
        title=N_("Day close"),
        back=f"/day-close/{close_id}",
        branch=closed.branch,
        facts=[
            (N_("Day"), context.format.day(closed.day)),
            (N_("Number"), str(closed.number)),
            (N_("Time"), _span(context, closed.starts_at, closed.ends_at)),
        ],
        drawer=drawer,
        rows=_rows(context, drawer, closed.counts or [], closed.methods),
        shifts=shifts,
        close=closed,
    )


@pages.get("/shifts/{shift_id}/slip", CASHIERS)
async def show_shift_slip(context: PageContext, shift_id: UUID) -> Response:
    async with context.connection() as conn:
        shift = await fetch(conn, context.tenant_id, get_shift(shift_id))
        methods = (await fetch(conn, context.tenant_id, get_drawer(shift.branch_id))).methods
    if shift.closed_at is None:
        raise not_found("closed shift")
    close = shift.closes[-1]
    return context.render(
        "slip.html",
        title=N_("Shift"),
        back=f"/shifts/{shift_id}",
        branch=shift.branch,
        facts=[
            (N_("Day"), context.format.day(shift.day)),
            (N_("Time"), _span(context, shift.opened_at, shift.closed_at)),
            (N_("Cashier"), shift.cashier or ""),
            (N_("Drawer"), str(shift.number)),
        ],
        drawer=close.drawer,
        rows=_rows(context, close.drawer, close.methods, methods),
        shifts=[],
        close=close,
    )


def shown_drawer(closed: ShownDayClose, shifts: Sequence[ShiftRow]) -> StoredDrawer | None:
    """The drawer of all, unless there were shifts, it was not open, and nobody took cash without a shift."""
    drawer = closed.drawer
    is_unused = drawer is not None and drawer.session_id is None and drawer.counted is None and not drawer.expected
    return None if shifts and is_unused else drawer


def _span(context: PageContext, starts: datetime, ends: datetime) -> str:
    return f"{context.format.time(starts)}–{context.format.time(ends)}"


def _rows(
    context: PageContext, drawer: StoredDrawer | None, counts: Sequence[MethodCount], methods: Sequence[Method]
) -> list[tuple[str, Decimal, Decimal | None]]:
    """What was expected and found by each payment method, with its name."""
    names = {method.id: method.name for method in methods}
    cash = [(context.translate(N_("Cash")), drawer.expected, drawer.counted)] if drawer else []
    others = [(context.format.localized(names[row.payment_method_id]), row.expected, row.found) for row in counts]
    return [*cash, *others]
