"""What the acts on hours, exceptions and time off load."""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Lock, Query, found
from frontdesk.problems import not_found
from frontdesk.staff.hour_types import HoursOwner


class HoursToChange(NamedTuple):
    """The name of the owner, and the version of what is changed; None if there is nothing yet."""

    owner: str
    version: int | None
    closed_days: Collection[date] = ()  # of a branch
    exception_id: UUID | None = None  # the other hours of a day


class TimeOffToDecide(NamedTuple):
    staff_id: UUID
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


def exception_of_day(owner: HoursOwner, day: date) -> Query[HoursToChange]:
    """The other hours of a day, if it has them."""

    def result(row: Record | None) -> HoursToChange:
        loaded = _hours_to_change(row)
        return loaded if row is None else loaded._replace(closed_days=row["closed_days"], exception_id=row["id"])

    return Query(_BRANCH_DAY if owner.branch_id is not None else _STAFF_DAY, (owner.id, day), result)


_BRANCH_DAY = """
    SELECT o.name, e.id, e.version, ARRAY(
        SELECT c.day FROM closed_days c WHERE c.tenant_id = $1 AND c.branch_id = o.id) AS closed_days
    FROM branches o LEFT JOIN hour_exceptions e ON e.tenant_id = $1 AND e.branch_id = o.id AND e.day = $3::date
    WHERE o.tenant_id = $1 AND o.id = $2
    """
_STAFF_DAY = """
    SELECT o.name, e.id, e.version, ARRAY[]::date[] AS closed_days
    FROM staff o LEFT JOIN hour_exceptions e ON e.tenant_id = $1 AND e.staff_id = o.id AND e.day = $3::date
    WHERE o.tenant_id = $1 AND o.id = $2
    """


def lock_staff_of(time_off_id: UUID) -> Lock:
    """The staff member whose time off it is."""
    sql = "SELECT lock_schedules($1, NULL, (SELECT staff_id FROM time_off WHERE tenant_id = $1 AND id = $2))"
    return Lock(sql, (time_off_id,))


def _time_off_to_decide(row: Record) -> TimeOffToDecide:
    return TimeOffToDecide(row["id"], row["name"], row["version"], row["status"])


def time_off_to_add(staff_id: UUID) -> Query[TimeOffToDecide]:
    sql = "SELECT id, name, NULL::integer AS version, NULL::text AS status FROM staff WHERE tenant_id = $1 AND id = $2"
    return Query(sql, (staff_id,), found("staff member", _time_off_to_decide))


def time_off_to_decide(time_off_id: UUID) -> Query[TimeOffToDecide]:
    """Not what a calendar elsewhere says."""
    return Query(_TIME_OFF, (time_off_id,), found("time off", _time_off_to_decide))


_TIME_OFF = """
    SELECT s.id, s.name, o.version, o.status FROM time_off o JOIN staff s ON s.tenant_id = $1 AND s.id = o.staff_id
    WHERE o.tenant_id = $1 AND o.id = $2 AND o.status <> 'outside'
    """
