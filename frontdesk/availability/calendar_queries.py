"""What the calendar needs besides bookings: the providers of a branch, their schedules, and why they do not work."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.queries import SCHEDULE_COLUMNS, SCHEDULES, read_schedules, schedules_sql
from frontdesk.availability.types import StaffSchedule
from frontdesk.postgres.query import Query, found


class CalendarBranch(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class CalendarMember(msgspec.Struct, frozen=True):
    id: UUID
    name: str


Colors = Literal["status", "service", "provider"]


class CalendarView(msgspec.Struct, frozen=True):
    """How a member sees the calendar."""

    hidden_staff_ids: frozenset[UUID] = frozenset()
    only_working: bool = False
    colors: Colors = "status"
    is_wide: bool = False
    is_side_folded: bool = False


class Absence(msgspec.Struct, frozen=True):
    """Approved time off."""

    staff_id: UUID
    start: datetime
    end: datetime
    note: str | None


class _Facts(msgspec.Struct, frozen=True):
    branches: list[CalendarBranch]
    branch_id: UUID | None
    staff: list[CalendarMember]
    closed: list[tuple[date, str | None]]
    exceptions: list[tuple[UUID, date, str]]
    absences: list[Absence]
    view: CalendarView | None


class Roster(NamedTuple):
    """The providers of one branch over some days."""

    branches: list[CalendarBranch]
    branch_id: UUID | None  # None: the business has no branch in use
    staff: list[CalendarMember]  # in the order that the business has chosen
    schedules: Mapping[UUID, StaffSchedule]  # of those who still work there
    closed: Mapping[date, str | None]  # the closed days with their reason
    exceptions: Mapping[tuple[UUID, date], str]  # why a branch or a staff member has other hours
    absences: list[Absence]
    view: CalendarView = CalendarView()  # of the user


def roster_of(
    branch_id: UUID | None,
    staff_id: UUID | None,
    first: date,
    days: int,
    order_id: UUID | None = None,
    user_id: UUID | None = None,
) -> Query[Roster]:
    """Of the branch of `staff_id`, else of `branch_id`, else of that of the order, else of the first one. All its
    providers are listed, also those who left but have bookings on these days; schedules are those of `staff_id` only,
    if given.
    """
    last = first + timedelta(days=days - 1)
    return Query(_ROSTER, (branch_id, staff_id, first, last, order_id, user_id), found("business", _roster))


_CHOSEN = """
    SELECT coalesce((SELECT s.branch_id FROM staff s WHERE s.tenant_id = $1 AND s.id = $3::uuid),
        (SELECT b.id FROM branches b WHERE b.tenant_id = $1 AND b.id = $2::uuid),
        (SELECT o.branch_id FROM orders o WHERE o.tenant_id = $1 AND o.id = $6::uuid),
        (SELECT b.id FROM branches b WHERE b.tenant_id = $1 AND b.status ORDER BY b.name, b.id LIMIT 1)) AS id"""
_SHOWN = """
    SELECT s.id AS staff_id, NULL::integer AS duration FROM chosen
    JOIN staff s ON s.tenant_id = $1 AND s.branch_id = chosen.id AND s.active AND ($3::uuid IS NULL OR s.id = $3)"""
_ROSTER = f"""
    WITH chosen AS MATERIALIZED ({_CHOSEN}), {schedules_sql(_SHOWN, "($4::date - 1)", "($5::date + 2)")}
    SELECT json_build_object(
        'branches', (
            SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name) ORDER BY b.name, b.id), '[]')
            FROM branches b WHERE b.tenant_id = $1 AND (b.status OR b.id = (SELECT id FROM chosen))),
        'branch_id', (SELECT id FROM chosen),
        'staff', (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name)
                ORDER BY s.sort_order, s.name_search COLLATE "C", s.id), '[]')
            FROM chosen JOIN staff s ON s.tenant_id = $1 AND s.branch_id = chosen.id
            WHERE s.active OR EXISTS (
                SELECT FROM bookings k WHERE k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active
                AND lower(k.during) >= $4::date - interval '1 day' AND lower(k.during) < $5::date + interval '2 days')),
        'closed', (SELECT coalesce(json_agg(json_build_array(d.day, d.note)), '[]')
            FROM chosen JOIN closed_days d ON d.tenant_id = $1 AND d.branch_id = chosen.id
                AND d.day BETWEEN $4 AND $5),
        'exceptions', (
            SELECT coalesce(json_agg(json_build_array(coalesce(e.staff_id, e.branch_id), e.day, e.note)), '[]')
            FROM hour_exceptions e WHERE e.tenant_id = $1 AND e.day BETWEEN $4 AND $5 AND e.note IS NOT NULL
                AND (e.branch_id = (SELECT id FROM chosen) OR e.staff_id IN (SELECT staff_id FROM candidates))),
        'absences', (SELECT coalesce(json_agg(json_build_object('staff_id', o.staff_id,
                'start', format_utc(lower(o.during)), 'end', format_utc(upper(o.during)), 'note', o.note)), '[]')
            FROM candidates JOIN time_off o ON o.tenant_id = $1 AND o.staff_id = candidates.staff_id
                AND o.status = 'approved' AND upper(o.during) > $4::date - interval '1 day'
                AND lower(o.during) < $5::date + interval '3 days'),
        'view', (SELECT to_json(w) FROM calendar_views w WHERE w.tenant_id = $1 AND w.user_id = $7::uuid)
        )::text AS facts,
        {SCHEDULE_COLUMNS}
    FROM {SCHEDULES}
    """
_FACTS = msgspec.json.Decoder(_Facts)


def _roster(row: Record) -> Roster:
    facts = _FACTS.decode(row["facts"])
    return Roster(
        facts.branches,
        facts.branch_id,
        facts.staff,
        {schedule.staff_id: schedule for schedule in read_schedules(row)},
        dict(facts.closed),
        {(owner, day): note for owner, day, note in facts.exceptions},
        facts.absences,
        facts.view or CalendarView(),
    )
