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
from frontdesk.reports.sales_queries import IN_PART, decode_names
from frontdesk.reports.types import NOBODY, Names, Span, StaffCommission

_NONE = f"'{NOBODY}'::uuid"


async def list_commissions(conn: Connection, tenant_id: UUID, span: Span, decimals: int) -> list[StaffCommission]:
    """For each provider, item and rate. Rounded once, so that the shown sales times the rate are the shown commission.

    The days are cut where a rate starts and where the period begins: in each part, a provider has one rate for an item.
    """
    rows = await conn.fetch(
        f"""
        WITH parts AS MATERIALIZED (
            SELECT d.day, lead(d.day, 1, $4::date + 1) OVER (ORDER BY d.day) AS until FROM (
                SELECT $2::date AS day UNION SELECT $3::date UNION SELECT starts_on FROM commission_rates
                WHERE tenant_id = $1 AND starts_on > $2 AND starts_on <= $4) d
        ), rates AS MATERIALIZED ( -- of each part
            SELECT DISTINCT ON (p.day, r.staff_id, r.item_id) p.day, coalesce(r.staff_id, {_NONE}) AS staff_id,
                coalesce(r.item_id, {_NONE}) AS item_id, r.percent
            FROM parts p JOIN commission_rates r ON r.tenant_id = $1 AND r.starts_on <= p.day
            ORDER BY p.day, r.staff_id, r.item_id, r.starts_on DESC
        ), sold AS MATERIALIZED ( -- part by part: all of them in one group would be sorted on disk
            SELECT t.day, s.* FROM parts t CROSS JOIN LATERAL months_and_days(t.day, t.until) p CROSS JOIN LATERAL (
                SELECT staff_id, item_id, sum(total) - sum(tax_amount) AS base FROM sales_by_item
                WHERE {IN_PART} AND staff_id <> {_NONE} GROUP BY staff_id, item_id) s
        ), rated AS (
            SELECT s.staff_id, s.item_id, s.day >= $3 AS is_asked, s.base,
                coalesce(b.percent, i.percent, p.percent, a.percent, 0) AS percent
            FROM sold s
            LEFT JOIN rates b ON b.day = s.day AND b.staff_id = s.staff_id AND b.item_id = s.item_id
            LEFT JOIN rates i ON i.day = s.day AND i.staff_id = {_NONE} AND i.item_id = s.item_id
            LEFT JOIN rates p ON p.day = s.day AND p.staff_id = s.staff_id AND p.item_id = {_NONE}
            LEFT JOIN rates a ON a.day = s.day AND a.staff_id = {_NONE} AND a.item_id = {_NONE}
        ), earned AS MATERIALIZED (
            SELECT staff_id, item_id, percent, coalesce(sum(base) FILTER (WHERE is_asked), 0) AS base,
                coalesce(sum(base) FILTER (WHERE NOT is_asked), 0) AS before
            FROM rated GROUP BY staff_id, item_id, percent
        ), named AS MATERIALIZED ( -- read once, not for each row
            SELECT id, name::text FROM items WHERE tenant_id = $1
            UNION ALL SELECT id, name::text FROM packages WHERE tenant_id = $1
        )
        SELECT e.staff_id, t.name, n.name, e.percent, round(e.base, $6),
            round(e.base * e.percent / 100, $6), round(e.before * e.percent / 100, $6)
        FROM earned e JOIN staff t ON t.tenant_id = $1 AND t.id = e.staff_id
        LEFT JOIN named n ON n.id = e.item_id
        ORDER BY t.sort_order, t.name, e.staff_id, 6 DESC, 5 DESC, e.item_id, e.percent
        """,
        tenant_id,
        *span,
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
