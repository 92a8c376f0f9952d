"""Changing the weekly hours of a branch or of a staff member."""

from collections.abc import Sequence
from itertools import pairwise

from frontdesk.errors import check_version, invalid
from frontdesk.postgres.write import Call, Look
from frontdesk.staff.hour_queries import SeenHours, hours_to_set, lock_owner
from frontdesk.staff.hour_types import DAY, HoursOwner, WeeklyHours

_WEEK_MINUTES = 7 * DAY


def look_at_hours(owner: HoursOwner) -> Look[SeenHours]:
    return Look(hours_to_set(owner), lock_owner(owner))


def plan_hours(seen: SeenHours, owner: HoursOwner, hours: WeeklyHours | None, version: int) -> Call:
    """None: a staff member has the hours of the branch."""
    current = seen.version or 0
    check_version(version, current, owner.id)
    if hours is not None and not hours.all_time:
        check_week(hours.intervals)
    argument = {**owner._asdict(), "name": seen.owner, "version": current, "hours": hours}
    return Call("set_working_hours", argument)


def check_week(intervals: Sequence[tuple[int, int, int]], field: str = "") -> None:
    """`field` has the error, else each day has its own."""
    overlaps = find_overlaps(intervals)
    if overlaps:
        raise invalid({field or f"day-{day}": [text] for day, text in overlaps.items()})


def find_overlaps(intervals: Sequence[tuple[int, int, int]]) -> dict[int, str]:
    """The first one of each day. No interval may overlap another one, also not across midnight."""
    spans = sorted(
        (day * DAY + opens, day * DAY + (closes if closes > opens else closes + DAY), day)
        for day, opens, closes in intervals
    )
    if spans:  # the first ones again, after the end of the week
        spans.append((spans[0][0] + _WEEK_MINUTES, spans[0][1] + _WEEK_MINUTES, spans[0][2]))
    found: dict[int, str] = {}
    for (start, end, day), (next_start, next_end, _) in pairwise(spans):
        if next_start < end:
            times = [minute_text(minute) for minute in (next_start, next_end, start, end)]
            found.setdefault(day, "{} to {} overlaps {} to {}".format(*times))
    return found


def minute_text(minute: int) -> str:
    return f"{minute // 60 % 24:02}:{minute % 60:02}"
