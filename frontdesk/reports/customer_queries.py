"""New and returning customers."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.sales_queries import PERIODS
from frontdesk.reports.types import CustomerCount, Span


class CustomerCounts(NamedTuple):
    before: CustomerCount
    period: CustomerCount
    parts: Sequence[CustomerCount]


_BRANCH = "($5::uuid IS NULL OR s.branch_id = $5)"


async def count_customers(conn: Connection, tenant_id: UUID, span: Span, starts: Sequence[date]) -> CustomerCounts:
    """Customers with a sale that stands: of the days before, of the period, and of its parts, which begin on `starts`.

    One is new in the part that has their first sale, also if that was canceled later. Who came in several parts counts
    once in the period.
    """
    (counts,) = await conn.fetch(
        f"""
        SELECT count(*) FILTER (WHERE c.before > 0 AND c.first_day >= $2)::integer,
            count(*) FILTER (WHERE c.before > 0 AND c.first_day < $2)::integer,
            count(*) FILTER (WHERE c.asked > 0 AND c.first_day >= $3)::integer,
            count(*) FILTER (WHERE c.asked > 0 AND c.first_day < $3)::integer
        FROM (
            SELECT s.customer_id, min(s.first_day) AS first_day, sum(s.orders) FILTER (WHERE t.is_asked) AS asked,
                sum(s.orders) FILTER (WHERE NOT t.is_asked) AS before
            FROM {PERIODS} JOIN sales_by_customer s
                ON s.tenant_id = $1 AND s.is_month = p.is_month AND s.day >= p.day AND s.day < p.until AND {_BRANCH}
            GROUP BY s.customer_id) c
        """,
        tenant_id,
        *span,
    )
    before, period = CustomerCount(*counts[:2]), CustomerCount(*counts[2:])
    parts = [period] if len(starts) == 1 else await _count_parts(conn, tenant_id, span, starts)
    return CustomerCounts(before, period, parts)


async def _count_parts(
    conn: Connection, tenant_id: UUID, span: Span, starts: Sequence[date]
) -> Sequence[CustomerCount]:
    """Part by part: all of them in one group would be sorted on disk. A part is a month, or some days."""
    rows = await conn.fetch(
        """
        SELECT t.part, count(*) FILTER (WHERE c.first_day >= t.day)::integer,
            count(*) FILTER (WHERE c.first_day < t.day)::integer
        FROM (
            SELECT part, ($2::date[])[part] AS day, coalesce(($2::date[])[part + 1], $3::date + 1) AS until
            FROM generate_subscripts($2::date[], 1) part) t
        CROSS JOIN LATERAL months_and_days(t.day, t.until) p
        CROSS JOIN LATERAL (
            SELECT min(s.first_day) AS first_day FROM sales_by_customer s
            WHERE s.tenant_id = $1 AND s.is_month = p.is_month AND s.day >= p.day AND s.day < p.until
                AND ($4::uuid IS NULL OR s.branch_id = $4)
            GROUP BY s.customer_id HAVING sum(s.orders) > 0) c
        GROUP BY t.part
        """,
        tenant_id,
        starts,
        span.last,
        span.branch_id,
    )
    counts = {part: CustomerCount(new, returning) for part, new, returning in rows}
    return [counts.get(part, CustomerCount(0, 0)) for part in range(1, len(starts) + 1)]
