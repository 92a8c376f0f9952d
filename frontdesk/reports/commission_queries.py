"""Commissions: what providers earn of the sales, and the rates."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.errors import not_found
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.reports.sales_queries import decode_names
from frontdesk.reports.types import Names, Span, StaffCommission


async def list_commissions(conn: Connection, tenant_id: UUID, span: Span, decimals: int) -> list[StaffCommission]:
    """Rounded for each day, branch, provider and item, so that the days of any range add up.

    Between two days on which a rate starts, each provider and item have one rate. The days of a provider and an item
    are kept as arrays of minor units: a join of hundreds of thousands of days with their rates would sort them, and
    decimals take several times as long. Halves are rounded away from zero.
    """
    rows = await conn.fetch(
        """
        WITH starts AS MATERIALIZED (
            SELECT coalesce(array_agg(DISTINCT starts_on ORDER BY starts_on), '{infinity}') AS days
            FROM commission_rates WHERE tenant_id = $1
        ), sold AS MATERIALIZED (
            SELECT staff_id, item_id, array_agg(((total - tax_amount) * (10 ^ $5::integer)::bigint)::bigint) AS bases,
                array_agg(day) AS days
            FROM sales_by_item
            WHERE tenant_id = $1 AND day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR branch_id = $4)
              AND staff_id <> '00000000-0000-0000-0000-000000000000'
            GROUP BY staff_id, item_id
        ), rated AS MATERIALIZED (
            SELECT s.*, ARRAY(
                SELECT coalesce((
                    SELECT (r.percent * 100)::bigint FROM commission_rates r
                    WHERE r.tenant_id = $1 AND r.starts_on <= d.day AND (r.staff_id IS NULL OR r.staff_id = s.staff_id)
                      AND (r.item_id IS NULL OR r.item_id = s.item_id)
                    ORDER BY r.item_id IS NULL, r.staff_id IS NULL, r.starts_on DESC LIMIT 1), 0)
                FROM unnest((SELECT days FROM starts)) WITH ORDINALITY d (day, place) ORDER BY d.place) AS percents
            FROM sold s
        ), earned AS MATERIALIZED (
            SELECT s.staff_id, s.item_id, round(n.percent * 0.01, 2) AS percent,
                round(n.base / (10 ^ $5)::numeric, $5) AS base,
                round(n.commission / (10 ^ $5)::numeric, $5) AS commission
            FROM rated s CROSS JOIN LATERAL (
                SELECT v.percent, sum(v.base) AS base,
                    sum(CASE WHEN v.base < 0 THEN -((5000 - v.base * v.percent) / 10000)
                        ELSE (v.base * v.percent + 5000) / 10000 END) AS commission
                FROM (SELECT u.base, coalesce(s.percents[width_bucket(u.day, (SELECT days FROM starts))], 0) AS percent
                      FROM unnest(s.bases, s.days) u (base, day) OFFSET 0) v
                GROUP BY v.percent) n
        )
        SELECT e.staff_id, t.name, coalesce(i.name, p.name)::text, e.percent, e.base, e.commission
        FROM earned e JOIN staff t ON t.tenant_id = $1 AND t.id = e.staff_id
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = e.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = e.item_id
        ORDER BY t.sort_order, t.name, e.staff_id, 6 DESC, 5 DESC, e.item_id
        """,
        tenant_id,
        span.first,
        span.last,
        span.branch_id,
        decimals,
    )
    return [StaffCommission(staff_id, name, decode_names(names), *sums) for staff_id, name, names, *sums in rows]


class CommissionRate(NamedTuple):
    id: UUID
    staff_id: UUID | None
    staff: str | None
    item_id: UUID | None
    item: Names | None
    starts_on: date
    percent: Decimal
    version: int


_RATES = """
    SELECT r.id, r.staff_id, s.name, r.item_id, i.name::text, r.starts_on, r.percent, r.version
    FROM commission_rates r
    LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = r.staff_id
    LEFT JOIN items i ON i.tenant_id = $1 AND i.id = r.item_id
    WHERE r.tenant_id = $1"""


async def list_rates(conn: Connection, tenant_id: UUID) -> list[CommissionRate]:
    rows = await conn.fetch(
        f"{_RATES} ORDER BY s.name NULLS FIRST, r.staff_id, localized(i.name) NULLS FIRST, r.item_id, r.starts_on DESC",
        tenant_id,
    )
    return [_rate(row) for row in rows]


def get_rate(rate_id: UUID) -> Query[CommissionRate]:
    return Query(f"{_RATES} AND r.id = $2", (rate_id,), _required)


class RateCount(NamedTuple):
    rates: int
    is_staff: bool  # the named provider exists, or none is named
    is_item: bool


def count_rates(staff_id: UUID | None, item_id: UUID | None) -> Query[RateCount]:
    return Query(
        """
        SELECT (SELECT count(*) FROM commission_rates WHERE tenant_id = $1),
            $2::uuid IS NULL OR EXISTS (SELECT FROM staff WHERE tenant_id = $1 AND id = $2),
            $3::uuid IS NULL OR EXISTS (SELECT FROM items WHERE tenant_id = $1 AND id = $3)
        """,
        (staff_id, item_id),
        _count,
    )


def _count(row: Record | None) -> RateCount:
    return RateCount(*row or (0, False, False))


class RateChoices(NamedTuple):
    staff: Sequence[tuple[UUID, str]]
    items: Sequence[tuple[UUID, Names]]


async def list_rate_choices(conn: Connection, tenant_id: UUID) -> RateChoices:
    """Providers and services in use; products have a seller too if the till names one."""
    staff = await conn.fetch(
        "SELECT id, name FROM staff WHERE tenant_id = $1 AND active ORDER BY sort_order, name, id", tenant_id
    )
    items = await conn.fetch(
        "SELECT id, name::text FROM items WHERE tenant_id = $1 AND status ORDER BY type DESC, sort_order, id", tenant_id
    )
    return RateChoices([(i, name) for i, name in staff], [(i, decode_names(names)) for i, names in items])


def _required(row: Record | None) -> CommissionRate:
    if row is None:
        raise not_found("commission rate")
    return _rate(row)


def _rate(row: Record) -> CommissionRate:
    rate_id, staff_id, staff, item_id, item, starts_on, percent, version = row
    return CommissionRate(
        rate_id, staff_id, staff, item_id, decode_names(item) if item else None, starts_on, percent, version
    )
