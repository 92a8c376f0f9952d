"""Undoing the last move of an appointment: everything is as it was before, also what could not be booked now.

What was replaced is in the history. It is not checked like a new booking, because it may be in the past by now, or was
never offered. The undo is refused if the order, the hours of a provider or the old time have changed since.
"""

from uuid import UUID

from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.problems import TimeProblem
from frontdesk.orders.problems import BookingProblem
from frontdesk.orders.queries.moving import MoveToUndo, move_to_undo
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import OVERLAP, Look
from frontdesk.problems import Problem


def look_at_undo(order_id: UUID) -> Look[MoveToUndo]:
    return Look(move_to_undo(order_id), lock_resources(order_id), check_failed)


def plan_undo(seen: MoveToUndo, version: int, *, notify: bool | None = None) -> FunctionCall:
    """`version` is the one that the move left."""
    if version != seen.version or seen.replaced is None:
        raise Problem(BookingProblem.CHANGED_SINCE_MOVE)
    bookings = seen.replaced.bookings
    if any(seen.schedule_versions.get(one.staff_id) != one.schedule_version for one in bookings):
        raise Problem(BookingProblem.HOURS_CHANGED_SINCE)
    argument = {
        "order_id": seen.order_id,
        "version": seen.version,
        "start": seen.previous_start,
        "arrived_at": seen.replaced.arrived_at,
        "bookings": bookings,
        "notify": notify,
    }
    return FunctionCall("reschedule_order", argument, failure=check_failed, errors={OVERLAP: _taken})


def _taken() -> Problem:
    return Problem(TimeProblem.BOOKED, alternatives=[])
