"""Reopening the last close of a day: by a manager, with a reason."""

from uuid import UUID

from frontdesk.day_close.close_queries import LOCK
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.stored_queries import MAX_AGE, ClosedDay, get_closed_day
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem


def look_at_close(close_id: UUID) -> Look[ClosedDay]:
    return Look(get_closed_day(close_id), LOCK)


def why_not_reopened(seen: ClosedDay) -> Problem | None:
    """Why the close must stay. None: it can be reopened."""
    if seen.reopening:
        return Problem(CloseProblem.IS_REOPENED)
    if not seen.is_last:
        return Problem(CloseProblem.NOT_LAST)
    if seen.age > MAX_AGE:
        return Problem(CloseProblem.TOO_OLD)
    return Problem(CloseProblem.DRAWER_OPENED) if seen.is_drawer_opened else None


def plan_reopening(seen: ClosedDay, reason: str | None) -> FunctionCall:
    problem = why_not_reopened(seen)
    if problem is not None:
        raise problem
    if not reason:
        raise Problem(CloseProblem.REASON_REQUIRED, "reason")
    return FunctionCall("reopen_day", {"id": seen.id, "reason": reason})
