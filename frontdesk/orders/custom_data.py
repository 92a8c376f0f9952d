"""Storing what an application keeps with an order. Nothing of the order itself changes."""

from uuid import UUID

from frontdesk.orders.queries.reading import known_order
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row


class StoreOrderData(Act[UUID], frozen=True):
    """The data itself comes with the call, as for every record that an application stores data with."""

    order_id: UUID

    def load(self) -> Query[UUID]:
        return known_order(self.order_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[UUID]) -> FunctionCall:
        document = ResponseDocument("order_document", context.loaded)
        return FunctionCall("store_order_data", {"id": context.loaded}, document)
