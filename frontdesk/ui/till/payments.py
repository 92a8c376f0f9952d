"""Finishing what is in the till: a sale, a payment, a refund or an exchange, each once; and holding it as a draft."""

from decimal import Decimal
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from frontdesk.http.field_types import EnteredAmount
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.problems import TillProblem
from frontdesk.orders.types import MAX_PAYMENTS, Cashier, ClientTotals
from frontdesk.problems import Problem, SharedProblem
from frontdesk.refunds.refund import RefundOrder
from frontdesk.till.check_out import CheckOutOrder
from frontdesk.till.exchange import ExchangeOrder, Return, return_request
from frontdesk.till.queries import find_cashier_code
from frontdesk.till.sell import Checkout, ParkCart, ParkCartAgain, SellCart, SellParkedCart, TakePayments
from frontdesk.till.tips import TakenPayment
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.cookies import RECEIPT, set_cookie
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.amounts import check_amounts
from frontdesk.ui.till.changes import TillFields, add_method, apply_fields, left_of
from frontdesk.ui.till.hand_over import hand_over, receipt_path
from frontdesk.ui.till.pages import show_till
from frontdesk.ui.till.prices import check_prices
from frontdesk.ui.till.state import FIELDS, PATH, PayRow, TillState, new_state, read_state
from frontdesk.ui.till.view import resolve_rows
from frontdesk.values.ids import uuid7

pages = Pages()


class FinishForm(TillFields, kw_only=True):
    """With what the page showed: the totals of the sale, and what is to be paid with the tip."""

    shown_sub_total: EnteredAmount
    shown_total: EnteredAmount
    shown_tip: EnteredAmount
    due: EnteredAmount
    cash: Annotated[int, Meta(ge=0, le=MAX_PAYMENTS)] | None = None  # the row that `given` belongs to
    on_account: bool = False  # the customer owes what is not paid


class HoldForm(TillFields, kw_only=True):
    pass


@pages.post(f"{PATH}/pay", CASHIERS, on_error=show_till, fields=FIELDS)
async def finish(context: PageContext, form: FinishForm) -> Response:
    before = read_state(form.state)
    state = apply_fields(before, form)
    if state.receipt:
        set_cookie(context.request, RECEIPT, state.receipt)
    cash = state.pay[form.cash] if form.cash is not None and form.cash < len(state.pay) else None
    if form.method is not None:
        left = left_of(state, _due(state, form))
        state = add_method(state, form.method, form.part.amount if form.part else None)
        if form.part is not None and form.part.amount < left:
            return context.redirect(state.url)  # another method takes the rest
    if form.on_account:
        _check_on_account(state, form, cash)
    checkout = _checkout(state, form, cash, await _cashier(context))
    async with context.connection() as conn:
        # The sale is refused unless its totals are those that were shown.
        await check_prices(context, conn, state, form.shown_sub_total.amount, form.shown_total.amount)
    if state.back is not None:
        return await _give_back(context, state, checkout)
    if not state.lines and state.order is not None:
        return await _pay_order(context, state, state.order, checkout)
    if not state.lines:
        raise page_problem(N_("The cart is empty."))
    if state.order is not None and state.checks_out:
        return await _check_out(context, state, state.order, checkout)
    if state.order is not None:
        return await _sell_parked(context, state, state.order, checkout)
    sale = SellCart(state.sale, state.cart, checkout)
    path = await submit(context, sale, once=state.sale, then=receipt_path(state, state.sale))
    return await hand_over(context, state, state.sale, path)


@pages.post(f"{PATH}/hold", CASHIERS, on_error=show_till, fields=FIELDS)
async def hold(context: PageContext, form: HoldForm) -> Response:
    state = apply_fields(read_state(form.state), form)
    cashier = await _cashier(context)
    if not state.lines:
        raise page_problem(N_("The cart is empty."))
    if state.checks_out:
        raise page_problem(N_("This is an order already: take its payment, or leave the rest for later."))
    if state.people and state.customer is None:
        raise page_problem(N_("Choose the customer that you typed, or go on without one."), "people")
    async with context.connection() as conn:
        await check_amounts(context, conn, state)
    after = new_state()._replace(branch=state.branch).url
    if state.order is not None:
        again = ParkCartAgain(state.order, state.cart, cashier)
        path = await submit(context, again, once=uuid7(), then=after)
    else:
        path = await submit(context, ParkCart(state.sale, state.cart, cashier), once=state.sale, then=after)
    return context.redirect(path, flash=N_("Held as a draft."))


