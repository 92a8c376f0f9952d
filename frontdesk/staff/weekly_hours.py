"""Changing the weekly hours of a branch or of a staff member."""

from collections.abc import Sequence
from datetime import time
from itertools import pairwise

from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version, raise_all
from frontdesk.staff.hour_queries import HoursToChange, hours_to_set, lock_owner
from frontdesk.staff.hour_types import DAY, HoursOwner, WeeklyHours
from frontdesk.staff.problems import HoursProblem

_WEEK_MINUTES = 7 * DAY


class SetWorkingHours(Act[HoursToChange], frozen=True):
    owner: HoursOwner
    hours: WeeklyHours | None  # None: a staff member has the hours of the branch
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[HoursToChange]:
        return hours_to_set(self.owner).locking(lock_owner(self.owner))

    def decide(self, context: Context[HoursToChange]) -> FunctionCall:
        current = context.loaded.version or 0
        check_version(self.version, current, self.owner.id)
        if self.hours is not None and not self.hours.all_time:
            check_week(self.hours.intervals)
        argument = {
            **self.owner._asdict(),
            "name": context.loaded.owner,
            "version": current,
            "hours": self.hours,
        }
        document = "staff_hours_document" if self.owner.staff_id else "branch_hours_document"
        return FunctionCall("set_working_hours", argument, ResponseDocument(document, self.owner.id))


def check_week(intervals: Sequence[tuple[int, int, int]]) -> None:
    raise_all(list(find_overlaps(intervals).values()))


def find_overlaps(intervals: Sequence[tuple[int, int, int]]) -> dict[int, Problem]:
    """The first one of each day. No interval may overlap another one, also not across midnight."""
    spans = sorted(
        (day * DAY + opens, day * DAY + (closes if closes > opens else closes + DAY), day)
        for day, opens, closes in intervals
    )
    if spans:  # the first ones again, after the end of the week
        spans.append((spans[0][0] + _WEEK_MINUTES, spans[0][1] + _WEEK_MINUTES, spans[0][2]))
    found: dict[int, Problem] = {}
    for (start, end, day), (next_start, next_end, _) in pairwise(spans):
        if next_start < end:
            found.setdefault(day, _overlap(day, next_start, next_end, start, end))
    return found


def _overlap(day: int, *minutes: int) -> Problem:
    start, end, other_start, other_end = (time(minute // 60 % 24, minute % 60) for minute in minutes)
    return Problem(
        HoursProblem.OVERLAP, "days", day, start=start, end=end, other_start=other_start, other_end=other_end
    )


def minute_text(minute: int) -> str:
    return f"{minute // 60 % 24:02}:{minute % 60:02}"
