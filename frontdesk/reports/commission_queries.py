"""Commissions: what providers earn of the sales, and the rates."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, found, page, page_of
from frontdesk.reports.sales_queries import IN_PART, decode_names
from frontdesk.reports.types import NOBODY, Names, Span, StaffCommission
from frontdesk.values.pagination import Page, PageRequest
from frontdesk.values.tenant_context import TenantContext

_NONE = f"'{NOBODY}'::uuid"


class Basis(StrEnum):
    """What earns a commission, and on which day."""

    DONE = "done"  # what belongs to completed orders, on the day they were completed; refunds on their own day
    BOOKED = "booked"  # all sales, as in the reports of sales


# Part by part: all of them in one group would be sorted on disk.
_BOOKED = f"""
            SELECT t.day, s.* FROM parts t CROSS JOIN LATERAL split_period(t.day, t.until) p CROSS JOIN LATERAL (
                SELECT staff_id, item_id, sum(total) - sum(tax_amount) AS base FROM sales_by_item
                WHERE {IN_PART} AND staff_id <> {_NONE} GROUP BY staff_id, item_id) s"""
_IN_TIME = "{0} >= day_start($2, $7) AND {0} < day_start($4 + 1, $7)"
_COMPLETION = "to_status = 'completed' AND from_status IS DISTINCT FROM 'completed'"
# Orders that are completed, on the day they were completed last, and their refunds. Refunds are few, so each looks for
# the completion of its order; it counts with it if that is later.
_DONE = f"""
            SELECT t.day, l.staff_id, coalesce(l.item_id, l.package_id) AS item_id, sum(l.total - l.tax_amount) AS base
            FROM (
                SELECT f.id, (f.at AT TIME ZONE 'UTC' + z.shift)::date AS day
                FROM (
                    SELECT o.id, c.at FROM completed c JOIN orders o ON o.tenant_id = $1 AND o.id = c.order_id
                    WHERE o.status = 'completed' AND o.parent_id IS NULL AND ($5::uuid IS NULL OR o.branch_id = $5)
                        AND c.order_id NOT IN (SELECT order_id FROM order_status_history
                            WHERE tenant_id = $1 AND {_COMPLETION} AND created_at >= day_start($4 + 1, $7))
                    UNION ALL
                    SELECT r.id, greatest(r.created_at, d.at)
                    FROM orders r JOIN orders o ON o.tenant_id = $1 AND o.id = r.parent_id AND o.status = 'completed'
                    CROSS JOIN LATERAL (SELECT max(created_at) AS at FROM order_status_history
                        WHERE tenant_id = $1 AND order_id = o.id AND {_COMPLETION}) d
                    WHERE r.tenant_id = $1 AND r.parent_id IS NOT NULL AND ($5::uuid IS NULL OR r.branch_id = $5)
                        AND (r.created_at >= day_start($2, $7) OR r.parent_id IN (SELECT order_id FROM completed))
                        AND {_IN_TIME.format("greatest(r.created_at, d.at)")}
                ) f
                CROSS JOIN LATERAL (
                    SELECT shift FROM time_zone_offsets
                    WHERE zone = $7 AND starts <= f.at ORDER BY starts DESC LIMIT 1) z
            ) e
            JOIN parts t ON e.day >= t.day AND e.day < t.until
            JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = e.id AND l.staff_id IS NOT NULL
            GROUP BY 1, 2, 3"""
_COMPLETED = f"""SELECT order_id, max(created_at) AS at FROM order_status_history
            WHERE tenant_id = $1 AND {_COMPLETION} AND {_IN_TIME.format("created_at")} GROUP BY order_id"""
_SOLD = {Basis.DONE: _DONE, Basis.BOOKED: _BOOKED}


async def list_commissions(
    conn: Connection, tenant: TenantContext, span: Span, basis: Basis = Basis.DONE
) -> list[StaffCommission]:
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
        ), completed AS MATERIALIZED ({_COMPLETED}
        ), sold AS MATERIALIZED ({_SOLD[basis]}
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
        tenant.tenant_id,
        *span,
        tenant.currency_decimals,
        tenant.timezone,
    )
    return [StaffCommission(staff_id, name, decode_names(names), *sums) for staff_id, name, names, *sums in rows]


def get_basis() -> Query[Basis]:
    return Query(
        "SELECT commission_basis FROM tenants WHERE id = $1", (), lambda row: Basis(row[0]) if row else Basis.DONE
    )


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
    SELECT r.id, r.staff_id, s.name AS staff, r.item_id, i.name::text AS item, r.starts_on, r.percent, r.version
    FROM commission_rates r
    LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = r.staff_id
    LEFT JOIN items i ON i.tenant_id = $1 AND i.id = r.item_id
    WHERE r.tenant_id = $1"""


_RATE_ORDER = "staff_id NULLS FIRST, item_id NULLS FIRST, starts_on DESC"


async def list_rates(conn: Connection, tenant_id: UUID) -> list[CommissionRate]:
    rows = await conn.fetch(
        f"{_RATES} ORDER BY s.name NULLS FIRST, r.staff_id, localized(i.name) NULLS FIRST, r.item_id, r.starts_on DESC",
        tenant_id,
    )
    return [_rate(row) for row in rows]


def published_rates(page_request: PageRequest) -> Query[Page]:
    """Those for all first, then by staff member and item, the newest first."""
    return Query(
        f"""
        SELECT {page_of("commission_rate_document($1, r.id)", _RATE_ORDER)} AS documents,
               (SELECT count(*) FROM commission_rates WHERE tenant_id = $1) AS total
        FROM (SELECT * FROM commission_rates WHERE tenant_id = $1 ORDER BY {_RATE_ORDER} OFFSET $2 LIMIT $3) r
        """,
        (page_request.offset, page_request.per_page),
        page,
    )


def get_rate(rate_id: UUID) -> Query[CommissionRate]:
    return Query(f"{_RATES} AND r.id = $2", (rate_id,), found("commission rate", _rate))


class RateCount(NamedTuple):
    rates: int
    is_staff: bool  # the named provider exists, or none is named
    is_item: bool


def count_rates(staff_id: UUID | None, item_id: UUID | None) -> Query[RateCount]:
    return Query(
        """
        SELECT (SELECT count(*) FROM commission_rates WHERE tenant_id = $1) AS rates,
            $2::uuid IS NULL OR EXISTS (SELECT 1 FROM staff WHERE tenant_id = $1 AND id = $2) AS is_staff,
            $3::uuid IS NULL OR EXISTS (SELECT 1 FROM items WHERE tenant_id = $1 AND id = $3) AS is_item
        """,
        (staff_id, item_id),
        _count,
    )


def _count(row: Record | None) -> RateCount:
    if row is None:
        return RateCount(0, is_staff=False, is_item=False)
    return RateCount(row["rates"], row["is_staff"], row["is_item"])


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


def _rate(row: Record) -> CommissionRate:
    item = decode_names(row["item"]) if row["item"] else None
    return CommissionRate(
        row["id"],
        row["staff_id"],
        row["staff"],
        row["item_id"],
        item,
        row["starts_on"],
        row["percent"],
        row["version"],
    )
