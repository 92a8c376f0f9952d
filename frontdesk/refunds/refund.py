"""Refunding an order: an order of its own with negative lines and transactions, by line, by amount or in full."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.invoices.credit import credit_notes, credit_rest
from frontdesk.invoices.money_types import (
    NewCreditNote,
    RefundableLine,
    RefundedLine,
    RefundLine,
    RefundRequest,
    RefundToCredit,
)
from frontdesk.invoices.order_queries import OrderToRefund, order_to_refund
from frontdesk.orders.change_status import is_upcoming
from frontdesk.orders.problems import RefundProblem
from frontdesk.orders.types import OrderState, Source, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version
from frontdesk.refunds.refund_lines import build_refund_lines, spread_over_payments
from frontdesk.values.actor import Actor
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum
from frontdesk.values.tenant_context import TenantContext

_SOURCES = {"key": Source.POS, "app": Source.API}


class RefundOrder(Act[OrderToRefund], frozen=True):
    """With `cancel_order` the order is canceled in the same transaction."""

    order_id: UUID
    request: RefundRequest
    refund_id: UUID | None = None
    version: int | None = None  # the one that a form was filled from
    document: str = "pos_order_document"  # of the refund

    def load(self) -> Query[OrderToRefund]:
        return order_to_refund(self.order_id, self.request.method_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[OrderToRefund]) -> FunctionCall:
        order, refund_id = context.loaded.order, self.refund_id or uuid7()
        check_version(self.version, order.version, order.id)
        argument = build_refund(context.tenant, context.loaded, self.request, context.actor, refund_id)
        return FunctionCall("refund_order", argument, ResponseDocument(self.document, refund_id))


def build_refund(
    tenant: TenantContext, loaded: OrderToRefund, request: RefundRequest, actor: Actor, refund_id: UUID
) -> dict[str, Any]:
    """The argument of the database function `refund_order`."""
    order, decimals, issued_by = loaded.order, tenant.currency_decimals, actor.user_id
    _check_order(order, request)
    if request.method_id is not None:
        choose_method(loaded.methods, request.method_id, None)
    lines = build_refund_lines(order, loaded.sold, request, decimals)
    amount = exact_sum(line.total for line in lines)
    # A canceled order has returned its products already, and one that is canceled now returns them now.
    restock = (request.restock or request.cancel_order) and order.holds_time_and_stock
    return {
        "id": refund_id,
        "order_id": order.id,
        "version": order.version,
        "source": request.source or _SOURCES.get(actor.type, Source.DASHBOARD),
        "amount": amount,
        "discount_amount": exact_sum(line.discount_amount for line in lines),
        "tax_amount": exact_sum(line.tax_amount for line in lines),
        "lines": lines,
        "payments": list(spread_over_payments(amount, loaded.paid, request.method_id)),
        "restock": restock,
        "restocked": restock or order.status is Status.CANCELED,
        "cancel_order": request.cancel_order,
        "reason": request.reason,
        "cashier": request.cashier.name,
        "cashier_code": request.cashier.code,
        "credit_note": _credit_note(loaded, lines, refund_id, issued_by, decimals),
        "rest_credit_note": credit_what_is_left(loaded, lines, issued_by, decimals) if request.cancel_order else None,
    }


def _check_order(order: OrderState, request: RefundRequest) -> None:
    if order.status is Status.DRAFT:
        raise Problem(RefundProblem.OF_DRAFT)
    if order.parent_id is not None:
        raise Problem(RefundProblem.OF_REFUND, "order_id")
    if request.lines is not None and request.amount is not None:
        raise Problem(RefundProblem.LINES_AND_AMOUNT, "amount")
    if request.amount is not None and request.restock:
        raise Problem(RefundProblem.RESTOCK_WITHOUT_LINES, "restock")
    if request.cancel_order and not is_upcoming(order):
        raise Problem(RefundProblem.NOTHING_TO_CANCEL, "cancel_order")


def _credit_note(
    loaded: OrderToRefund, lines: Sequence[RefundLine], refund_id: UUID, issued_by: UUID | None, decimals: int
) -> NewCreditNote | None:
    """None also for a canceled order: its whole invoice was credited when it was canceled."""
    if loaded.invoice is None or loaded.order.status is Status.CANCELED:
        return None
    sold = {line.id: line for line in loaded.sold}
    refunded = [
        RefundedLine(
            name=sold[line.sold_id].name,
            names=sold[line.sold_id].names,
            type=sold[line.sold_id].type,
            quantity=line.quantity,
            price=line.price,
            discount_amount=line.discount_amount,
            total=line.total,
            tax_rate=sold[line.sold_id].tax_rate,
            tax_amount=line.tax_amount,
        )
        for line in lines
    ]
    refund = RefundToCredit(refund_id, exact_sum(line.total for line in lines), refunded)
    return credit_notes(loaded.invoice, [refund], issued_by, current_time(), decimals)[0]


def credit_what_is_left(
    loaded: OrderToRefund, lines: Sequence[RefundLine], issued_by: UUID | None, decimals: int
) -> NewCreditNote | None:
    """Of the invoice, after this refund."""
    refunded = {line.sold_id: line for line in lines}
    sold = [_after_refund(line, refunded[line.id]) if line.id in refunded else line for line in loaded.sold]
    return credit_rest(loaded.invoice, sold, loaded.order.id, issued_by, current_time(), decimals)


def _after_refund(sold: RefundableLine, line: RefundLine) -> RefundableLine:
    total, tax = sold.refunded_total + line.total, sold.refunded_tax + line.tax_amount
    return msgspec.structs.replace(sold, refunded_total=total, refunded_tax=tax)