async def _pay_order(context: PageContext, state: TillState, order_id: UUID, checkout: Checkout) -> Response:
    act = TakePayments(order_id, checkout)
    path = await submit(context, act, once=state.sale, then=receipt_path(state, order_id))
    return await hand_over(context, state, order_id, path)


async def _check_out(context: PageContext, state: TillState, order_id: UUID, checkout: Checkout) -> Response:
    """An order that was changed elsewhere is shown again as it is now."""
    act = CheckOutOrder(order_id, state.version or 0, state.cart, checkout)
    try:
        path = await submit(context, act, once=state.sale, then=receipt_path(state, order_id))
    except Problem as problem:
        if problem.kind is not SharedProblem.OUTDATED:
            raise
        changed = N_("This order was changed meanwhile. Nothing was taken: here it is as it is now.")
        return context.redirect(f"{PATH}?order={order_id}", flash=changed)
    return await hand_over(context, state, order_id, path)


async def _sell_parked(context: PageContext, state: TillState, order_id: UUID, checkout: Checkout) -> Response:
    sale = SellParkedCart(order_id, state.cart, checkout)
    path = await submit(context, sale, once=state.sale, then=receipt_path(state, order_id))
    return await hand_over(context, state, order_id, path)


async def _give_back(context: PageContext, state: TillState, checkout: Checkout) -> Response:
    """A return alone is a refund; with a cart it is an exchange."""
    back, then = _return(state), receipt_path(state, state.sale)
    if state.lines:
        exchange = ExchangeOrder(state.sale, back, state.cart, checkout)
        path = await submit(context, exchange, once=state.sale, then=then)
    else:
        refund = RefundOrder(back.order_id, return_request(back, checkout), state.sale)
        path = await submit(context, refund, once=state.sale, then=then)
    return await hand_over(context, state, state.sale, path)


def _return(state: TillState) -> Return:
    if state.back is None:
        raise RuntimeError("nothing comes back")
    return Return(
        state.back, dict(state.give), state.back_method, restock=state.restock == "yes", reason=state.reason or None
    )


def _checkout(state: TillState, form: FinishForm, cash: PayRow | None, cashier: Cashier) -> Checkout:
    """Rows that take what is left take it from what the page showed; the sale is refused if that has changed."""
    tip, due = _tip(state, form), _due(state, form)
    rows = [row for row in state.pay if row.amount is not None] if form.on_account else state.pay
    amounts = resolve_rows(rows, due)
    payments = [
        TakenPayment(row.method_id, amount, state.given if row is cash else None)
        for row, amount in zip(rows, amounts, strict=True)
        if amount > 0
    ]
    shown = ClientTotals(form.shown_sub_total.amount, form.shown_total.amount)
    return Checkout(payments, tip, state.tip_staff, cashier, shown, due, form.on_account)


def _check_on_account(state: TillState, form: FinishForm, cash: PayRow | None) -> None:
    """What was typed as paid belongs to a method. A row that takes the rest takes nothing: the customer owes it."""
    if state.back is not None:
        raise Problem(TillProblem.EXCHANGE_ON_ACCOUNT)
    if form.part is not None and form.method is None:
        raise Problem(TillProblem.PART_WITHOUT_METHOD, "part")
    if state.given is not None and (cash is None or cash.amount is None):
        raise Problem(TillProblem.PART_WITHOUT_METHOD, "given")


def _tip(state: TillState, form: FinishForm) -> Decimal:
    return state.tip if state.tip is not None else form.shown_tip.amount


def _due(state: TillState, form: FinishForm) -> Decimal:
    """With a tip that was typed since the page was shown."""
    return form.due.amount - form.shown_tip.amount + _tip(state, form)


async def _cashier(context: PageContext) -> Cashier:
    """The signed-in user, with the code of the cashier of that name."""
    name = context.user.name
    return Cashier(name, await context.fetch(find_cashier_code(name)))
