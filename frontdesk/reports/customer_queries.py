"""New and returning customers."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.types import CustomerCount


async def count_customers(
    conn: Connection, tenant_id: UUID, starts: Sequence[date], last: date, branch_id: UUID | None
) -> list[CustomerCount]:
    """Of each part that begins on one of `starts`: customers with a sale that stands. One is new in the part that has
    their first sale, also if that was canceled later.
    """
    rows = await conn.fetch(
        """
        SELECT b.part - 1, count(*) FILTER (WHERE b.first_day >= ($2::date[])[b.part])::integer,
            count(*) FILTER (WHERE b.first_day < ($2::date[])[b.part])::integer
        FROM (
            SELECT width_bucket(day, $2::date[]) AS part, min(first_day) AS first_day
            FROM sales_by_customer
            WHERE tenant_id = $1 AND day BETWEEN ($2::date[])[1] AND $3 AND ($4::uuid IS NULL OR branch_id = $4)
            GROUP BY customer_id, part HAVING sum(orders) > 0) b
        GROUP BY b.part ORDER BY b.part
        """,
        tenant_id,
        list(starts),
        last,
        branch_id,
    )
    return [CustomerCount(*row) for row in rows]
