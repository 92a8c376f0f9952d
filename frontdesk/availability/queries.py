"""Reads schedules in one statement, for any number of providers and days."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.held import Holds, held_column, with_held
from frontdesk.availability.hours import CLOSED, DayHours, Hours, Interval, Weekday
from frontdesk.availability.types import BusyMinutes, Service, StaffSchedule
from frontdesk.postgres.query import Query, optional
from frontdesk.tenants.price_queries import BASE_SELLABLE

# Follows the CTE `candidates (staff_id, duration)`. `first` and `last` are expressions for the UTC days that are read.
# Hours are returned once for all staff who share them. The bitmaps of a provider are concatenated, the latest day first
# (as the latest minute is in each), without the four bytes of length that bit_send adds. Their days are returned as two
# bytes each, counted from the first day, because dates would take more space than the bitmaps.
_SCHEDULES = """
    members AS (
        SELECT s.id, s.schedule_version, s.branch_id, c.duration, coalesce(own.id, shared.id) AS hour_id,
               own.id IS NOT NULL AS has_own_hours
        FROM candidates c JOIN staff s ON s.tenant_id = $1 AND s.id = c.staff_id AND s.active
        JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id AND b.status
        LEFT JOIN working_hours own ON own.tenant_id = $1 AND own.staff_id = s.id AND own.is_default
        LEFT JOIN working_hours shared ON shared.tenant_id = $1 AND shared.branch_id = s.branch_id AND shared.is_default
    ), schedules AS (
        SELECT {first} AS first_day,
               json_agg(json_build_array(
                   m.id, m.branch_id, m.duration, m.hour_id, away.times, m.has_own_hours,
                   m.schedule_version))::text AS members,
               array_agg(busy.days) AS busy_days, array_agg(busy.minutes) AS busy_minutes
        FROM members m
        LEFT JOIN LATERAL (
            SELECT json_agg(json_build_array(extract(epoch FROM lower(o.during)), extract(epoch FROM upper(o.during)),
                o.status = 'outside')) AS times
            FROM time_off o WHERE o.tenant_id = $1 AND o.staff_id = m.id AND upper(o.during) > {first}
                AND o.status IN ('approved', 'outside')) away ON true
        LEFT JOIN LATERAL (
            SELECT string_agg(int2send((b.day - {first})::smallint), '') AS days,
                   string_agg(substr(bit_send(b.minutes), 5), '') AS minutes
            FROM (
                SELECT day, minutes FROM staff_busy_days
                WHERE tenant_id = $1 AND staff_id = m.id AND day BETWEEN {first} AND {last} ORDER BY day DESC
            ) b) busy ON true
    ), hours AS (
        SELECT json_object_agg(w.id, json_build_array(w.all_time, w.active, (
            SELECT coalesce(json_agg(json_build_array(i.day, i.opens, i.closes)), '[]')
            FROM working_intervals i
            WHERE i.tenant_id = $1 AND i.working_hour_id = w.id AND i.active))::text)::text AS hours
        FROM working_hours w WHERE w.tenant_id = $1 AND w.id IN (SELECT hour_id FROM members)
    ), closed AS (
        SELECT json_agg(json_build_array(branch_id, day))::text AS closed FROM closed_days
        WHERE tenant_id = $1 AND day >= {first} AND branch_id IN (SELECT branch_id FROM members)
    ), exceptions AS (
        SELECT json_agg(json_build_array(e.owner_id, e.day, (
            SELECT coalesce(json_agg(json_build_array(lower(r), upper(r)) ORDER BY r), '[]') FROM unnest(e.minutes) r
        )))::text AS exceptions
        FROM (
            SELECT branch_id AS owner_id, day, minutes FROM hour_exceptions
            WHERE tenant_id = $1 AND branch_id IN (SELECT branch_id FROM members) AND day >= {first}
            UNION ALL
            SELECT staff_id, day, minutes FROM hour_exceptions
            WHERE tenant_id = $1 AND staff_id IN (SELECT id FROM members) AND day >= {first}
        ) e
    )"""
SCHEDULES = "schedules, hours, closed, exceptions"
SCHEDULE_COLUMNS = """schedules.first_day, schedules.members, schedules.busy_days, schedules.busy_minutes, hours.hours,
        closed.closed, exceptions.exceptions"""


def _schedules_cte(first: str, last: str) -> str:
    return _SCHEDULES.format(first=first, last=last)


class Days(NamedTuple):
    """The UTC days to read: enough for the local days in any time zone."""

    first: date
    last: date

    @staticmethod
    def around(first: date, days: int) -> "Days":
        return Days(first - timedelta(days=2), first + timedelta(days=days + 4))


class ServiceRow(NamedTuple):
    """A service as the database returns it. Everything that availability depends on is in `values`."""

    values: tuple[object, ...]
    row: Record


def get_service(
    service_id: UUID, option_id: UUID | None, staff_id: UUID | None, quantity: int, days: Days, holds: Holds
) -> Query[ServiceRow | None]:
    """The service with the schedules of all who perform it in its branch, or of the requested provider."""
    return Query(
        _SERVICES[holds], (days.first, days.last, service_id, staff_id, quantity, option_id), optional(_service_row)
    )


# An appointment that is longer than a day ends after the last day; none is longer than a week.
_LAST_DAY = """
    $3::date + (SELECT coalesce(max(least(c.duration * $6::bigint, 10080)) / 1440, 0)::integer FROM candidates c)"""
_SERVICE = f"""
    WITH candidates AS MATERIALIZED (
        SELECT ss.staff_id, coalesce(v.duration, ss.duration, i.duration) AS duration FROM staff_services ss
        JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id
        LEFT JOIN item_options v ON v.tenant_id = $1 AND v.item_id = i.id AND v.id IS NOT DISTINCT FROM $7::uuid
        JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.branch_id = i.branch_id
        WHERE ss.tenant_id = $1 AND ss.item_id = $4 AND ($5::uuid IS NULL OR ss.staff_id = $5)
    ), {_schedules_cte("$2::date", _LAST_DAY)}
    SELECT i.duration, i.buffer_before, i.buffer_after, i.status, context.grid_minutes, {SCHEDULE_COLUMNS}, {{held}},
           $5::uuid IS NOT NULL AND EXISTS (SELECT FROM staff WHERE tenant_id = $1 AND id = $5 AND active)
               AS is_staff,
           {BASE_SELLABLE} AS base_sellable,
           (SELECT v.is_active FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = i.id
               AND v.id IS NOT DISTINCT FROM $7::uuid) AS is_option_on_sale
    FROM items i, {SCHEDULES} WHERE i.tenant_id = $1 AND i.id = $4 AND i.type = 'service'
    """
_SERVICES = {holds: _SERVICE.replace("{held}", held_column(holds)) for holds in Holds}


def schedules_sql(candidates: str, first: str, last: str) -> str:
    """CTEs for a query that reads schedules among other things; it selects `SCHEDULE_COLUMNS` from `SCHEDULES`."""
    return f"candidates AS MATERIALIZED ({candidates}), {_schedules_cte(first, last)}"


def _service_row(row: Record) -> ServiceRow:
    busy = (tuple(row["busy_days"] or ()), tuple(row["busy_minutes"] or ()))
    return ServiceRow((*map(row.__getitem__, _VALUES), *busy), row)


_VALUES = (
    *("duration", "buffer_before", "buffer_after", "status", "grid_minutes", "is_staff"),
    *("base_sellable", "is_option_on_sale"),
    *("first_day", "members", "hours", "closed", "exceptions", "held"),
)


def read_service(found: ServiceRow | None) -> Service | None:
    if found is None:
        return None
    row = found.row
    return Service(
        row["duration"],
        row["buffer_before"],
        row["buffer_after"],
        row["status"],
        row["grid_minutes"],
        with_held(read_schedules(row), row["held"]),
        is_staff=row["is_staff"],
        needs_option=not row["base_sellable"],
        is_option_on_sale=row["is_option_on_sale"],
    )


class _Member(NamedTuple):
    id: UUID
    branch_id: UUID
    duration: int | None
    hour_id: str | None
    away: list[tuple[float, float, bool]] | None  # the last one: a calendar elsewhere says so
    has_own_hours: bool
    schedule_version: int


_MEMBERS = msgspec.json.Decoder(list[_Member])
_HOURS = msgspec.json.Decoder(dict[str, str])
_CLOSED = msgspec.json.Decoder(list[tuple[UUID, date]])
_EXCEPTIONS = msgspec.json.Decoder(list[tuple[UUID, date, tuple[tuple[int, int], ...]]])


def read_schedules(row: Record) -> list[StaffSchedule]:
    """By the ids of the staff. Sorting here costs less than three sorted aggregates."""
    if row["members"] is None:
        return []
    members, hours = _MEMBERS.decode(row["members"]), _HOURS.decode(row["hours"] or "{}")
    closed = _CLOSED.decode(row["closed"]) if row["closed"] else ()
    exceptions = _read_exceptions(row["exceptions"])
    found = [
        StaffSchedule(
            member.id,
            member.duration,
            _hours(hours[member.hour_id]) if member.hour_id in hours else CLOSED,
            member.has_own_hours,
            _exceptions_of(member, exceptions),
            frozenset(day for branch_id, day in closed if branch_id == member.branch_id),
            _times(member, external=False),
            BusyMinutes(row["first_day"], busy_days or b"", busy_minutes or b""),
            _times(member, external=True),
            member.schedule_version,
        )
        for member, busy_days, busy_minutes in zip(members, row["busy_days"], row["busy_minutes"], strict=True)
    ]
    return sorted(found, key=lambda schedule: schedule.staff_id)


def _times(member: _Member, *, external: bool) -> list[tuple[datetime, datetime]]:
    return [
        (datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC))
        for start, end, is_external in member.away or ()
        if is_external is external
    ]


_Exceptions = dict[UUID, dict[date, tuple[tuple[int, int], ...]]]


def _read_exceptions(text: str | None) -> _Exceptions:
    exceptions: _Exceptions = {}
    for owner_id, day, openings in _EXCEPTIONS.decode(text) if text else ():
        exceptions.setdefault(owner_id, {})[day] = openings
    return exceptions


def _exceptions_of(member: _Member, exceptions: _Exceptions) -> tuple[DayHours, ...]:
    """The staff member's own exception of a day goes before the branch's."""
    if not exceptions:
        return ()
    own, shared = exceptions.get(member.id, {}), exceptions.get(member.branch_id, {})
    found = [DayHours(day, openings) for day, openings in own.items()]
    found += [DayHours(day, openings, member.has_own_hours) for day, openings in shared.items() if day not in own]
    return tuple(sorted(found))


_WEEK: tuple[Weekday, ...] = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@lru_cache(maxsize=1024)
def _hours(text: str) -> Hours:
    """Cached by its text: most providers share their branch's hours."""
    all_time, active, intervals = msgspec.json.decode(text, type=tuple[bool, bool, list[tuple[int, int, int]]])
    return Hours(
        tuple(Interval(_WEEK[day], opens, closes) for day, opens, closes in sorted(intervals)),
        all_time=all_time,
        active=active,
    )
