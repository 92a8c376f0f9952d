"""The reads of closed days for the dashboard."""

import datetime as dt
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.day_close.documents import CashierTotals
from frontdesk.day_close.drawer_queries import Method, Named
from frontdesk.day_close.drawer_types import CashierCount, MethodCount, StoredDrawer
from frontdesk.day_close.types import TipTotal
from frontdesk.errors import not_found
from frontdesk.postgres.query import Query, decoded, optional_decoded
from frontdesk.values.pagination import PageRequest

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


class ClosedDay(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    branch: str
    day: dt.date
    closed_at: dt.datetime
    closed_by: str | None
    drawer: StoredDrawer | None
    note: str | None
    cashiers: list[CashierTotals]
    counts: list[MethodCount] | None
    handed_over: list[CashierCount] | None
    methods: list[Method]
    tips: list[TipTotal]


class CloseRow(msgspec.Struct, frozen=True):
    """A closed day in the list."""

    id: UUID
    number: int
    branch: str
    day: dt.date
    closed_at: dt.datetime
    closed_by: str | None
    drawer: StoredDrawer | None


class ClosePage(msgspec.Struct, frozen=True):
    total: int
    rows: list[CloseRow]
    branches: list[Named]


def get_closed_day(close_id: UUID) -> Query[ClosedDay]:
    found = optional_decoded(ClosedDay)

    def result(row: Record | None) -> ClosedDay:
        closed = found(row)
        if closed is None:
            raise not_found("day close")
        return closed

    return Query(
        f"""
        SELECT json_build_object('id', d.id, 'number', d.close_number, 'branch', b.name, 'day', d.day,
            'closed_at', d.closed_at, 'closed_by', {_CLOSED_BY}, 'drawer', d.drawer, 'note', d.note,
            'cashiers', d.cashiers, 'counts', d.methods, 'handed_over', d.handed_over, 'tips', ({_TIPS}),
            'methods', (SELECT coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'type', m.type)), '[]')
                FROM payment_methods m WHERE m.tenant_id = $1))::text AS document
        FROM day_closes d JOIN branches b ON b.tenant_id = $1 AND b.id = d.branch_id
        WHERE d.tenant_id = $1 AND d.id = $2
        """,
        (close_id,),
        result,
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
                    'branch', b.name, 'day', d.day, 'closed_at', d.closed_at, 'closed_by', {_CLOSED_BY},
                    'drawer', d.drawer) ORDER BY d.close_number DESC), '[]')
                FROM (SELECT * FROM day_closes WHERE tenant_id = $1 AND ($2::uuid IS NULL OR branch_id = $2)
                      ORDER BY close_number DESC OFFSET $3 LIMIT $4) d
                JOIN branches b ON b.tenant_id = $1 AND b.id = d.branch_id))::text AS document
        """,
        (branch_id, page_request.offset, page_request.per_page),
        decoded(ClosePage),
    )
