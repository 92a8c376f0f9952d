"""Giving lines of an earlier sale back, and taking others instead: a refund and a new sale, both or neither."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.cart import Cart, price_cart
from frontdesk.orders.create import build_order
from frontdesk.orders.drafts import as_done
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.problems import TillProblem
from frontdesk.orders.queries.order_state import lock_order
from frontdesk.orders.queries.till import OrderToExchange, order_to_exchange
from frontdesk.orders.refund import build_refund
from frontdesk.orders.till import Checkout, already_sold, build_sale, look_at_sale, no_such_staff, with_tips
from frontdesk.orders.tips import TakenPayment
from frontdesk.orders.types import Source
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.write import REMOVED, UNIQUE, Look
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext


class Return(NamedTuple):
    """What comes back of an earlier sale, and by which method its money goes."""

    order_id: UUID
    lines: Mapping[UUID, int]
    method_id: UUID | None = None  # None: the methods of the payments
    restock: bool = True
    reason: str | None = None


def return_request(back: Return, checkout: Checkout) -> RefundRequest:
    return RefundRequest(
        lines=back.lines,
        restock=back.restock,
        method_id=back.method_id,
        reason=back.reason,
        cashier=checkout.cashier,
        source=Source.POS,
    )


def look_at_exchange(back: Return, cart: Cart, checkout: Checkout) -> Look[OrderToExchange]:
    sale = look_at_sale(cart, _with_return(back, checkout, Decimal(1)))
    return Look(order_to_exchange(back.order_id, back.method_id, sale.query), lock_order(back.order_id))


def plan_exchange(
    tenant: TenantContext,
    back: Return,
    cart: Cart,
    checkout: Checkout,
    seen: OrderToExchange,
    actor: Actor,
    sale_id: UUID,
) -> FunctionCall:
    """The refund also pays the new sale, by the same method: the customer pays the difference, or gets it."""
    refund = build_refund(tenant, seen.refund, return_request(back, checkout), actor, uuid7())
    total = price_cart(tenant, cart, seen.sale, datetime.now(UTC)).priced.total
    covered = min(refund["amount"], total)
    paid = _with_return(back, checkout, covered)
    order, tips = build_sale(tenant, cart, paid, seen.sale)
    new = as_done(with_tips(build_order(tenant, order, seen.sale, sale_id, datetime.now(UTC)), tips))
    if covered > 0:
        returned = msgspec.structs.replace(new.payments[0], returned_order_id=back.order_id)
        new = msgspec.structs.replace(new, payments=[returned, *new.payments[1:]])
    response = ResponseDocument("pos_order_document", sale_id)
    return FunctionCall(
        "exchange_order",
        {"refund": refund, "order": new},
        response,
        errors={UNIQUE: already_sold, REMOVED: no_such_staff},
    )


def _with_return(back: Return, checkout: Checkout, covered: Decimal) -> Checkout:
    if back.method_id is None:
        raise Problem(TillProblem.NO_REFUND_METHOD, "back_method")
    if covered <= 0:
        return checkout
    return checkout._replace(payments=[TakenPayment(back.method_id, covered), *checkout.payments])
