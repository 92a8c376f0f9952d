"""The public address of a booking, at which its customer sees, moves and cancels it."""

from uuid import UUID

from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToCheckIn, lock_order, order_to_check_in
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem


def look_at_shared(order_id: UUID) -> Look[OrderToCheckIn]:
    return Look(order_to_check_in(order_id), lock_order(order_id))


def plan_booking_link(seen: OrderToCheckIn) -> FunctionCall:
    if seen.starts_at is None or seen.status == "draft":
        raise Problem(StatusProblem.NO_APPOINTMENT)
    return FunctionCall("create_booking_link", {"order_id": seen.id})
