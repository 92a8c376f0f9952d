"""The public address of a booking, at which its customer sees, moves and cancels it."""

from uuid import UUID

from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToCheckIn, order_to_check_in
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem


class CreateBookingLink(Act[OrderToCheckIn], frozen=True):
    order_id: UUID

    def load(self) -> Query[OrderToCheckIn]:
        return order_to_check_in(self.order_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[OrderToCheckIn]) -> FunctionCall:
        if context.loaded.starts_at is None or context.loaded.status == "draft":
            raise Problem(StatusProblem.NO_APPOINTMENT)
        document = ResponseDocument("booking_link_document", self.order_id)
        return FunctionCall("create_booking_link", {"order_id": self.order_id}, document)
