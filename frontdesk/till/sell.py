"""Sales at the till of the dashboard: a cart becomes an order with payments and tips, or a draft that is held."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.create import CreateOrder, build_order
from frontdesk.orders.drafts import ChangeDraft, as_done
from frontdesk.orders.edit import ACCOUNT_ERRORS, above_account_limit
from frontdesk.orders.new_order import NewOrder, Payment, Tip
from frontdesk.orders.pay import build_payment, check_amount, check_tendered
from frontdesk.orders.problems import PaymentProblem, TillProblem
from frontdesk.orders.queries.draft import DraftToChange
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import NO_CASHIER, Cashier, ClientTotals, OrderRequest, OrderState, PaymentRequest, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import REMOVED, UNIQUE
from frontdesk.problems import Problem, SharedProblem
from frontdesk.till.cart import Cart, cart_request, price_cart
from frontdesk.till.queries import OrderToCheckOut, order_to_check_out
from frontdesk.till.tips import TakenPayment, split_tip
from frontdesk.values.clock import current_time
from frontdesk.values.money import exact_sum, fits_currency, highest_entry, round_half_up
from frontdesk.values.tenant_context import TenantContext


class Checkout(NamedTuple):
    """How a sale is paid. `shown` are the totals that the customer has seen, `due` what was to be paid with the tip."""

    payments: Sequence[TakenPayment] = ()
    tip: Decimal = Decimal(0)
    tip_staff_id: UUID | None = None
    cashier: Cashier = NO_CASHIER
    shown: ClientTotals | None = None
    due: Decimal | None = None
    on_account: bool = False  # the customer owes the rest

    @property
    def taken(self) -> Decimal:
        return exact_sum(payment.amount for payment in self.payments)


class SellCart(Act[OrderInputs], frozen=True):
    """The order has the id that the cart was given, so one cart cannot be sold twice."""

    sale_id: UUID
    cart: Cart
    checkout: Checkout

    def load(self) -> Query[OrderInputs]:
        return CreateOrder(request_to_read(self.cart, self.checkout)).load()

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        order, tips = build_sale(context.tenant, self.cart, self.checkout, context.loaded)
        new = build_order(context.tenant, order, context.loaded, self.sale_id, current_time())
        document = ResponseDocument("pos_order_document", self.sale_id)
        sold = msgspec.structs.replace(with_tips(new, tips), on_account=self.checkout.on_account)
        return FunctionCall("create_order", as_done(sold), document, errors=SALE_ERRORS | {UNIQUE: already_sold})


class ParkCart(Act[OrderInputs], frozen=True):
    """A draft takes neither stock nor time."""

    sale_id: UUID
    cart: Cart
    cashier: Cashier

    def load(self) -> Query[OrderInputs]:
        return CreateOrder(cart_request(self.cart)).load()

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        order = _draft(context.tenant, self.cart, self.cashier, context.loaded)
        new = build_order(context.tenant, order, context.loaded, self.sale_id, current_time())
        document = ResponseDocument("pos_order_document", self.sale_id)
        return FunctionCall("create_order", new, document, errors={UNIQUE: already_sold})


class SellParkedCart(Act[DraftToChange], frozen=True):
    order_id: UUID
    cart: Cart
    checkout: Checkout

    def load(self) -> Query[DraftToChange]:
        return ChangeDraft(self.order_id, request_to_read(self.cart, self.checkout)).load()

    def decide(self, context: Context[DraftToChange]) -> FunctionCall:
        _check_draft(context.loaded)
        order, tips = build_sale(context.tenant, self.cart, self.checkout, context.loaded.inputs)
        change = ChangeDraft(self.order_id, order, tips, at_till=True, on_account=self.checkout.on_account)
        return change.decide(context)._replace(errors=SALE_ERRORS)


class ParkCartAgain(Act[DraftToChange], frozen=True):
    order_id: UUID
    cart: Cart
    cashier: Cashier

    def load(self) -> Query[DraftToChange]:
        return ChangeDraft(self.order_id, cart_request(self.cart)).load()

    def decide(self, context: Context[DraftToChange]) -> FunctionCall:
        _check_draft(context.loaded)
        draft = _draft(context.tenant, self.cart, self.cashier, context.loaded.inputs)
        return ChangeDraft(self.order_id, draft).decide(context)


class TakePayments(Act[OrderToCheckOut], frozen=True):
    """Several payments and a tip for an order that exists; the payments may leave a rest."""

    order_id: UUID
    checkout: Checkout

    def load(self) -> Query[OrderToCheckOut]:
        return order_to_check_out(self.order_id, [payment.method_id for payment in self.checkout.payments]).locking(
            lock_row("orders", self.order_id)
        )

    def decide(self, context: Context[OrderToCheckOut]) -> FunctionCall:
        order, checkout = context.loaded.order, self.checkout
        self._check(order, context.tenant.currency_decimals)
        for payment in checkout.payments:
            choose_method(context.loaded.methods, payment.method_id, None)
        split = split_tip(checkout.payments, checkout.tip, checkout.tip_staff_id)
        argument = {
            "order_id": order.id,
            "version": order.version,
            "currency": order.currency,
            "payments": _payments(context, split.payments),
            "tips": split.tips,
            "cashier": checkout.cashier.name,
            "cashier_code": checkout.cashier.code,
            "on_account": checkout.on_account,
        }
        document = ResponseDocument("pos_order_document", order.id)
        return FunctionCall("take_payments", argument, document, errors=SALE_ERRORS)

    def _check(self, order: OrderState, decimals: int) -> None:
        checkout = self.checkout
        if order.status is Status.DRAFT:
            raise Problem(PaymentProblem.OF_DRAFT)
        if order.status is Status.CANCELED:
            raise Problem(PaymentProblem.OF_CANCELED)
        _check_due(checkout, order.remaining)
        if checkout.on_account:
            _check_account(order.customer_id, order.remaining + checkout.tip - checkout.taken)
        elif not checkout.payments:
            raise Problem(TillProblem.NO_PAYMENT, "payments")
        _check_tip(checkout, decimals)
        _check_not_above(order.remaining + checkout.tip - checkout.taken, decimals)
        _check_given(checkout, decimals)


def _payments(context: Context[OrderToCheckOut], requests: Sequence[PaymentRequest]) -> list[Payment]:
    order, decimals, now = context.loaded.order, context.tenant.currency_decimals, current_time()
    remaining, payments = order.remaining, []
    for index, request in enumerate(requests):
        check_amount(request.amount, remaining, decimals, "payments", index, "amount")
        check_tendered(request, decimals, f"pay.{index}.given")
        method_id = choose_method(context.loaded.methods, request.method_id, None)
        payments.append(build_payment(request, method_id, remaining, order.first_booking_at, now))
        remaining -= request.amount
    return payments


def build_sale(
    tenant: TenantContext, cart: Cart, checkout: Checkout, inputs: OrderInputs
) -> tuple[OrderRequest, list[Tip]]:
    """The order of a cart with its payments, which must pay it in full unless the customer owes the rest."""
    order, priced = price_cart(tenant, cart, inputs, current_time())
    if checkout.shown is not None and checkout.shown != (priced.sub_total, priced.total):
        raise Problem(TillProblem.PRICES_CHANGED)
    for payment in checkout.payments:
        choose_method(inputs.context.methods, payment.method_id, None)
    left, decimals = priced.total + checkout.tip - checkout.taken, tenant.currency_decimals
    _check_tip(checkout, decimals)
    _check_not_above(left, decimals)
    _check_given(checkout, decimals)
    if checkout.on_account:
        _check_account(cart.customer_id, left)
    else:
        _check_left(left, decimals)
    split = split_tip(checkout.payments, checkout.tip, checkout.tip_staff_id)
    # The page before said what is short. The customer may have paid on the device since, so nothing is refused now.
    order = order._replace(
        payments=split.payments, client_totals=checkout.shown, cashier=checkout.cashier, oversell=True
    )
    return order, split.tips


def _check_tip(checkout: Checkout, decimals: int) -> None:
    """A tip may be all that is paid now, but not more."""
    if not fits_currency(checkout.tip, decimals):
        raise Problem(SharedProblem.TOO_MANY_DECIMALS, "tip", most=decimals)
    if checkout.tip > highest_entry(decimals):
        raise Problem(TillProblem.TOO_HIGH, "tip", most=highest_entry(decimals))
    _check_left(checkout.tip - checkout.taken, decimals)


def _check_given(checkout: Checkout, decimals: int) -> None:
    if any(payment.given is not None and payment.given > highest_entry(decimals) for payment in checkout.payments):
        raise Problem(TillProblem.TOO_HIGH, "given", most=highest_entry(decimals))
    if any(payment.given is not None and payment.given < payment.amount for payment in checkout.payments):
        raise Problem(TillProblem.TENDERED_TOO_LOW, "given")


def _check_due(checkout: Checkout, remaining: Decimal) -> None:
    """Another user may have taken a payment since the page was opened."""
    if checkout.due is None or checkout.due == remaining + checkout.tip:
        return
    if remaining <= 0:
        raise Problem(TillProblem.PAID_MEANWHILE)
    raise Problem(TillProblem.DUE_CHANGED)


def _check_account(customer_id: UUID | None, left: Decimal) -> None:
    """How much the customer may owe is compared when the sale is written."""
    if left <= 0:
        raise Problem(TillProblem.PAID_MEANWHILE)
    if customer_id is None:
        raise above_account_limit()


def _check_not_above(left: Decimal, decimals: int) -> None:
    if left < 0:
        raise Problem(TillProblem.PAYMENTS_TOO_HIGH, "payments", over=round_half_up(-left, decimals))


def _check_left(left: Decimal, decimals: int) -> None:
    if left > 0:
        raise Problem(TillProblem.PAYMENTS_TOO_LOW, "payments", left=round_half_up(left, decimals))


def with_tips(order: NewOrder, tips: Sequence[Tip]) -> NewOrder:
    return msgspec.structs.replace(order, tips=tips)


def _draft(tenant: TenantContext, cart: Cart, cashier: Cashier, inputs: OrderInputs) -> OrderRequest:
    order = price_cart(tenant, cart, inputs, current_time()).order
    return order._replace(draft=True, cashier=cashier)


def request_to_read(cart: Cart, checkout: Checkout) -> OrderRequest:
    payments = split_tip(checkout.payments, Decimal(0), None).payments
    return cart_request(cart)._replace(payments=payments)


def _check_draft(draft: DraftToChange) -> None:
    if draft.order.status is not Status.DRAFT:
        raise already_sold()


def already_sold() -> Problem:
    return Problem(TillProblem.ALREADY_SOLD)


def no_such_staff() -> Problem:
    return Problem(TillProblem.UNKNOWN_TIP_RECEIVER, "tip_staff")


SALE_ERRORS: Final = {REMOVED: no_such_staff, **ACCOUNT_ERRORS}
