"""The shift of a cashier: count it and close it; what was counted, on paper too; opening it again."""

from uuid import UUID

from frontdesk.day_close.drawer import CountDrawer
from frontdesk.day_close.drawer_queries import get_drawer
from frontdesk.day_close.problems import CloseProblem, ShiftProblem
from frontdesk.day_close.shift import CloseShift, ReopenShift, why_not_reopened
from frontdesk.day_close.shift_queries import Shift, get_shift, list_shifts
from frontdesk.http.field_types import ShortText
from frontdesk.http.forms import read_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, not_found, raise_all
from frontdesk.ui.components.approval import ApprovalFields, approvers_for, require_approval
from frontdesk.ui.day_close.entered import CountFields, read_count
from frontdesk.ui.day_close.pages import hides_expected
from frontdesk.ui.day_close.tally import counted_pieces, tally
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.form_state import FormState
from frontdesk.ui.shell.permissions import CASHIERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7

pages = Pages()
PATH = "/shifts/{shift_id}"


class ReopeningForm(ApprovalFields, kw_only=True):
    reason: ShortText | None = None


@pages.get(PATH, CASHIERS)
async def show_shift(context: PageContext, shift_id: UUID) -> Response:
    async with context.connection() as conn:
        shift = await fetch(conn, context.tenant_id, get_shift(shift_id))
        drawer = await fetch(conn, context.tenant_id, get_drawer(shift.branch_id, shift.cashier_id))
        of_day = await fetch(conn, context.tenant_id, list_shifts(shift.branch_id, shift.day))
    return context.render(
        "shift.html" if shift.closed_at is None else "shift_closed.html",
        shift=shift,
        shifts=of_day,
        drawer=drawer,
        hidden=hides_expected(context, drawer),
        pieces=counted_pieces(context.tenant, shift.closes[-1].drawer if shift.closes else None),
        tally=tally(context.tenant, drawer, shift, context.form.values),
        names={method.id: method.name for method in drawer.methods},
        may_close=_may_close(context, shift),
        approvers=await approvers_for(context),
        why_not=why_not_reopened(shift),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/count", CASHIERS, on_error=show_shift)
async def save_count(context: PageContext, shift_id: UUID, form: CountFields) -> Response:
    """Keeps the count, and shows the page with all that was entered."""
    shift = await _own_shift(context, shift_id)
    count = read_count(context.tenant, form)
    raise_all(count.problems)
    if shift.closed_at is not None:
        raise Problem(ShiftProblem.CLOSED)
    if count.counted is None:
        raise Problem(CloseProblem.NOT_COUNTED, "pieces")
    act = CountDrawer(shift.branch_id, count.pieces, count.counted, cashier_id=shift.cashier_id)
    await submit(context, act, once=form.id, then=f"/shifts/{shift_id}")
    context.form = FormState(read_form(context.request.raw_body))
    return await show_shift(context, shift_id)


@pages.post(f"{PATH}/close", CASHIERS, on_error=show_shift)
async def close(context: PageContext, shift_id: UUID, form: CountFields) -> Response:
    """Of a blind count the first is kept before anything is compared with it."""
    shift = await _own_shift(context, shift_id)
    drawer = await context.fetch(get_drawer(shift.branch_id, shift.cashier_id))
    if shift.closed_at is None and hides_expected(context, drawer):
        return await save_count(context, shift_id, form)
    act = CloseShift(shift_id, read_count(context.tenant, form))
    path = await submit(context, act, once=form.id, then=f"/shifts/{shift_id}")
    return context.redirect(path, flash=N_("The shift is closed."))


@pages.post(f"{PATH}/reopen", CASHIERS, on_error=show_shift)
async def reopen(context: PageContext, shift_id: UUID, form: ReopeningForm) -> Response:
    act = ReopenShift(shift_id, form.reason)
    act.check(await context.fetch(act.load()))  # before a PIN is tried
    await require_approval(context, form)
    await context.run(act)
    return context.redirect(
        f"/shifts/{shift_id}", flash=N_("The shift is open again. Count and close it when it is right.")
    )


async def _own_shift(context: PageContext, shift_id: UUID) -> Shift:
    shift = await context.fetch(get_shift(shift_id))
    if not _may_close(context, shift):
        raise not_found("shift")
    return shift


def _may_close(context: PageContext, shift: Shift) -> bool:
    """The reception also closes a shift whose cashier has gone home."""
    return shift.cashier_id == context.user.id or context.has_access(RECEPTION)
