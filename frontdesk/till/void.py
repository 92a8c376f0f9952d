"""Voiding the last sale: within minutes, before anything else is sold, all of it comes back as it was paid.

A sale on account is canceled, so that nothing is owed for it.
"""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.invoices.money_types import NewCreditNote, RefundLine, RefundRequest
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.types import Cashier, Source, Status
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem
from frontdesk.refunds.refund import build_refund, credit_what_is_left
from frontdesk.till.void_queries import SaleToVoid, sale_to_void


class VoidSale(Act[SaleToVoid], frozen=True):
    order_id: UUID
    refund_id: UUID
    user_id: UUID  # who sold it
    cashier: Cashier
    reason: str | None

    def load(self) -> Query[SaleToVoid]:
        return sale_to_void(self.order_id, self.user_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[SaleToVoid]) -> FunctionCall:
        problem = context.loaded.last.problem
        if problem is not None:
            raise problem
        order = context.loaded.refund.order
        if order.status is Status.CANCELED:
            raise Problem(StatusProblem.ALREADY_CANCELED)
        if not order.paid_amount:
            return self._cancel(context)
        request = RefundRequest(restock=True, reason=self.reason, cashier=self.cashier, source=Source.POS)
        refund = build_refund(context.tenant, context.loaded.refund, request, context.actor, self.refund_id)
        if order.remaining:  # on account: nothing may be owed for what is voided
            refund |= {"cancel_order": True, "rest_credit_note": _credit_rest(context, refund["lines"])}
        return FunctionCall("refund_order", refund, ResponseDocument("pos_order_document", self.refund_id))

    def _cancel(self, context: Context[SaleToVoid]) -> FunctionCall:
        """Nothing was paid, so nothing is refunded."""
        order = context.loaded.refund.order
        argument = {
            "order_id": order.id,
            "version": order.version,
            "status": Status.CANCELED,
            "effect": "release",
            "note": self.reason,
            "credit_note": _credit_rest(context, ()),
        }
        return FunctionCall("change_order_status", argument, ResponseDocument("pos_order_document", order.id))


def _credit_rest(context: Context[SaleToVoid], refunded: Sequence[RefundLine]) -> NewCreditNote | None:
    decimals = context.tenant.currency_decimals
    return credit_what_is_left(context.loaded.refund, refunded, context.actor.user_id, decimals)
