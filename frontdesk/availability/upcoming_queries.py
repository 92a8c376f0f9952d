"""Statements for coming bookings, and for the schedules of one day."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.queries import SCHEDULE_COLUMNS, SCHEDULES, read_schedules, schedules_sql
from frontdesk.availability.types import StaffSchedule
from frontdesk.postgres.query import Query, always

_MAX_BOOKINGS = 2000


class UpcomingBooking(msgspec.Struct, frozen=True):
    id: UUID
    order_id: UUID
    order_number: int
    line_id: UUID
    staff_id: UUID
    staff: str
    item_id: UUID
    service: dict[str, str]
    customer: str | None
    start: datetime
    end: datetime
    order_start: datetime
    is_first: bool  # of its order; the others follow it and may be off the grid
    quantity: int
    option_id: UUID | None
    buffer_before: int
    buffer_after: int
    others: dict[UUID, tuple[int, str]] = {}  # who else performs it: the minutes that they need, and their name


class UpcomingBookings(NamedTuple):
    bookings: list[UpcomingBooking]
    schedules: Mapping[UUID, StaffSchedule]


_BOOKING = """'id', k.id, 'order_id', o.id, 'order_number', o.order_number, 'line_id', k.line_id,
        'staff_id', k.staff_id, 'staff', s.name, 'item_id', k.item_id, 'service', i.name,
        'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
        'start', format_utc(lower(k.during)), 'end', format_utc(upper(k.during)),
        'order_start', format_utc(o.starts_at), 'quantity', l.quantity, 'option_id', l.option_ids[1],
        'is_first', lower(k.during) = o.starts_at,
        'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after"""
_FROM = """FROM staff s
        JOIN bookings k ON k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND lower(k.during) > now()
        JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id AND o.status <> 'completed'
        JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
        JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id"""
_FIRST = "((now() AT TIME ZONE 'UTC')::date - 1)"


class BookedTime(NamedTuple):
    """When a provider is booked, of a coming booking."""

    id: UUID
    staff_id: UUID
    start: datetime
    end: datetime


class BookedTimes(NamedTuple):
    times: list[BookedTime]  # by start
    schedules: Mapping[UUID, StaffSchedule]


def booked_times_of(*, staff_id: UUID | None = None, branch_id: UUID | None = None) -> Query[BookedTimes]:
    """The coming bookings of a staff member or of all staff of a branch, however many, with their schedules."""
    return Query(_TIMES, (staff_id, branch_id), always(_booked_times))


_THEIRS = "s.tenant_id = $1 AND (s.id = $2::uuid OR s.branch_id = $3::uuid)"
_STAFF = f"SELECT s.id AS staff_id, NULL::integer AS duration FROM staff s WHERE {_THEIRS}"
_TIMES = f"""
    WITH {schedules_sql(_STAFF, _FIRST, _FIRST)}
    SELECT booked.ids, booked.staff_ids, booked.starts, booked.ends, {SCHEDULE_COLUMNS}
    FROM {SCHEDULES}, (
        SELECT array_agg(k.id) AS ids, array_agg(k.staff_id) AS staff_ids, array_agg(lower(k.during)) AS starts,
               array_agg(upper(k.during)) AS ends
        FROM (
            SELECT k.id, k.staff_id, k.during FROM staff s
            JOIN bookings k ON k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active AND lower(k.during) > now()
            JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id AND o.status <> 'completed'
            WHERE {_THEIRS} ORDER BY lower(k.during), k.id
        ) k
    ) booked
    """


def _booked_times(row: Record) -> BookedTimes:
    schedules = {schedule.staff_id: schedule for schedule in read_schedules(row)}
    columns = (row[name] or () for name in ("ids", "staff_ids", "starts", "ends"))
    return BookedTimes([BookedTime(*time) for time in zip(*columns, strict=True)], schedules)


def upcoming_by_id(booking_ids: Sequence[UUID]) -> Query[list[UpcomingBooking]]:
    return Query(_BY_ID, (list(booking_ids),), _bookings)


_BY_ID = f"""
    SELECT coalesce(json_agg(json_build_object({_BOOKING}) ORDER BY lower(k.during), k.id), '[]')::text AS bookings
    {_FROM} WHERE s.tenant_id = $1 AND k.id = ANY ($2)
    """


def _bookings(row: Record | None) -> list[UpcomingBooking]:
    return [] if row is None else _BOOKINGS.decode(row["bookings"])


def upcoming_with_replacements(staff_id: UUID, last: date) -> Query[UpcomingBookings]:
    """The coming bookings of a staff member until a day, with the schedules of everybody who could take one over."""
    return Query(_WITH_OTHERS, (staff_id, last), always(_upcoming))


_OTHERS = """(SELECT coalesce(json_object_agg(other.id, json_build_array(l.quantity * coalesce(
            (SELECT nullif(sum(v.duration), 0) FROM item_options v
             WHERE v.tenant_id = $1 AND v.id = ANY (l.option_ids)), ss.duration, i.duration)::integer,
            other.name)), '{}')
        FROM staff_services ss
        JOIN staff other ON other.tenant_id = $1 AND other.id = ss.staff_id AND other.active
            AND other.branch_id = o.branch_id AND other.id <> s.id
        WHERE ss.tenant_id = $1 AND ss.item_id = k.item_id)"""
_CANDIDATES = """
            SELECT DISTINCT ss.staff_id, NULL::integer AS duration
            FROM staff_services mine JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = mine.item_id
            WHERE mine.tenant_id = $1 AND mine.staff_id = $2
            UNION
            SELECT ss.staff_id, NULL::integer FROM bookings k
            JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = k.item_id
            WHERE k.tenant_id = $1 AND k.staff_id = $2 AND k.is_active AND lower(k.during) > now()"""
_WITH_OTHERS = f"""
    WITH {schedules_sql(_CANDIDATES, _FIRST, "$3::date")}
    SELECT (SELECT coalesce(json_agg(found.booking), '[]') FROM (
            SELECT json_build_object({_BOOKING}, 'others', {_OTHERS}) AS booking {_FROM}
            WHERE s.tenant_id = $1 AND s.id = $2 AND lower(k.during) < $3::date
            ORDER BY lower(k.during), k.id LIMIT {_MAX_BOOKINGS}) found)::text AS bookings,
        {SCHEDULE_COLUMNS}
    FROM {SCHEDULES}
    """
_BOOKINGS = msgspec.json.Decoder(list[UpcomingBooking])


def _upcoming(row: Record) -> UpcomingBookings:
    schedules = {schedule.staff_id: schedule for schedule in read_schedules(row)}
    return UpcomingBookings(_BOOKINGS.decode(row["bookings"]), schedules)


def schedules_of(staff_ids: Sequence[UUID], day: date) -> Query[dict[UUID, StaffSchedule]]:
    def result(row: Record | None) -> dict[UUID, StaffSchedule]:
        return {} if row is None else {schedule.staff_id: schedule for schedule in read_schedules(row)}

    return Query(_OF_DAY, (list(staff_ids), day), result)


_NAMED = "SELECT s.id AS staff_id, NULL::integer AS duration FROM staff s WHERE s.tenant_id = $1 AND s.id = ANY ($2)"
_OF_DAY = f"""
    WITH {schedules_sql(_NAMED, "($3::date - 1)", "($3::date + 2)")}
    SELECT {SCHEDULE_COLUMNS} FROM {SCHEDULES}
    """
