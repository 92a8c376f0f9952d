"""Statements for the day's close: totals from facts that never change, and the closes that are stored."""

from datetime import date, datetime
from uuid import UUID

from frontdesk.day_close.types import MethodTotal, NewDayClose, OrderTotals, Period, StoredDayClose
from frontdesk.orders.types import Actor
from frontdesk.postgres.pool import Connection


async def list_order_totals(conn: Connection, tenant_id: UUID, branch_id: UUID, period: Period) -> list[OrderTotals]:
    """What became a sale in the period and was one at its end; and what was a sale before it and no longer at its end.

    Read from the history of statuses, which only grows: a later change belongs to a later period.
    """
    rows = await conn.fetch(
        """
        WITH changed AS (
            SELECT DISTINCT order_id FROM order_status_history
            WHERE tenant_id = $1 AND created_at >= $3 AND created_at < $4
        ), sale AS (
            SELECT o.cashier, o.total, o.parent_id,
                coalesce((SELECT h.to_status NOT IN ('draft', 'canceled') FROM order_status_history h
                    WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.created_at < $3
                    ORDER BY h.created_at DESC, h.id DESC LIMIT 1), false) AS before,
                (SELECT h.to_status NOT IN ('draft', 'canceled') FROM order_status_history h
                    WHERE h.tenant_id = $1 AND h.order_id = o.id AND h.created_at < $4
                    ORDER BY h.created_at DESC, h.id DESC LIMIT 1) AS after
            FROM changed JOIN orders o ON o.tenant_id = $1 AND o.id = changed.order_id AND o.branch_id = $2
        )
        SELECT cashier, count(*) FILTER (WHERE after AND parent_id IS NULL)::integer AS sales,
            coalesce(sum(total) FILTER (WHERE after AND parent_id IS NULL), 0) AS sold,
            count(*) FILTER (WHERE parent_id IS NOT NULL)::integer AS refunds,
            coalesce(sum(total) FILTER (WHERE parent_id IS NOT NULL), 0) AS refunded,
            count(*) FILTER (WHERE before)::integer AS cancellations,
            coalesce(-sum(total) FILTER (WHERE before), 0) AS canceled
        FROM sale WHERE before <> after GROUP BY cashier
        """,
        tenant_id,
        branch_id,
        *period,
    )
    return [OrderTotals(*row.values()) for row in rows]


async def list_method_totals(conn: Connection, tenant_id: UUID, branch_id: UUID, period: Period) -> list[MethodTotal]:
    """Money that moved in the period, whatever became of its order since."""
    rows = await conn.fetch(
        """
        SELECT t.cashier, m.id, m.type, coalesce(sum(t.amount) FILTER (WHERE t.amount > 0), 0) AS paid,
            coalesce(sum(t.amount) FILTER (WHERE t.amount < 0), 0) AS refunded,
            coalesce(sum(t.tendered_amount - t.amount) FILTER (WHERE t.amount > 0), 0) AS change
        FROM transactions t
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE t.tenant_id = $1 AND o.branch_id = $2 AND t.created_at >= $3 AND t.created_at < $4
          AND t.status IN ('confirmed', 'refunded')
        GROUP BY t.cashier, m.id, m.type, m.created_at ORDER BY m.created_at, m.id
        """,
        tenant_id,
        branch_id,
        *period,
    )
    return [MethodTotal(*row.values()) for row in rows]


async def find_close(conn: Connection, tenant_id: UUID, branch_id: UUID, day: date) -> StoredDayClose | None:
    row = await conn.fetchrow(
        """
        SELECT close_number, currency, cashiers::text, ends_at, closed_at FROM day_closes
        WHERE tenant_id = $1 AND branch_id = $2 AND day = $3
        """,
        tenant_id,
        branch_id,
        day,
    )
    return StoredDayClose(*row.values()) if row else None


async def stop_the_clock(conn: Connection, tenant_id: UUID) -> datetime:
    """Wait for transactions that write orders or payments, block new ones until the commit, and read the clock.

    They all lock one of these counters before they read theirs.
    """
    await conn.execute(
        """
        SELECT FROM tenant_counters WHERE tenant_id = $1 AND name IN ('order_number', 'transaction_no')
        ORDER BY name FOR NO KEY UPDATE
        """,
        tenant_id,
    )
    now: datetime = await conn.fetchval("SELECT clock_timestamp()")
    return now


async def insert_close(conn: Connection, tenant_id: UUID, new: NewDayClose, actor: Actor) -> None:
    await conn.execute(
        """
        INSERT INTO day_closes (tenant_id, id, close_number, branch_id, day, starts_at, ends_at, currency, cashiers,
            closed_by_type, closed_by_id, closed_at)
        SELECT $1, $2, n.last, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM next_number($1, 'day_close_number') n
        """,
        tenant_id,
        new.id,
        new.branch_id,
        new.day,
        *new.period,
        new.currency,
        new.cashiers,
        *actor,
        new.closed_at,
    )
