"""The drawer: open it with a float, put cash in and take it out."""

from typing import Literal
from uuid import UUID

import msgspec

from frontdesk.day_close.drawer import MoveDrawerCash, OpenDrawer
from frontdesk.day_close.drawer_queries import get_drawer
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
    drawer = await context.fetch(get_drawer(branch_id))
    left = drawer.left.amount if drawer.left else None
    return context.render(
        "drawer.html",
        drawer=drawer,
        sums=drawer.sums,
        kinds=KINDS,
        left=None if left is None else format_amount(left, context.tenant.currency_decimals),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/open", CASHIERS, on_error=show_drawer)
async def open_drawer(context: PageContext, form: OpeningForm) -> Response:
    act = OpenDrawer(form.branch, form.float.amount, form.reason)
    path = await submit(context, act, once=form.id, then=f"{PATH}?branch={form.branch}")
    return context.redirect(path, flash=N_("The drawer is open."))


@pages.post(f"{PATH}/move", CASHIERS, on_error=show_drawer)
async def move_cash(context: PageContext, form: MovementForm) -> Response:
    act = MoveDrawerCash(form.branch, MovementKind(form.kind), form.amount.amount, form.reason)
    path = await submit(context, act, once=form.id, then=f"{PATH}?branch={form.branch}")
    return context.redirect(path, flash=MOVED[form.kind])


def submitted_branch(context: PageContext) -> UUID | None:
    """Of a form that is shown again."""
    sent = context.form.value("branch")
    return path_id(sent) if sent else None
