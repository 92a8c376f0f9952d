"""Reopening the last close of a day: by a manager, with a reason."""

from uuid import UUID

from frontdesk.day_close.close_queries import LOCK
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.stored_queries import MAX_AGE, ShownDayClose, get_closed_day
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem


class ReopenDay(Act[ShownDayClose], frozen=True):
    close_id: UUID
    reason: str | None

    def load(self) -> Query[ShownDayClose]:
        return get_closed_day(self.close_id).locking(LOCK)

    def decide(self, context: Context[ShownDayClose]) -> FunctionCall:
        self.check(context.loaded)
        return FunctionCall("reopen_day", {"id": self.close_id, "reason": self.reason})

    def check(self, closed: ShownDayClose) -> None:
        problem = why_not_reopened(closed)
        if problem is not None:
            raise problem
        if not self.reason:
            raise Problem(CloseProblem.REASON_REQUIRED, "reason")


def why_not_reopened(closed: ShownDayClose) -> Problem | None:
    """Why the close must stay. None: it can be reopened."""
    if closed.reopening:
        return Problem(CloseProblem.IS_REOPENED)
    if not closed.is_last:
        return Problem(CloseProblem.NOT_LAST)
    if closed.age > MAX_AGE:
        return Problem(CloseProblem.TOO_OLD_TO_REOPEN)
    return Problem(CloseProblem.DRAWER_OPENED) if closed.is_drawer_opened else None
