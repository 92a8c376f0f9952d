"""Statements that fetch calendars: one, whatever the number of providers and days."""

from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.hours import CLOSED, Hours, Interval, Weekday
from frontdesk.availability.types import BusyMinutes, Service, StaffSchedule
from frontdesk.availability.window import Window, mask_of_utc_days
from frontdesk.postgres.pool import Connection

# What follows the CTE `asked (staff_id, duration)`. $2 and $3 are the first and last UTC day of what is booked, $4 the
# instant from which on closed days and time off are told, to the last of them: those are kept in mind.
# Hours are written once for all providers who share them. The bitmaps are joined to one number, the latest day first
# as in each the latest minute, without the four bytes of length that bit_send puts before them.
# The days go with them as two bytes each, counted from $2: as dates they would cost more than the bitmaps.
_JOINED = """string_agg(int2send((b.day - $2::date)::smallint), '') AS busy_days,
                   string_agg(substr(bit_send(b.minutes), 5), '') AS busy_minutes"""
_CALENDARS = f"""
    person AS (
        SELECT s.id, s.branch_id, s.calendar, asked.duration, coalesce(own.id, shared.id) AS hour_id
        FROM asked JOIN staff s ON s.tenant_id = $1 AND s.id = asked.staff_id AND s.active
        LEFT JOIN working_hours own ON own.tenant_id = $1 AND own.staff_id = s.id AND own.is_default
        LEFT JOIN working_hours shared ON shared.tenant_id = $1 AND shared.branch_id = s.branch_id AND shared.is_default
    ), weekly AS MATERIALIZED (
        SELECT w.id, json_build_array(w.all_time, w.active, (
            SELECT coalesce(json_agg(json_build_array(i.day, i.opens, i.closes) ORDER BY i.day, i.opens), '[]')
            FROM working_intervals i WHERE i.tenant_id = $1 AND i.working_hour_id = w.id AND i.active))::text AS hours
        FROM working_hours w WHERE w.tenant_id = $1 AND w.id IN (SELECT hour_id FROM person)
    ), shut AS MATERIALIZED (
        SELECT branch_id, array_agg(day) AS days FROM closed_days
        WHERE tenant_id = $1 AND day >= $4::timestamptz::date - 1 AND branch_id IN (SELECT branch_id FROM person)
        GROUP BY branch_id
    ), calendar AS (
        SELECT p.id AS staff_id, p.calendar, p.duration AS own_duration, weekly.hours, shut.days AS closed,
               away.starts AS away_from, away.ends AS away_to, busy.*
        FROM person p
        LEFT JOIN weekly ON weekly.id = p.hour_id
        LEFT JOIN shut ON shut.branch_id = p.branch_id
        LEFT JOIN LATERAL (
            SELECT array_agg(lower(o.during)) AS starts, array_agg(upper(o.during)) AS ends FROM time_off o
            WHERE o.tenant_id = $1 AND o.staff_id = p.id AND upper(o.during) > $4) away ON true
        LEFT JOIN LATERAL (
            SELECT {_JOINED} FROM (
                SELECT day, minutes FROM staff_busy_days
                WHERE tenant_id = $1 AND staff_id = p.id AND day BETWEEN $2 AND $3 ORDER BY day DESC) b) busy ON true
    )"""


