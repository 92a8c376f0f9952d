"""New and returning customers."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.types import CustomerCount, Span


class CustomerCounts(NamedTuple):
    before: CustomerCount
    period: CustomerCount
    parts: Sequence[CustomerCount]


async def count_customers(conn: Connection, tenant_id: UUID, span: Span, starts: Sequence[date]) -> CustomerCounts:
    """Customers with a sale that stands: of the days before, of the period, and of its parts, which begin on `starts`.

    One is new in the part that has their first sale, also if that was canceled later. Who came in several parts counts
    once in the period.
    """
    rows = await conn.fetch(
        """
        WITH parts AS MATERIALIZED (
            SELECT part, ($2::date[])[part] AS day, coalesce(($2::date[])[part + 1], $3::date + 1) AS until
            FROM generate_subscripts($2::date[], 1) part
        ), came AS MATERIALIZED ( -- part by part: all of them in one group would be sorted on disk
            SELECT p.part, c.* FROM parts p CROSS JOIN LATERAL (
                SELECT customer_id, min(first_day) AS first_day, sum(orders)::integer AS orders FROM sales_by_customer
                WHERE tenant_id = $1 AND day >= p.day AND day < p.until AND ($4::uuid IS NULL OR branch_id = $4)
                GROUP BY customer_id) c
        )
        SELECT c.part, count(*) FILTER (WHERE c.first_day >= p.day)::integer,
            count(*) FILTER (WHERE c.first_day < p.day)::integer
        FROM came c JOIN parts p ON p.part = c.part WHERE c.orders > 0 GROUP BY c.part
        UNION ALL
        SELECT 0, count(*) FILTER (WHERE c.first_day >= $5::date)::integer,
            count(*) FILTER (WHERE c.first_day < $5)::integer
        FROM (SELECT min(first_day) AS first_day FROM came WHERE part > 1 GROUP BY customer_id HAVING sum(orders) > 0) c
        """,
        tenant_id,
        [span.compared_from, *starts],
        span.last,
        span.branch_id,
        span.first,
    )
    counts = {part: CustomerCount(new, returning) for part, new, returning in rows}
    period, before, *parts = [counts.get(part, CustomerCount(0, 0)) for part in range(len(starts) + 2)]
    return CustomerCounts(before, period, parts)
