"""Appointments whose customer did not come, by the day of the appointment."""

from datetime import datetime
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.types import Cancellations


async def list_no_shows(
    conn: Connection, tenant_id: UUID, start: datetime, end: datetime, branch_id: UUID | None
) -> list[Cancellations]:
    """By provider; an order with several counts for each, with that provider's part of its total."""
    rows = await conn.fetch(
        """
        SELECT s.name, count(DISTINCT o.id)::integer, coalesce(sum(l.total), 0)
        FROM orders o
        JOIN order_lines l ON l.tenant_id = $1 AND l.order_id = o.id AND l.type = 'service'
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
        WHERE o.tenant_id = $1 AND o.no_show AND o.starts_at >= $2 AND o.starts_at < $3
          AND ($4::uuid IS NULL OR o.branch_id = $4)
        GROUP BY s.id, s.name ORDER BY 2 DESC, 1
        """,
        tenant_id,
        start,
        end,
        branch_id,
    )
    return [Cancellations(*row) for row in rows]
