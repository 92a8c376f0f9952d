"""Statements that an appointment is moved with."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from frontdesk.orders.queries.changing import MINUTES_OF_LINE, update_bookings_active
from frontdesk.orders.types import Actor, BookedService, LockedOrder, MovedBooking
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7


async def list_booked_services(conn: Connection, tenant_id: UUID, order_id: UUID) -> list[BookedService]:
    """Every service line with its booking, and all providers of the branch who perform it now."""
    rows = await conn.fetch(
        f"""
        SELECT k.id AS booking_id, l.id AS line_id, k.staff_id, lower(k.during) AS starts, upper(k.during) AS ends,
               l.duration, array_agg(s.id) FILTER (WHERE s.id IS NOT NULL) AS staff_ids,
               array_agg({MINUTES_OF_LINE}) FILTER (WHERE s.id IS NOT NULL) AS lengths
        FROM bookings k
        JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
        JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id
        JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = l.item_id
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active AND s.branch_id = o.branch_id
        WHERE k.tenant_id = $1 AND k.order_id = $2
        GROUP BY k.id, k.staff_id, k.during, l.id, l.duration, l.position ORDER BY l.position
        """,
        tenant_id,
        order_id,
    )
    return [
        BookedService(
            booking_id=row["booking_id"],
            line_id=row["line_id"],
            staff_id=row["staff_id"],
            start=row["starts"],
            end=row["ends"],
            minutes=row["duration"],
            candidates=dict(zip(row["staff_ids"] or (), row["lengths"] or (), strict=True)),
        )
        for row in rows
    ]


async def update_appointment(
    conn: Connection,
    tenant_id: UUID,
    order: LockedOrder,
    start: datetime,
    moved: Sequence[MovedBooking],
    actor: Actor,
) -> None:
    """All old times are freed before the first new one is taken: the bookings of one order may change places."""
    await update_bookings_active(conn, tenant_id, order.id, is_active=False)
    await conn.execute(
        """
        WITH moved AS (
            SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[])
                AS m (booking_id, line_id, staff_id, starts, ends)
        ), lines AS (
            UPDATE order_lines l SET staff_id = m.staff_id, duration = extract(epoch FROM m.ends - m.starts) / 60
            FROM moved m WHERE l.tenant_id = $1 AND l.id = m.line_id
        ), changed AS (
            UPDATE orders SET starts_at = $8, updated_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2
            RETURNING updated_at
        ), history AS (
            INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type,
                changed_by_id, created_at, previous_start, new_start)
            SELECT $1, $9, $2, $10, $10, $11, $12, updated_at, $13, $8 FROM changed
        )
        UPDATE bookings k SET staff_id = m.staff_id, during = tstzrange(m.starts, m.ends), is_active = true
        FROM moved m WHERE k.tenant_id = $1 AND k.id = m.booking_id
        """,
        tenant_id,
        order.id,
        [booking.id for booking in moved],
        [booking.line_id for booking in moved],
        [booking.staff_id for booking in moved],
        [booking.start for booking in moved],
        [booking.end for booking in moved],
        start,
        uuid7(),
        order.status,
        actor.type,
        actor.id,
        order.starts_at,
    )
