"""What must be true of a business, for tests that ask after something has happened to it."""

from collections.abc import Mapping
from decimal import Decimal
from uuid import UUID

from frontdesk.invariants.check import find_broken
from frontdesk.postgres.pool import Connection


async def broken_invariants(conn: Connection, tenant_id: UUID) -> list[str]:
    """Each broken one by its name, with the first rows that break it."""
    return [f"{one.rule}: {one.rows}" for one in await find_broken(conn, tenant_id)]


async def stock_and_held(conn: Connection, tenant_id: UUID) -> Mapping[UUID, int]:
    """In stock, held by orders, and gone for good, by product: the same before and after whatever was sold.

    An order that stands holds what no refund put back into stock. One that is canceled put back everything but
    the units that a refund had returned without putting them back.
    """
    rows = await conn.fetch(
        """
        WITH held AS (
            SELECT s.item_id, sum(s.units * CASE o.status WHEN 'canceled' THEN coalesce(back.lost, 0)
                ELSE l.quantity - coalesce(back.stocked, 0) END) AS units
            FROM order_line_stock s
            JOIN order_lines l ON (l.tenant_id, l.id) = (s.tenant_id, s.line_id)
            JOIN orders o ON (o.tenant_id, o.id) = (s.tenant_id, s.order_id)
            LEFT JOIN (
                SELECT b.parent_line_id, sum(b.returned) FILTER (WHERE r.restocked) AS stocked,
                    sum(b.returned) FILTER (WHERE NOT r.restocked) AS lost FROM order_lines b
                JOIN refunds r ON (r.tenant_id, r.child_order_id) = (b.tenant_id, b.order_id)
                WHERE b.tenant_id = $1 GROUP BY b.parent_line_id) back ON back.parent_line_id = l.id
            WHERE s.tenant_id = $1 AND o.status <> 'draft' GROUP BY s.item_id
        )
        SELECT i.id, (i.stock + coalesce(held.units, 0))::integer AS units
        FROM items i LEFT JOIN held ON held.item_id = i.id WHERE i.tenant_id = $1 AND i.type = 'product'
        """,
        tenant_id,
    )
    return {row["id"]: row["units"] for row in rows}


def expected_payment_status(total: Decimal, paid: Decimal, refunded: Decimal) -> str:
    """The rule in words: given back counts first, then whether what was paid covers the total."""
    if refunded:
        return "refunded" if refunded >= paid else "partially_refunded"
    if paid >= total:
        return "paid"
    return "partially_paid" if paid > 0 else "unpaid"
