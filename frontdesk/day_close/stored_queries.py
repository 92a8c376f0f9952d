"""The reads of closed days for the dashboard."""

import datetime as dt
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.day_close.documents import CashierTotals
from frontdesk.day_close.drawer_queries import Method, Named
from frontdesk.day_close.drawer_types import CashierCount, MethodCount, StoredDrawer
from frontdesk.day_close.types import TipTotal
from frontdesk.postgres.query import Query, decoded, found_decoded
from frontdesk.values.pagination import PageRequest

MAX_AGE = 31  # days; an older day cannot be closed in the dashboard
_CLOSED_BY = """CASE d.closed_by_type
    WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = d.closed_by_id)
    WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.tenant_id = $1 AND k.id = d.closed_by_id) END"""

# Tips are never changed, so they are read, not stored with the day.
_TIPS = """SELECT coalesce(json_agg(json_build_array(p.cashier, m.id, m.type, p.amount)), '[]')
                FROM (SELECT t.cashier, t.payment_method_id, sum(t.amount) AS amount
                      FROM tips t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = d.branch_id
                      WHERE t.tenant_id = $1 AND t.created_at >= d.starts_at AND t.created_at < d.ends_at
                      GROUP BY t.cashier, t.payment_method_id) p
                JOIN payment_methods m ON m.tenant_id = $1 AND m.id = p.payment_method_id"""


# The last close of its day that stands, and whether the drawer of its branch was opened after it.
_IS_LAST = """d.id = (SELECT l.id FROM standing_day_closes l
            WHERE l.tenant_id = $1 AND l.branch_id = d.branch_id AND l.day = d.day
            ORDER BY l.close_number DESC LIMIT 1)"""
_IS_DRAWER_OPENED = """EXISTS (SELECT 1 FROM drawer_sessions s
            WHERE s.tenant_id = $1 AND s.branch_id = d.branch_id AND s.opened_at >= d.closed_at
                AND (s.cashier_id IS NULL OR s.drawer = 1 AND d.drawer ->> 'session_id' IS NOT NULL))"""
_REOPENING = """(SELECT json_build_object('reason', r.reason, 'at', r.reopened_at,
                'by', (SELECT u.name FROM users u WHERE u.id = r.reopened_by_id))
            FROM day_reopenings r WHERE r.tenant_id = $1 AND r.day_close_id = d.id)"""


class Reopening(msgspec.Struct, frozen=True):
    reason: str
    at: dt.datetime
    by: str | None


class CloseRow(msgspec.Struct, frozen=True):
    """A close in the list."""

    id: UUID
    number: int
    branch: str
    day: dt.date
    starts_at: dt.datetime
    ends_at: dt.datetime
    closed_at: dt.datetime
    closed_by: str | None
    drawer: StoredDrawer | None
    reopening: Reopening | None


class ShownDayClose(CloseRow, frozen=True):
    """A close of a day, which may have several."""

    branch_id: UUID
    age: int  # days
    is_last: bool  # of its day
    is_drawer_opened: bool  # after the close
    note: str | None
    cashiers: list[CashierTotals]
    counts: list[MethodCount] | None
    handed_over: list[CashierCount] | None
    methods: list[Method]
    tips: list[TipTotal]


class ClosePage(msgspec.Struct, frozen=True):
    total: int
    rows: list[CloseRow]
    branches: list[Named]


