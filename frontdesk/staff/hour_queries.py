"""What the acts on hours, exceptions and time off load."""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import not_found
from frontdesk.staff.hour_types import HoursOwner


class HoursToChange(NamedTuple):
    """The name of the owner, and the version of what is changed; None if there is nothing yet."""

    owner: str
    version: int | None
    closed_days: Collection[date] = ()  # of a branch


class TimeOffToDecide(NamedTuple):
    owner: str
    version: int | None
    status: str | None


def lock_owner(owner: HoursOwner) -> Lock:
    return Lock("SELECT lock_schedules($1, $2, $3)", (owner.branch_id, owner.staff_id))


def hours_to_set(owner: HoursOwner) -> Query[HoursToChange]:
    """The weekly hours."""
    sql = _BRANCH_HOURS if owner.branch_id is not None else _STAFF_HOURS
    return Query(sql, (owner.id,), _hours_to_change)


_BRANCH_HOURS = """
    SELECT o.name, w.version FROM branches o
    LEFT JOIN working_hours w ON w.tenant_id = $1 AND w.branch_id = o.id AND w.is_default
    WHERE o.tenant_id = $1 AND o.id = $2
    """
_STAFF_HOURS = """
    SELECT o.name, w.version FROM staff o
    LEFT JOIN working_hours w ON w.tenant_id = $1 AND w.staff_id = o.id AND w.is_default
    WHERE o.tenant_id = $1 AND o.id = $2
    """


def _hours_to_change(row: Record | None) -> HoursToChange:
    if row is None:
        raise not_found("branch or staff member")
    return HoursToChange(row["name"], row["version"])


def exception_to_save(owner: HoursOwner, exception_id: UUID | None) -> Query[HoursToChange]:
    def result(row: Record | None) -> HoursToChange:
        loaded = _hours_to_change(row)
        if row is None or (exception_id is not None and loaded.version is None):
            raise not_found("day with other hours")
        return loaded._replace(closed_days=row["closed_days"])

    sql = _BRANCH_EXCEPTION if owner.branch_id is not None else _STAFF_EXCEPTION
    return Query(sql, (owner.id, exception_id), result)


_BRANCH_EXCEPTION = """
    SELECT o.name, e.version, ARRAY(
        SELECT c.day FROM closed_days c WHERE c.tenant_id = $1 AND c.branch_id = o.id) AS closed_days
    FROM branches o
    LEFT JOIN hour_exceptions e ON e.tenant_id = $1 AND e.branch_id = o.id AND e.id IS NOT DISTINCT FROM $3::uuid
    WHERE o.tenant_id = $1 AND o.id = $2
    """
_STAFF_EXCEPTION = """
    SELECT o.name, e.version, ARRAY[]::date[] AS closed_days FROM staff o
    LEFT JOIN hour_exceptions e ON e.tenant_id = $1 AND e.staff_id = o.id AND e.id IS NOT DISTINCT FROM $3::uuid
    WHERE o.tenant_id = $1 AND o.id = $2
    """


def time_off_to_decide(staff_id: UUID, time_off_id: UUID | None) -> Query[TimeOffToDecide]:
    def result(row: Record | None) -> TimeOffToDecide:
        if row is None or (time_off_id is not None and row["version"] is None):
            raise not_found("time off" if row else "staff member")
        return TimeOffToDecide(*row)

    return Query(_TIME_OFF, (staff_id, time_off_id), result)


_TIME_OFF = """
    SELECT s.name, o.version, o.status FROM staff s
    LEFT JOIN time_off o ON o.tenant_id = $1 AND o.staff_id = s.id AND o.id IS NOT DISTINCT FROM $3::uuid
    WHERE s.tenant_id = $1 AND s.id = $2
    """
