"""What was sold, from the sums that the acts on orders keep. Each is one statement for both ranges of days."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query
from frontdesk.reports.types import DaySales, ItemSales, Names, SourceSales, Span, StaffSales, TaxSales

_IN_SPAN = "tenant_id = $1 AND day BETWEEN $2 AND $4 AND ($5::uuid IS NULL OR branch_id = $5)"
# The months or the days of a part `p`. For two conditions PostgreSQL reads the pages of the table in their order, which
# takes half the processor time of following the index from row to row.
IN_PART = (
    "tenant_id = $1 AND is_month = p.is_month AND (day = p.day OR day > p.day AND day < p.until) "
    "AND ($5::uuid IS NULL OR branch_id = $5)"
)
# The period and the one before, in parts.
PERIODS = (
    "(VALUES (false, $2::date, $3::date), (true, $3, $4::date + 1)) t (is_asked, day, until) "
    "CROSS JOIN LATERAL split_period(t.day, t.until) p"
)
# What was sold of each item or by each provider, in the period and in the one before.
_SOLD = f"""
            SELECT {{0}}, coalesce(sum(quantity) FILTER (WHERE is_asked), 0) AS quantity,
                coalesce(sum(total) FILTER (WHERE is_asked), 0) AS total,
                coalesce(sum(tax_amount) FILTER (WHERE is_asked), 0) AS tax_amount,
                coalesce(sum(total) FILTER (WHERE NOT is_asked), 0) AS before
            FROM {PERIODS} CROSS JOIN LATERAL (
                SELECT {{0}}, sum(quantity) AS quantity, sum(total) AS total, sum(tax_amount) AS tax_amount
                FROM sales_by_item WHERE {IN_PART} GROUP BY {{0}}) sold
            GROUP BY {{0}}"""


def decode_names(text: str | None) -> Names:
    return msgspec.json.decode(text, type=Names) if text else {}


async def list_day_sales(conn: Connection, tenant_id: UUID, span: Span) -> list[DaySales]:
    rows = await conn.fetch(
        f"""
        SELECT day, kind, sum(orders)::integer, sum(total), sum(tax_amount), sum(discount_amount)
        FROM sales_by_source WHERE {_IN_SPAN} AND $3::date IS NOT NULL GROUP BY day, kind ORDER BY day, kind
        """,
        *_arguments(tenant_id, span),
    )
    return [DaySales(*row) for row in rows]


async def list_item_sales(conn: Connection, tenant_id: UUID, span: Span) -> list[ItemSales]:
    rows = await conn.fetch(
        f"""
        SELECT coalesce(i.name, p.name)::text, coalesce(i.type, 'package'), c.name::text, s.quantity::integer, s.total,
               s.tax_amount, s.before
        FROM ({_SOLD.format("item_id")}) s
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = s.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = s.item_id
        LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
        ORDER BY s.total DESC, s.before DESC, s.item_id
        """,
        *_arguments(tenant_id, span),
    )
    return [
        ItemSales(decode_names(names), kind, decode_names(category) if category else None, *sums)
        for names, kind, category, *sums in rows
    ]


async def list_staff_sales(conn: Connection, tenant_id: UUID, span: Span) -> list[StaffSales]:
    rows = await conn.fetch(
        f"""
        SELECT s.staff_id, t.name, s.quantity::integer, s.total, s.tax_amount, s.before
        FROM ({_SOLD.format("staff_id")}) s
        LEFT JOIN staff t ON t.tenant_id = $1 AND t.id = s.staff_id
        ORDER BY t.name IS NULL, s.total DESC, s.before DESC, s.staff_id
        """,
        *_arguments(tenant_id, span),
    )
    return [StaffSales(*row) for row in rows]


async def list_source_sales(conn: Connection, tenant_id: UUID, span: Span) -> list[SourceSales]:
    rows = await conn.fetch(
        f"""
        SELECT s.source, coalesce(a.name, c.name), s.orders::integer, s.total, s.tax_amount, s.before
        FROM (
            SELECT source, client_id,
                coalesce(sum(orders) FILTER (WHERE day >= $3 AND kind IN ('sale', 'cancellation')), 0) AS orders,
                coalesce(sum(total) FILTER (WHERE day >= $3), 0) AS total,
                coalesce(sum(tax_amount) FILTER (WHERE day >= $3), 0) AS tax_amount,
                coalesce(sum(total) FILTER (WHERE day < $3), 0) AS before
            FROM sales_by_source WHERE {_IN_SPAN} GROUP BY source, client_id) s
        LEFT JOIN api_clients c ON c.tenant_id = $1 AND c.id = s.client_id
        LEFT JOIN installs n ON n.tenant_id = $1 AND n.id = c.install_id
        LEFT JOIN applications a ON a.id = n.application_id
        ORDER BY s.total DESC, s.before DESC, s.source, s.client_id
        """,
        *_arguments(tenant_id, span),
    )
    return [SourceSales(*row) for row in rows]


async def list_tax_sales(conn: Connection, tenant_id: UUID, span: Span) -> list[TaxSales]:
    rows = await conn.fetch(
        f"""
        SELECT tax_rate, coalesce(sum(total) FILTER (WHERE day >= $3), 0),
            coalesce(sum(tax_amount) FILTER (WHERE day >= $3), 0),
            coalesce(sum(tax_amount) FILTER (WHERE day < $3), 0)
        FROM sales_by_source WHERE {_IN_SPAN} GROUP BY tax_rate ORDER BY tax_rate DESC
        """,
        *_arguments(tenant_id, span),
    )
    return [TaxSales(*row) for row in rows]


def _arguments(tenant_id: UUID, span: Span) -> Sequence[Any]:
    return (tenant_id, span.compared_from, span.first, span.last, span.branch_id)


def shortest_service(branch_id: UUID | None) -> Query[int]:
    """Its minutes; 0 if nothing can be booked."""
    return Query(
        """
        SELECT min(duration) AS minutes FROM items
        WHERE tenant_id = $1 AND type = 'service' AND status AND duration > 0 AND ($2::uuid IS NULL OR branch_id = $2)
        """,
        (branch_id,),
        lambda row: (row["minutes"] if row else None) or 0,
    )
