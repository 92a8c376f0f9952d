"""Voiding the last sale: within minutes, before anything else is sold, all of it comes back as it was paid."""

from uuid import UUID

from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.types import Cashier, Source
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.refunds.refund import build_refund
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
        request = RefundRequest(restock=True, reason=self.reason, cashier=self.cashier, source=Source.POS)
        refund = build_refund(context.tenant, context.loaded.refund, request, context.actor, self.refund_id)
        return FunctionCall("refund_order", refund, ResponseDocument("pos_order_document", self.refund_id))
