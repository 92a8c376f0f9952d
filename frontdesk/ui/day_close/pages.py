"""The drawer of all or of the own shift: open it with a float, put cash in and take it out."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.day_close.drawer import MoveDrawerCash, OpenDrawer
from frontdesk.day_close.drawer_queries import Drawer, get_drawer
from frontdesk.day_close.drawer_settings import MAX_DRAWERS
from frontdesk.day_close.drawer_types import MovementKind
from frontdesk.http.field_types import EnteredAmount, ShortText
from frontdesk.http.responses import Response
from frontdesk.http.routing import path_id
from frontdesk.i18n.texts import N_
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount

pages = Pages()
PATH = "/drawer"
KINDS = {  # of events, as their heading
    "opened": N_("Opened with float"),
    "sale": N_("Cash sale"),
    "refund": N_("Cash refund"),
    "change": N_("Change for another method"),
    "tip": N_("Cash tip"),
    "in": N_("Cash in"),
    "out": N_("Cash out"),
    "safe": N_("To the safe"),
    "count": N_("Counted"),
}
MOVED = {
    "in": N_("Cash in recorded."),
    "out": N_("Cash out recorded."),
    "safe": N_("Recorded as taken to the safe."),
}


class BranchQuery(msgspec.Struct):
    branch: UUID | None = None


class OpeningForm(msgspec.Struct):
    id: UUID
    branch: UUID
    float: EnteredAmount
    drawer: Annotated[int, Meta(ge=1, le=MAX_DRAWERS)] = 1
    reason: ShortText | None = None


class MovementForm(msgspec.Struct):
    id: UUID
    branch: UUID
    kind: Literal["in", "out", "safe"]
    amount: EnteredAmount
    reason: ShortText | None = None


@pages.get(PATH, CASHIERS)
async def show_drawer(context: PageContext, query: BranchQuery | None = None) -> Response:
    branch_id = (query.branch or context.branch_id) if query else submitted_branch(context)
    drawer = await context.fetch(get_drawer(branch_id, context.user.id))
    free = [place for place in drawer.drawers if not place.is_open]
    left = free[0].left.amount if len(free) == 1 and free[0].left else None
    return context.render(
        "drawer.html",
        drawer=drawer,
        sums=drawer.sums,
        hidden=hides_expected(context, drawer),
        kinds=KINDS,
        free=free,
        left=None if left is None else format_amount(left, context.tenant.currency_decimals),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/open", CASHIERS, on_error=show_drawer)
async def open_drawer(context: PageContext, form: OpeningForm) -> Response:
    """For all, or as the shift of who opens it, as the business has chosen."""
    drawer = await context.fetch(get_drawer(form.branch))
    cashier_id = context.user.id if drawer.own_shifts else None
    act = OpenDrawer(form.branch, form.float.amount, form.reason, form.drawer, cashier_id=cashier_id)
    path = await submit(context, act, once=form.id, then=f"{PATH}?branch={form.branch}")
    return context.redirect(path, flash=N_("Your shift is open.") if drawer.own_shifts else N_("The drawer is open."))


@pages.post(f"{PATH}/move", CASHIERS, on_error=show_drawer)
async def move_cash(context: PageContext, form: MovementForm) -> Response:
    kind, amount = MovementKind(form.kind), form.amount.amount
    act = MoveDrawerCash(
        form.branch, kind, amount, form.reason, says_content=context.is_manager, cashier_id=context.user.id
    )
    path = await submit(context, act, once=form.id, then=f"{PATH}?branch={form.branch}")
    return context.redirect(path, flash=MOVED[form.kind])


def hides_expected(context: PageContext, drawer: Drawer) -> bool:
    """Of a blind count: what should be in the drawer is not in the page before it is counted. Managers see it."""
    return drawer.blind_count and not context.is_manager and drawer.sums is not None and not drawer.is_counted


def submitted_branch(context: PageContext) -> UUID | None:
    """Of a form that is shown again."""
    sent = context.form.value("branch")
    return path_id(sent) if sent else None
