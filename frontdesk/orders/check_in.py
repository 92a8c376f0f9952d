"""Recording that the customer of an appointment has come."""

from uuid import UUID

from frontdesk.errors import Code, WireError
from frontdesk.orders.queries.order_state import OrderToCheckIn, lock_order, order_to_check_in
from frontdesk.postgres.write import Call, Look


def look_at_arrival(order_id: UUID) -> Look[OrderToCheckIn]:
    return Look(order_to_check_in(order_id), lock_order(order_id))


def plan_arrival(seen: OrderToCheckIn, *, arrived: bool) -> Call:
    """Only an appointment that is confirmed or in progress has somebody to wait for."""
    if seen.arrived == arrived:
        return Call(None, None)
    if not seen.has_appointment or seen.status not in ("confirmed", "in-progress"):
        raise WireError(Code.INVALID_STATUS_TRANSITION, "The order is not a confirmed appointment.")
    return Call("set_order_arrived", {"order_id": seen.id, "version": seen.version, "arrived": arrived})
