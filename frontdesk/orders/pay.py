"""Recording a payment against an order."""

from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.new_order import Payment
from frontdesk.orders.problems import PaymentProblem
from frontdesk.orders.queries.order_state import OrderToPay, order_to_pay
from frontdesk.orders.types import NO_CASHIER, Cashier, PaymentRequest, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, SharedProblem, check_version
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.money import fits_currency, round_half_up
from frontdesk.values.tenant_context import TenantContext

MOST_AHEAD = timedelta(days=1)  # of a payment: clocks differ, and a day may begin earlier elsewhere


class PayOrder(Act[OrderToPay], frozen=True):
    """The response is the transaction, or the order as the POS API returns it."""

    order_id: UUID
    payment: PaymentRequest
    cashier: Cashier = NO_CASHIER
    returns_order: bool = False
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[OrderToPay]:
        return order_to_pay(self.order_id, self.payment.method_id, self.payment.method_type).locking(
            lock_row("orders", self.order_id)
        )

    def decide(self, context: Context[OrderToPay]) -> FunctionCall:
        payment = self._paid(context)
        order = context.loaded.order
        argument = {
            "order_id": order.id,
            "version": order.version,
            "payment": payment,
            "currency": order.currency,
            "cashier": self.cashier.name,
            "cashier_code": self.cashier.code,
        }
        if self.returns_order:
            return FunctionCall("pay_order", argument, ResponseDocument("pos_order_document", order.id))
        return FunctionCall("pay_order", argument, ResponseDocument("transaction_document", payment.id))

    def _paid(self, context: Context[OrderToPay]) -> Payment:
        request, order, tenant = self.payment, context.loaded.order, context.tenant
        check_version(self.version, order.version, order.id)
        request = with_instant(request, tenant, "date")
        if order.status is Status.DRAFT:
            raise Problem(PaymentProblem.OF_DRAFT)
        if order.status is Status.CANCELED:
            raise Problem(PaymentProblem.OF_CANCELED)
        method_id = choose_method(context.loaded.methods, request.method_id, request.method_type)
        check_amount(request.amount, order.remaining, tenant.currency_decimals, "amount")
        check_tendered(request, tenant.currency_decimals, "tendered")
        return build_payment(request, method_id, order.remaining, order.first_booking_at, current_time())


def check_amount(amount: Decimal, remaining: Decimal, decimals: int, *at: str | int) -> None:
    if fits_currency(amount, decimals) and 0 < amount <= remaining:
        return
    unpaid = round_half_up(remaining, decimals)
    if not fits_currency(amount, decimals):
        raise Problem(PaymentProblem.TOO_MANY_DECIMALS, *at, most=decimals, remaining=unpaid)
    raise Problem(PaymentProblem.NOT_POSITIVE if amount <= 0 else PaymentProblem.ABOVE_REMAINING, *at, remaining=unpaid)


def check_tendered(request: PaymentRequest, decimals: int, *at: str | int) -> None:
    if request.tendered is None:
        return
    if not fits_currency(request.tendered, decimals):
        raise Problem(SharedProblem.TOO_MANY_DECIMALS, *at, most=decimals)
    if request.tendered < request.amount:
        raise Problem(PaymentProblem.TENDERED_BELOW_AMOUNT, *at)


def with_instant(request: PaymentRequest, tenant: TenantContext, *at: str | int) -> PaymentRequest:
    """When it was paid. Reports count a payment on its day, so one of a later day would be missing until then."""
    if request.date is None:
        return request
    moment = tenant.to_utc(request.date, *at)
    if moment > current_time() + MOST_AHEAD:
        raise Problem(PaymentProblem.TOO_FAR_AHEAD, *at, hours=MOST_AHEAD // timedelta(hours=1))
    return request._replace(date=moment)


def build_payment(
    request: PaymentRequest, method_id: UUID, remaining: Decimal, begins: datetime | None, now: datetime
) -> Payment:
    """A deposit is a partial payment before the first booking begins."""
    return Payment(
        id=uuid7(),
        method_id=method_id,
        amount=request.amount,
        is_deposit=begins is not None and now < begins and request.amount < remaining,
        note=request.note,
        reference_number=request.reference_number,
        date=request.date or now,
        tendered=request.tendered,
    )
