"""Recording a payment against an order."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.problems import PaymentProblem
from frontdesk.orders.queries.order_state import OrderToPay, lock_order, order_to_pay
from frontdesk.orders.types import NO_CASHIER, Cashier, Payment, PaymentRequest, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.write import Call, Document, Look
from frontdesk.problems import Problem, SharedProblem
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.money import fits_currency, round_half_up


def look_at_payment(order_id: UUID, payment: PaymentRequest) -> Look[OrderToPay]:
    return Look(order_to_pay(order_id, payment.method_id, payment.method_type), lock_order(order_id))


def plan_payment(
    tenant: TenantContext,
    request: PaymentRequest,
    seen: OrderToPay,
    cashier: Cashier = NO_CASHIER,
    *,
    returns_order: bool = False,
) -> Call:
    """The response is the transaction, or the order as the POS API returns it."""
    order = seen.order
    if request.date is not None:
        request = request._replace(date=tenant.to_utc(request.date, "date"))
    if order.status is Status.DRAFT:
        raise Problem(PaymentProblem.OF_DRAFT)
    if order.status is Status.CANCELED:
        raise Problem(PaymentProblem.OF_CANCELED)
    method_id = choose_method(seen.methods, request.method_id, request.method_type)
    check_amount(request.amount, order.remaining, tenant.currency_decimals, "amount")
    check_tendered(request, tenant.currency_decimals, "tendered")
    payment = build_payment(request, method_id, order.remaining, order.first_booking_at, datetime.now(UTC))
    argument = {
        "order_id": order.id,
        "version": order.version,
        "payment": payment,
        "currency": order.currency,
        "cashier": cashier.name,
        "cashier_code": cashier.code,
    }
    response = (
        Document("pos_order_document", order.id) if returns_order else Document("transaction_document", payment.id)
    )
    return Call("pay_order", argument, response)


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