async def get_service(
    conn: Connection, tenant_id: UUID, service_id: UUID, staff_id: UUID | None, window: Window, since: datetime
) -> Service | None:
    """The service with everybody who performs it in its branch and their calendars, or with the one who was named."""
    rows = await conn.fetch(
        f"""
        WITH asked AS (
            SELECT ss.staff_id, ss.duration FROM staff_services ss
            JOIN items i ON i.tenant_id = $1 AND i.id = ss.item_id
            JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.branch_id = i.branch_id
            WHERE ss.tenant_id = $1 AND ss.item_id = $5 AND ($6::uuid IS NULL OR ss.staff_id = $6)
        ), {_CALENDARS}
        SELECT i.duration, i.status, n.grid_minutes, calendar.*
        FROM items i JOIN tenants n ON n.id = i.tenant_id LEFT JOIN calendar ON true
        WHERE i.tenant_id = $1 AND i.id = $5 AND i.type = 'service'
        """,
        tenant_id,
        *_days(window),
        since,
        service_id,
        staff_id,
    )
    if not rows:
        return None
    first = rows[0]
    providers = [_provider(row) for row in rows if row["staff_id"] is not None]
    return Service(first["duration"], first["status"], first["grid_minutes"], providers)


async def list_providers(
    conn: Connection, tenant_id: UUID, staff_ids: Sequence[UUID], window: Window, since: datetime
) -> dict[UUID, StaffSchedule]:
    rows = await conn.fetch(
        f"""
        WITH asked AS (SELECT unnest($5::uuid[]) AS staff_id, NULL::integer AS duration), {_CALENDARS}
        SELECT * FROM calendar
        """,
        tenant_id,
        *_days(window),
        since,
        staff_ids,
    )
    return {row["staff_id"]: _provider(row) for row in rows}


async def list_booked(
    conn: Connection, tenant_id: UUID, staff_ids: Sequence[UUID], known: Sequence[BusyMinutes | None], window: Window
) -> dict[UUID, BusyMinutes]:
    """What they have booked in the window. Of those whose calendar is still the known one nothing more is read."""
    rows = await conn.fetch(
        f"""
        SELECT s.id AS staff_id, s.calendar, s.calendar IS NOT DISTINCT FROM k.calendar AS is_known, busy.*
        FROM unnest($4::uuid[], $5::bigint[]) AS k (id, calendar) JOIN staff s ON s.tenant_id = $1 AND s.id = k.id
        LEFT JOIN LATERAL (
            SELECT {_JOINED} FROM (
                SELECT day, minutes FROM staff_busy_days WHERE tenant_id = $1 AND staff_id = s.id
                AND day BETWEEN $2 AND $3 AND s.calendar IS DISTINCT FROM k.calendar ORDER BY day DESC) b) busy ON true
        """,
        tenant_id,
        *_days(window),
        staff_ids,
        [None if one is None else one.calendar for one in known],
    )
    before = {staff_id: one for staff_id, one in zip(staff_ids, known, strict=True) if one is not None}
    return {row["staff_id"]: before[row["staff_id"]] if row["is_known"] else _booked(row) for row in rows}


async def exists_staff(conn: Connection, tenant_id: UUID, staff_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM staff WHERE tenant_id = $1 AND id = $2 AND active)", tenant_id, staff_id
    )
    return found


def _days(window: Window) -> tuple[date, date]:
    return window.utc_days[0], window.utc_days[-1]


def _provider(row: Record) -> StaffSchedule:
    away = zip(row["away_from"] or (), row["away_to"] or (), strict=True)
    return StaffSchedule(
        row["staff_id"],
        row["own_duration"],
        CLOSED if row["hours"] is None else _hours(row["hours"]),
        frozenset(row["closed"] or ()),
        list(away),
        _booked(row),
    )


def _booked(row: Record) -> BusyMinutes:
    minutes = mask_of_utc_days(row["busy_days"], row["busy_minutes"]) if row["busy_days"] else 0
    return BusyMinutes(row["calendar"], minutes)


_WEEK: tuple[Weekday, ...] = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@lru_cache(maxsize=1024)
def _hours(text: str) -> Hours:
    """Remembered by its text: most providers share their branch's hours."""
    all_time, active, intervals = msgspec.json.decode(text, type=tuple[bool, bool, list[tuple[int, int, int]]])
    return Hours(
        tuple(Interval(_WEEK[day], opens, closes) for day, opens, closes in intervals), all_time=all_time, active=active
    )
