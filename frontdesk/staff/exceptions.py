"""Days with other hours, closed days of a branch, and time off of a staff member."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple
from uuid import UUID

from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import UNIQUE, Look
from frontdesk.problems import Problem, check_version
from frontdesk.staff.hour_queries import (
    SeenHours,
    SeenTimeOff,
    exception_to_save,
    lock_owner,
    time_off_to_decide,
)
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.staff.problems import HoursProblem

MAX_CLOSED_DAYS = 62


class ExceptionFields(NamedTuple):
    day: date
    minutes: Sequence[tuple[int, int]]  # none: closed
    note: str | None


def look_at_exception(owner: HoursOwner, exception_id: UUID | None) -> Look[SeenHours]:
    return Look(exception_to_save(owner, exception_id), lock_owner(owner))


def plan_exception(
    seen: SeenHours, owner: HoursOwner, exception_id: UUID, fields: ExceptionFields, version: int | None
) -> FunctionCall:
    """`version` is that of the form; None for a new one."""
    if seen.version is not None and version is not None:
        check_version(version, seen.version, owner.id)
    if fields.day in seen.closed_days:
        raise Problem(HoursProblem.BRANCH_CLOSED, "day")
    argument = {
        **owner._asdict(),
        **fields._asdict(),
        "id": exception_id,
        "name": seen.owner,
        "version": seen.version,
    }
    used = {UNIQUE: lambda: Problem(HoursProblem.DAY_TAKEN, "day")}
    return FunctionCall("save_hour_exception", argument, errors=used)


def plan_delete_exception(seen: SeenHours, owner: HoursOwner, exception_id: UUID, version: int) -> FunctionCall:
    """`version` is that of the form."""
    if seen.version is not None:
        check_version(version, seen.version, owner.id)
    argument = {**owner._asdict(), "id": exception_id, "name": seen.owner, "version": seen.version}
    return FunctionCall("delete_hour_exception", argument)


def plan_closed_days(seen: SeenHours, branch_id: UUID, days: Sequence[date], note: str | None) -> FunctionCall:
    if len(days) > MAX_CLOSED_DAYS:
        raise Problem(HoursProblem.TOO_MANY_DAYS, "until", most=MAX_CLOSED_DAYS)
    return FunctionCall(
        "add_closed_days", {"branch_id": branch_id, "name": seen.owner, "days": list(days), "note": note}
    )


def plan_open_day(seen: SeenHours, branch_id: UUID, day: date) -> FunctionCall:
    return FunctionCall("delete_closed_day", {"branch_id": branch_id, "name": seen.owner, "day": day})


def look_at_time_off(staff_id: UUID, time_off_id: UUID | None) -> Look[SeenTimeOff]:
    return Look(time_off_to_decide(staff_id, time_off_id), lock_owner(HoursOwner(staff_id=staff_id)))


def plan_time_off(
    seen: SeenTimeOff, staff_id: UUID, id_: UUID, during: tuple[datetime, datetime], note: str | None, *, approved: bool
) -> FunctionCall:
    argument = {
        "id": id_,
        "staff_id": staff_id,
        "name": seen.owner,
        "start": during[0],
        "end": during[1],
        "note": note,
        "status": "approved" if approved else "requested",
    }
    return FunctionCall("add_time_off", argument)


def plan_decision(
    seen: SeenTimeOff,
    staff_id: UUID,
    time_off_id: UUID,
    decision: Literal["approved", "declined"] | None,
    version: int,
) -> FunctionCall:
    """None deletes it."""
    if seen.version is not None:
        check_version(version, seen.version, staff_id)
    if seen.status == decision:
        return FunctionCall(None, {})
    argument = {
        "id": time_off_id,
        "staff_id": staff_id,
        "name": seen.owner,
        "version": seen.version,
        "status": decision,
    }
    return FunctionCall("decide_time_off", argument)
