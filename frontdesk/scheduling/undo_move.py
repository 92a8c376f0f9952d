"""Undoing the last move of an appointment: everything is as it was before, also what could not be booked now.

What was replaced is in the history. It is not checked like a new booking, because it may be in the past by now, or was
never offered. The undo is refused if the order, the hours of a provider or the old time have changed since.
"""

from collections.abc import Callable
from uuid import UUID

from frontdesk.availability.db_errors import check_failed
from frontdesk.availability.problems import TimeProblem
from frontdesk.orders.problems import BookingProblem
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import OVERLAP
from frontdesk.problems import Problem
from frontdesk.scheduling.move_queries import MoveToUndo, move_to_undo


class UndoMove(Act[MoveToUndo], frozen=True):
    """`version` is the one that the move left."""

    order_id: UUID
    version: int
    notify: bool | None = None

    def load(self) -> Query[MoveToUndo]:
        return move_to_undo(self.order_id).locking(lock_resources(self.order_id))

    def decide(self, context: Context[MoveToUndo]) -> FunctionCall:
        move = context.loaded
        if self.version != move.version or move.replaced is None:
            raise Problem(BookingProblem.CHANGED_SINCE_MOVE)
        bookings = move.replaced.bookings
        if any(move.schedule_versions.get(booking.staff_id) != booking.schedule_version for booking in bookings):
            raise Problem(BookingProblem.HOURS_CHANGED_SINCE)
        argument = {
            "order_id": move.order_id,
            "version": move.version,
            "start": move.previous_start,
            "arrived_at": move.replaced.arrived_at,
            "bookings": bookings,
            "notify": self.notify,
        }
        return FunctionCall("reschedule_order", argument, failure=check_failed, errors={OVERLAP: _taken})

    def failure(self) -> Callable[[], Problem]:
        return check_failed


def _taken() -> Problem:
    return Problem(TimeProblem.BOOKED, alternatives=[])
