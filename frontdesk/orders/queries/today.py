"""Reads one day for the dashboard: its bookings and its sales."""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection


class DayBooking(NamedTuple):
    starts: datetime
    ends: datetime
    service: str
    staff: str
    customer: str | None
    order_id: UUID
    order_number: int
    status: str
    payment_status: str


class DayFigures(NamedTuple):
    orders: int
    total: Decimal
    paid: Decimal


async def list_day_bookings(
    conn: Connection,
    tenant_id: UUID,
    period: tuple[datetime, datetime],
    language: str | None,
    staff_id: UUID | None = None,
) -> list[DayBooking]:
    """By start, of all staff or of one member. `language` is for the services; None means the tenant's first."""
    rows = await conn.fetch(
        """
        SELECT lower(k.during) AS starts, upper(k.during), coalesce(i.name ->> $4::text, l.name), s.name,
               nullif(concat_ws(' ', c.first_name, c.last_name), ''), o.id, o.order_number, o.status,
               payment_status(o.total, o.paid_amount, o.refunded_amount)
        FROM staff s
        JOIN bookings k ON k.tenant_id = $1 AND k.staff_id = s.id AND k.is_active
            AND lower(k.during) >= $2 AND lower(k.during) < $3
        JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
        JOIN orders o ON o.tenant_id = $1 AND o.id = k.order_id
        JOIN items i ON i.tenant_id = $1 AND i.id = k.item_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE s.tenant_id = $1 AND ($5::uuid IS NULL OR s.id = $5) ORDER BY starts, s.name_search, k.id
        """,
        tenant_id,
        *period,
        language,
        staff_id,
    )
    return [DayBooking(*row) for row in rows]


async def get_day_figures(conn: Connection, tenant_id: UUID, period: tuple[datetime, datetime]) -> DayFigures:
    """Of the orders created on that day. Refunds are subtracted; drafts and canceled orders do not count."""
    row = await conn.fetchrow(
        """
        SELECT count(*) FILTER (WHERE parent_id IS NULL), coalesce(sum(total), 0),
               (SELECT coalesce(sum(t.amount), 0) FROM transactions t
                WHERE t.tenant_id = $1 AND t.created_at >= $2 AND t.created_at < $3
                  AND t.status IN ('confirmed', 'refunded'))
        FROM orders WHERE tenant_id = $1 AND created_at >= $2 AND created_at < $3
          AND status NOT IN ('draft', 'canceled')
        """,
        tenant_id,
        *period,
    )
    return DayFigures(*row) if row else DayFigures(0, Decimal(0), Decimal(0))
