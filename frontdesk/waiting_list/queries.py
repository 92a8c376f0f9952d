"""Statements for the waiting list."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.queries import SCHEDULE_COLUMNS, SCHEDULES, Days, read_schedules, schedules_sql
from frontdesk.availability.types import StaffSchedule
from frontdesk.postgres.query import Query, always, found
from frontdesk.postgres.records import from_row
from frontdesk.values.pagination import PageRequest
from frontdesk.waiting_list.types import WaitingEntry, WaitingRequest

_ENTRIES = msgspec.json.Decoder(list[WaitingEntry])
_ENTRY = """json_build_object(
        'id', w.id, 'version', w.version, 'customer_id', w.customer_id,
        'customer', concat_ws(' ', c.first_name, c.last_name), 'phone', c.phone,
        'has_email', c.email IS NOT NULL, 'blocked', c.blocked,
        'item_id', w.item_id, 'service', i.name, 'on_sale', i.status, 'branch_id', i.branch_id,
        'staff_id', w.staff_id, 'staff', s.name, 'first_day', w.first_day, 'last_day', w.last_day,
        'part_of_day', w.part_of_day, 'note', w.note, 'created_at', format_utc(w.created_at),
        'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after, 'candidates', (
            SELECT coalesce(json_object_agg(ss.staff_id, coalesce(ss.duration, i.duration)), '{}')
            FROM staff_services ss JOIN staff p ON p.tenant_id = $1 AND p.id = ss.staff_id AND p.active
                AND p.branch_id = i.branch_id
            WHERE ss.tenant_id = $1 AND ss.item_id = w.item_id
                AND ss.staff_id = coalesce(w.staff_id, ss.staff_id)),
        'more', (SELECT coalesce(json_agg(json_build_object(
                'item_id', m.id, 'name', m.name, 'on_sale', m.status, 'buffer_before', m.buffer_before,
                'buffer_after', m.buffer_after, 'candidates', (
                    SELECT coalesce(json_object_agg(ss.staff_id, coalesce(ss.duration, m.duration)), '{}')
                    FROM staff_services ss JOIN staff p ON p.tenant_id = $1 AND p.id = ss.staff_id AND p.active
                        AND p.branch_id = i.branch_id
                    WHERE ss.tenant_id = $1 AND ss.item_id = m.id)) ORDER BY n.position), '[]')
            FROM unnest(w.more_item_ids) WITH ORDINALITY n (id, position)
            JOIN items m ON m.tenant_id = $1 AND m.id = n.id))"""
_FROM = """waiting_list w
    JOIN customers c ON c.tenant_id = $1 AND c.id = w.customer_id
    JOIN items i ON i.tenant_id = $1 AND i.id = w.item_id
    LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = w.staff_id"""


class WaitingPage(NamedTuple):
    entries: list[WaitingEntry]
    schedules: Mapping[UUID, StaffSchedule]
    total: int


def list_waiting(days: Days, page: PageRequest) -> Query[WaitingPage]:
    """Those who wait longest first, with the schedules of their providers on some days."""
    return Query(_LIST, (days.first, days.last, page.offset, page.per_page), _page)


def waiting_between(first: date, last: date, days: Days, limit: int) -> Query[WaitingPage]:
    """Those who wait for one of the days from `first` to `last`."""
    return Query(_BETWEEN, (days.first, days.last, 0, limit, first, last), _page)


def _list_sql(where: str) -> str:
    """The schedules are those of the entries of the page only."""
    schedules = schedules_sql(
        """SELECT DISTINCT ss.staff_id, NULL::integer AS duration FROM page
            JOIN staff_services ss ON ss.tenant_id = $1 AND (ss.item_id = ANY (page.more_item_ids)
                OR ss.item_id = page.item_id AND ss.staff_id = coalesce(page.staff_id, ss.staff_id))""",
        "$2::date",
        "$3::date",
    )
    return f"""
        WITH page AS MATERIALIZED (
            SELECT id, item_id, more_item_ids, staff_id FROM waiting_list w WHERE w.tenant_id = $1 {where}
            ORDER BY w.created_at, w.id OFFSET $4::bigint LIMIT $5::bigint
        ), {schedules}
        SELECT (SELECT coalesce(json_agg({_ENTRY} ORDER BY w.created_at, w.id), '[]')::text
            FROM page JOIN {_FROM} ON true WHERE w.tenant_id = $1 AND w.id = page.id) AS entries,
            (SELECT count(*) FROM waiting_list w WHERE w.tenant_id = $1 {where}) AS total, {SCHEDULE_COLUMNS}
        FROM {SCHEDULES}"""


_LIST = _list_sql("")
_BETWEEN = _list_sql("AND w.first_day <= $7 AND w.last_day >= $6")


def _page(row: Record | None) -> WaitingPage:
    if row is None:
        return WaitingPage([], {}, 0)
    schedules = {schedule.staff_id: schedule for schedule in read_schedules(row)}
    return WaitingPage(_ENTRIES.decode(row["entries"]), schedules, row["total"])


def get_waiting(entry_id: UUID) -> Query[WaitingEntry]:
    return Query(_ONE, (entry_id,), found("entry of the waiting list", lambda row: _ENTRIES.decode(row["entries"])[0]))


_ONE = f"SELECT json_build_array({_ENTRY})::text AS entries FROM {_FROM} WHERE w.tenant_id = $1 AND w.id = $2"


def find_waiting_entry(entry_id: UUID) -> Query[WaitingEntry | None]:
    """None if it was left, or fulfilled."""
    return Query(_ONE, (entry_id,), lambda row: None if row is None else _ENTRIES.decode(row["entries"])[0])


def waiting_of_email(email: str, today: date, limit: int) -> Query[list[WaitingEntry]]:
    """Those of the customers with an e-mail address that have not passed."""
    return Query(_OF_EMAIL, (email, today, limit), lambda row: [] if row is None else _ENTRIES.decode(row["entries"]))


_OF_EMAIL = f"""
    SELECT coalesce(json_agg({_ENTRY} ORDER BY w.first_day, w.id), '[]')::text AS entries FROM {_FROM}
    WHERE w.tenant_id = $1 AND w.id IN (
        SELECT e.id FROM waiting_list e JOIN customers k ON k.tenant_id = $1 AND k.id = e.customer_id
        WHERE e.tenant_id = $1 AND lower(k.email) = lower($2) AND NOT k.blocked
            AND e.last_day >= $3::date
        ORDER BY e.first_day, e.id LIMIT $4)
    """


class JoinedOnline(NamedTuple):
    """How many entries that have not passed were made on the public page."""

    of_customer: int
    of_business: int


def count_joined(customer_id: UUID | None, today: date) -> Query[JoinedOnline]:
    return Query(
        """
        SELECT count(*) FILTER (WHERE w.customer_id = $2::uuid) AS of_customer, count(*) AS of_business
        FROM waiting_list w WHERE w.tenant_id = $1 AND w.created_by IS NULL AND w.last_day >= $3::date
        """,
        (customer_id, today),
        always(lambda row: JoinedOnline(*row)),
    )


class WaitingChoices(NamedTuple):
    """What an entry refers to, as far as it exists."""

    customer_blocked: bool | None  # None: no such customer
    is_service: bool  # all of them, on sale
    performs: bool  # the provider, or anybody if none is named
    version: int | None  # of the entry
    waits_already: bool = False  # for the same services on one of the days


def waiting_choices(entry_id: UUID | None, customer_id: UUID | None, request: WaitingRequest) -> Query[WaitingChoices]:
    return Query(
        """
        SELECT (SELECT blocked FROM customers WHERE tenant_id = $1 AND id = $3) AS customer_blocked,
            NOT EXISTS (SELECT FROM unnest($4::uuid || $6::uuid[]) n (id) LEFT JOIN items i ON i.tenant_id = $1
                AND i.id = n.id AND i.type = 'service' AND i.status WHERE i.id IS NULL) AS is_service,
            EXISTS (SELECT FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active
                WHERE ss.tenant_id = $1 AND ss.item_id = $4 AND ss.staff_id = coalesce($5, ss.staff_id)) AS performs,
            (SELECT version FROM waiting_list WHERE tenant_id = $1 AND id = $2) AS version,
            EXISTS (SELECT FROM waiting_list w WHERE w.tenant_id = $1 AND w.id IS DISTINCT FROM $2
                AND w.customer_id = coalesce($3, (SELECT e.customer_id FROM waiting_list e
                    WHERE e.tenant_id = $1 AND e.id = $2))
                AND w.item_id = $4 AND w.more_item_ids = $6 AND w.staff_id IS NOT DISTINCT FROM $5
                AND w.part_of_day = $9 AND w.first_day <= $8::date AND w.last_day >= $7::date) AS waits_already
        """,
        (
            entry_id,
            customer_id,
            request.item_id,
            request.staff_id,
            list(request.more_item_ids),
            request.first_day,
            request.last_day,
            request.part_of_day.value,
        ),
        _choices,
    )


def _choices(row: Record | None) -> WaitingChoices:
    if row is None:
        return WaitingChoices(None, is_service=False, performs=False, version=None)
    return from_row(WaitingChoices, row)
