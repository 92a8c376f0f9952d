"""The end of a cashier's shift: it is counted and closed; a manager opens it again until its day is closed."""

from uuid import UUID

import msgspec

from frontdesk.day_close.close_queries import LOCK
from frontdesk.day_close.count import check_count, count_methods, stored_drawer
from frontdesk.day_close.drawer_types import Count
from frontdesk.day_close.problems import ShiftProblem
from frontdesk.day_close.shift_queries import Shift, get_shift
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7

_JSON = msgspec.json.Encoder(decimal_format="number")


class CloseShift(Act[Shift], frozen=True):
    shift_id: UUID
    count: Count

    def load(self) -> Query[Shift]:
        return get_shift(self.shift_id).locking(LOCK)

    def decide(self, context: Context[Shift]) -> FunctionCall:
        shift = context.loaded
        if shift.closed_at is not None:
            raise Problem(ShiftProblem.CLOSED)
        check_count(context.tenant, shift, self.count)
        argument = {
            "id": uuid7(),
            "session_id": shift.id,
            "cashier": shift.cashier,
            "drawer": msgspec.Raw(_JSON.encode(stored_drawer(shift, self.count))),
            "methods": msgspec.Raw(_JSON.encode(count_methods(shift, self.count))),
            "note": self.count.note,
            "closed_at": shift.now,
            "tip_count": shift.tip_count,
            "drawer_number": shift.drawer_number,
            "transaction_no": shift.transaction_no,
        }
        return FunctionCall("close_shift", argument)


class ReopenShift(Act[Shift], frozen=True):
    shift_id: UUID
    reason: str | None

    def load(self) -> Query[Shift]:
        return get_shift(self.shift_id).locking(LOCK)

    def decide(self, context: Context[Shift]) -> FunctionCall:
        shift = context.loaded
        self.check(shift)
        return FunctionCall("reopen_shift", {"session_id": shift.id, "cashier": shift.cashier, "reason": self.reason})

    def check(self, shift: Shift) -> None:
        problem = why_not_reopened(shift)
        if problem is not None:
            raise problem
        if not self.reason:
            raise Problem(ShiftProblem.REASON_REQUIRED, "reason")


def why_not_reopened(shift: Shift) -> Problem | None:
    """Why the count must stay. None: the shift can be opened again."""
    if shift.closed_at is None:
        return Problem(ShiftProblem.NOT_CLOSED)
    if shift.is_day_closed:
        return Problem(ShiftProblem.DAY_CLOSED)
    return Problem(ShiftProblem.FOLLOWED) if shift.is_followed else None
