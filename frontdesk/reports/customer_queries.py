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


# Whose first sale is on one of the days, at the branch if one is asked for. Each customer has one first day, so the new
# customers of all parts of a period are those of the period.
_FIRST = """
            SELECT DISTINCT customer_id, day FROM sales_by_customer
            WHERE tenant_id = $1 AND NOT is_month AND day = first_day AND day BETWEEN {0} AND {1}
                AND ({2}::uuid IS NULL OR branch_id = {2})"""
_FIRST_OF_SPAN = _FIRST.format("$2", "$4", "$5")
_FIRST_OF_PARTS = _FIRST.format("($2::date[])[1]", "$3::date", "$4")


async def count_customers(conn: Connection, tenant_id: UUID, span: Span, starts: Sequence[date]) -> CustomerCounts:
    """Of the days before, of the period, and of its parts, which begin on `starts`.

    A customer is new on the day of their first sale, also if it was canceled later, and returning if they were not new
    in the same days and a sale of theirs stands. Who came in several parts counts once in the period.
    """
    (counts,) = await conn.fetch(
        f"""
        WITH firsts AS MATERIALIZED ({_FIRST_OF_SPAN})
        SELECT (SELECT count(*) FROM firsts WHERE day < $3)::integer,
            count(*) FILTER (WHERE c.before > 0 AND (f.day IS NULL OR f.day >= $3))::integer,
            (SELECT count(*) FROM firsts WHERE day >= $3)::integer,
            count(*) FILTER (WHERE c.asked > 0 AND (f.day IS NULL OR f.day < $3))::integer
        FROM (
            SELECT s.customer_id, sum(s.orders) FILTER (WHERE t.is_asked) AS asked,
                sum(s.orders) FILTER (WHERE NOT t.is_asked) AS before
            FROM {PERIODS} JOIN sales_by_customer s
                ON s.tenant_id = $1 AND s.is_month = p.is_month AND s.day >= p.day AND s.day < p.until
                AND ($5::uuid IS NULL OR s.branch_id = $5)
            GROUP BY s.customer_id) c
        LEFT JOIN firsts f ON f.customer_id = c.customer_id
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
        f"""
        WITH firsts AS MATERIALIZED ({_FIRST_OF_PARTS}),
        parts AS MATERIALIZED (
            SELECT part, ($2::date[])[part] AS day, coalesce(($2::date[])[part + 1], $3::date + 1) AS until
            FROM generate_subscripts($2::date[], 1) part)
        SELECT t.part, (SELECT count(*) FROM firsts n WHERE n.day >= t.day AND n.day < t.until)::integer,
            (SELECT count(*) FROM split_period(t.day, t.until) p CROSS JOIN LATERAL (
                SELECT s.customer_id FROM sales_by_customer s
                WHERE s.tenant_id = $1 AND s.is_month = p.is_month AND s.day >= p.day AND s.day < p.until
                    AND ($4::uuid IS NULL OR s.branch_id = $4)
                GROUP BY s.customer_id HAVING sum(s.orders) > 0) c
             LEFT JOIN firsts f ON f.customer_id = c.customer_id
             WHERE f.day IS NULL OR f.day < t.day)::integer
        FROM parts t
        """,
        tenant_id,
        starts,
        span.last,
        span.branch_id,
    )
    counts = {part: CustomerCount(new, returning) for part, new, returning in rows}
    return [counts[part] for part in range(1, len(starts) + 1)]