class DayPart(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    starts_at: dt.datetime
    ends_at: dt.datetime
    closed_by: str | None
    taken: Decimal  # refunds subtracted, without tips
    drawer: StoredDrawer | None
    reopening: Reopening | None


class DayParts(msgspec.Struct, frozen=True):
    """The closes of a day, also those that were reopened, and its net sales as in the reports."""

    parts: list[DayPart]
    net_sales: Decimal

    @property
    def standing(self) -> list[DayPart]:
        return [part for part in self.parts if part.reopening is None]


def get_day_parts(branch_id: UUID, day: dt.date) -> Query[DayParts]:
    return Query(_DAY_PARTS, (branch_id, day), decoded(DayParts))


_DAY_PARTS = f"""
    SELECT json_build_object('net_sales', (SELECT coalesce(sum(total), 0) FROM sales_by_source
            WHERE tenant_id = $1 AND branch_id = $2 AND day = $3),
        'parts', (SELECT coalesce(json_agg(json_build_object('id', d.id, 'number', d.close_number,
                'starts_at', d.starts_at, 'ends_at', d.ends_at, 'closed_by', {_CLOSED_BY}, 'drawer', d.drawer,
                'taken', (SELECT coalesce(sum((m ->> 'paid')::numeric + (m ->> 'refunded')::numeric), 0)
                    FROM jsonb_array_elements(d.cashiers) c, jsonb_array_elements(c -> 'methods') m),
                'reopening', {_REOPENING}) ORDER BY d.close_number), '[]')
            FROM day_closes d WHERE d.tenant_id = $1 AND d.branch_id = $2 AND d.day = $3))::text AS document
    FROM (SELECT $2::uuid, $3::date) AS asked"""


def list_open_days(branch_id: UUID, before: dt.date) -> Query[list[dt.date]]:
    """Earlier days on which money was taken after their last close."""
    return Query(_OPEN_DAYS, (branch_id, before), decoded(list[dt.date]))


_OPEN_DAYS = f"""
    SELECT coalesce(json_agg(d.day ORDER BY d.day), '[]')::text AS document
    FROM (SELECT day, max(ends_at) AS ends FROM standing_day_closes
          WHERE tenant_id = $1 AND branch_id = $2 AND day < $3 AND day >= $3 - {MAX_AGE} GROUP BY day) d
    WHERE EXISTS (
        SELECT FROM transactions t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = $2
        WHERE t.tenant_id = $1 AND t.status IN ('confirmed', 'refunded') AND t.created_at >= d.ends
          AND t.created_at < day_start(d.day + 1, context.timezone))"""


def get_closed_day(close_id: UUID) -> Query[ShownDayClose]:
    return Query(
        f"""
        SELECT json_build_object('id', d.id, 'number', d.close_number, 'branch_id', b.id, 'branch', b.name,
            'day', d.day,
            'age', local_today(context.timezone) - d.day, 'starts_at', d.starts_at, 'ends_at', d.ends_at,
            'is_last', coalesce({_IS_LAST}, false), 'is_drawer_opened', {_IS_DRAWER_OPENED}, 'reopening', {_REOPENING},
            'closed_at', d.closed_at, 'closed_by', {_CLOSED_BY}, 'drawer', d.drawer, 'note', d.note,
            'cashiers', d.cashiers, 'counts', d.methods, 'handed_over', d.handed_over, 'tips', ({_TIPS}),
            'methods', (SELECT coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'type', m.type)), '[]')
                FROM payment_methods m WHERE m.tenant_id = $1))::text AS document
        FROM day_closes d JOIN branches b ON b.tenant_id = $1 AND b.id = d.branch_id
        WHERE d.tenant_id = $1 AND d.id = $2
        """,
        (close_id,),
        found_decoded("day close", ShownDayClose),
    )


def list_closed_days(branch_id: UUID | None, page_request: PageRequest) -> Query[ClosePage]:
    """The newest first."""
    return Query(
        f"""
        SELECT json_build_object(
            'total', (SELECT count(*) FROM day_closes WHERE tenant_id = $1 AND ($2::uuid IS NULL OR branch_id = $2)),
            'branches', (SELECT json_agg(json_build_object('id', id, 'name', name) ORDER BY name, id)
                FROM branches WHERE tenant_id = $1),
            'rows', (SELECT coalesce(json_agg(json_build_object('id', d.id, 'number', d.close_number,
                    'branch', b.name, 'day', d.day, 'starts_at', d.starts_at, 'ends_at', d.ends_at,
                    'closed_at', d.closed_at, 'closed_by', {_CLOSED_BY}, 'drawer', d.drawer,
                    'reopening', {_REOPENING}) ORDER BY d.close_number DESC), '[]')
                FROM (SELECT * FROM day_closes WHERE tenant_id = $1 AND ($2::uuid IS NULL OR branch_id = $2)
                      ORDER BY close_number DESC OFFSET $3 LIMIT $4) d
                JOIN branches b ON b.tenant_id = $1 AND b.id = d.branch_id))::text AS document
        """,
        (branch_id, page_request.offset, page_request.per_page),
        decoded(ClosePage),
    )
