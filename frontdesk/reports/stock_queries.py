"""The stock of products at the end of a day, and what changed it."""

from datetime import datetime
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.sales_queries import decode_names
from frontdesk.reports.types import StockOfItem


async def list_stock(
    conn: Connection, tenant_id: UUID, start: datetime, end: datetime, branch_id: UUID | None
) -> list[StockOfItem]:
    """`end` is the first instant after the last day."""
    rows = await conn.fetch(
        """
        SELECT i.name::text, i.stock - coalesce(m.later, 0)::integer, i.cost, coalesce(m.sold, 0)::integer,
            coalesce(m.returned, 0)::integer, coalesce(m.delivered, 0)::integer, coalesce(m.corrected, 0)::integer,
            coalesce(m.lost, 0)::integer, coalesce(m.opened, 0)::integer
        FROM items i LEFT JOIN (
            SELECT item_id, sum(change) FILTER (WHERE created_at >= $3) AS later,
                sum(change) FILTER (WHERE created_at < $3 AND reason = 'sale') AS sold,
                sum(change) FILTER (WHERE created_at < $3 AND reason = 'return') AS returned,
                sum(change) FILTER (WHERE created_at < $3 AND reason = 'delivery') AS delivered,
                sum(change) FILTER (WHERE created_at < $3 AND reason IN ('correction', 'oversold')) AS corrected,
                sum(change) FILTER (WHERE created_at < $3 AND reason = 'loss') AS lost,
                sum(change) FILTER (WHERE created_at < $3 AND reason = 'opening') AS opened
            FROM stock_movements WHERE tenant_id = $1 AND created_at >= $2 GROUP BY item_id) m ON m.item_id = i.id
        WHERE i.tenant_id = $1 AND i.type = 'product' AND ($4::uuid IS NULL OR i.branch_id = $4)
        ORDER BY (i.stock - coalesce(m.later, 0)) * coalesce(i.cost, 0) DESC NULLS LAST, i.sort_order, i.id
        """,
        tenant_id,
        start,
        end,
        branch_id,
    )
    return [StockOfItem(decode_names(names), *rest) for names, *rest in rows]
