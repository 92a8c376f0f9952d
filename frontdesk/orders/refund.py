"""Refunding an order: an order of its own with negative lines and transactions, by line, by amount or in full."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.change_status import is_coming
from frontdesk.orders.credit import credit_notes
from frontdesk.orders.money_types import NewCreditNote, RefundedLine, RefundLine, RefundRequest, RefundToCredit
from frontdesk.orders.queries.order_state import lock_order
from frontdesk.orders.queries.refunding import OrderToRefund, order_to_refund
from frontdesk.orders.refund_lines import build_refund_lines, spread_over_payments
from frontdesk.orders.types import OrderState, Source, Status
from frontdesk.payments.resolve import choose_method
from frontdesk.postgres.write import Call, Document, Look
from frontdesk.tenants.types import TenantContext
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum

_SOURCES = {"key": Source.POS, "app": Source.API}


def look_at_refund(order_id: UUID, request: RefundRequest) -> Look[OrderToRefund]:
    return Look(order_to_refund(order_id, request.method_id), lock_order(order_id))


def plan_refund(
    tenant: TenantContext, seen: OrderToRefund, request: RefundRequest, actor: Actor, refund_id: UUID | None = None
) -> Call:
    """With `cancel_order` the order is canceled in the same transaction."""
    refund_id = refund_id or uuid7()
    argument = build_refund(tenant, seen, request, actor, refund_id)
    return Call("refund_order", argument, Document("pos_order_document", refund_id))


def build_refund(
    tenant: TenantContext, seen: OrderToRefund, request: RefundRequest, actor: Actor, refund_id: UUID
) -> dict[str, Any]:
    """The argument of the database function `refund_order`."""
    order, decimals = seen.order, tenant.currency_decimals
    _check_order(order, request)
    if request.method_id is not None:
        choose_method(seen.methods, request.method_id, None)
    lines = build_refund_lines(order, seen.sold, request, decimals)
    amount = exact_sum(line.total for line in lines)
    if request.cancel_order:
        _check_cancellation(order, amount)
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
        "payments": list(spread_over_payments(amount, seen.paid, request.method_id)),
        "restock": restock,
        "restocked": restock or order.status is Status.CANCELED,
        "cancel_order": request.cancel_order,
        "reason": request.reason,
        "cashier": request.cashier.name,
        "cashier_code": request.cashier.code,
        "credit_note": _credit_note(seen, lines, amount, refund_id, actor, decimals),
    }


def _check_order(order: OrderState, request: RefundRequest) -> None:
    if order.status is Status.DRAFT:
        raise WireError(Code.ORDER_IS_DRAFT, "The order is a draft and has no payments to refund.")
    if order.parent_id is not None:
        raise invalid({"order_id": ["is a refund and cannot be refunded"]})
    if request.lines is not None and request.amount is not None:
        raise invalid({"amount": ["must not be sent together with lines"]})
    if request.amount is not None and request.restock:
        raise invalid({"restock": ["requires lines or whole: refunding an amount returns no products"]})
    if request.cancel_order and not is_coming(order):
        raise invalid({"cancel_order": ["requires an upcoming appointment"]})


def _check_cancellation(order: OrderState, amount: Decimal) -> None:
    if order.invoiced and order.refunded_amount + amount < order.paid_amount:
        raise WireError(Code.ORDER_HAS_INVOICE, "The order has an invoice. Refund it in full before you cancel it.")


def _credit_note(
    seen: OrderToRefund, lines: Sequence[RefundLine], amount: Decimal, refund_id: UUID, actor: Actor, decimals: int
) -> NewCreditNote | None:
    if seen.invoice is None:
        return None
    sold = {line.id: line for line in seen.sold}
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
    issued_by = actor.id if actor.type == "user" else None
    refund = RefundToCredit(refund_id, amount, refunded)
    return credit_notes(seen.invoice, [refund], issued_by, datetime.now(UTC), decimals)[0]
