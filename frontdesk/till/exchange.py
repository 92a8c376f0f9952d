"""Giving lines of an earlier sale back, and taking others instead: a refund and a new sale, both or neither."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.create import build_order
from frontdesk.orders.drafts import as_done
from frontdesk.orders.problems import TillProblem
from frontdesk.orders.types import Source
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.postgres.write import REMOVED, UNIQUE
from frontdesk.problems import Problem
from frontdesk.refunds.refund import build_refund
from frontdesk.till.cart import Cart, price_cart
from frontdesk.till.queries import OrderToExchange, order_to_exchange
from frontdesk.till.sell import Checkout, SellCart, already_sold, build_sale, no_such_staff, with_tips
from frontdesk.till.tips import TakenPayment
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7


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


class ExchangeOrder(Act[OrderToExchange], frozen=True):
    """The refund also pays the new sale, by the same method: the customer pays the difference, or gets it."""

    sale_id: UUID
    back: Return
    cart: Cart
    checkout: Checkout

    def load(self) -> Query[OrderToExchange]:
        sale = SellCart(self.sale_id, self.cart, _with_return(self.back, self.checkout, Decimal(1)))
        return order_to_exchange(self.back.order_id, self.back.method_id, sale.load()).locking(
            lock_row("orders", self.back.order_id)
        )

    def decide(self, context: Context[OrderToExchange]) -> FunctionCall:
        if self.checkout.on_account:
            raise Problem(TillProblem.EXCHANGE_ON_ACCOUNT)
        tenant, inputs, now = context.tenant, context.loaded.sale, current_time()
        request = return_request(self.back, self.checkout)
        refund = build_refund(tenant, context.loaded.refund, request, context.actor, uuid7())
        covered = min(refund["amount"], price_cart(tenant, self.cart, inputs, now).priced.total)
        order, tips = build_sale(tenant, self.cart, _with_return(self.back, self.checkout, covered), inputs)
        new = as_done(with_tips(build_order(tenant, order, inputs, self.sale_id, now), tips))
        if covered > 0:
            returned = msgspec.structs.replace(new.payments[0], returned_order_id=self.back.order_id)
            new = msgspec.structs.replace(new, payments=[returned, *new.payments[1:]])
        document = ResponseDocument("pos_order_document", self.sale_id)
        errors = {UNIQUE: already_sold, REMOVED: no_such_staff}
        return FunctionCall("exchange_order", {"refund": refund, "order": new}, document, errors=errors)


def _with_return(back: Return, checkout: Checkout, covered: Decimal) -> Checkout:
    if back.method_id is None:
        raise Problem(TillProblem.NO_REFUND_METHOD, "back_method")
    if covered <= 0:
        return checkout
    return checkout._replace(payments=[TakenPayment(back.method_id, covered), *checkout.payments])
