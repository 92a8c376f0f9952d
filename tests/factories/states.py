"""States of rows that no act of the product makes, or that only time makes."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from tests.factories.tenant_rows import TenantRows
from tests.support.branch import BranchFixture


async def turn_into_draft(branch: BranchFixture, order_id: str, *, nobody_chosen: bool = False) -> None:
    """Turn an order into the draft that it might have been: no time and no goods are taken for it yet."""
    await branch.shop.sql("DELETE FROM bookings WHERE tenant_id = $1 AND order_id = $2", UUID(order_id))
    await branch.shop.sql("SELECT rebuild_busy_days($1)")
    await branch.shop.sql(
        """
        UPDATE items i SET stock = i.stock + held.units
        FROM (SELECT s.item_id, sum(s.units * l.quantity) AS units
              FROM order_line_stock s JOIN order_lines l ON l.tenant_id = $1 AND l.id = s.line_id
              WHERE s.tenant_id = $1 AND s.order_id = $2 GROUP BY s.item_id) held
        WHERE i.tenant_id = $1 AND i.id = held.item_id
        """,
        UUID(order_id),
    )
    await branch.shop.sql(
        "UPDATE orders SET status = 'draft', version = version + 1 WHERE tenant_id = $1 AND id = $2", UUID(order_id)
    )
    await branch.shop.sql(
        "UPDATE order_status_history SET to_status = 'draft' WHERE tenant_id = $1 AND order_id = $2", UUID(order_id)
    )
    if nobody_chosen:
        await branch.shop.sql(
            "UPDATE order_lines SET staff_id = NULL, duration = NULL WHERE tenant_id = $1 AND order_id = $2",
            UUID(order_id),
        )


async def insert_old_bookings(
    rows: TenantRows, branch_id: UUID, service_id: UUID, staff_id: UUID, times: Sequence[tuple[datetime, datetime]]
) -> None:
    """An old order with a booking for each time, on the grid or off it; they may lie in the past."""
    await rows.sql(
        """
        WITH o AS (
            INSERT INTO orders (tenant_id, id, order_number, branch_id, status, source, currency, sub_total,
                discount_amount, total, created_by_type)
            VALUES ($1, $2, -(SELECT count(*) FROM orders WHERE tenant_id = $1), $3, 'confirmed', 'api', 'SAR', 0,
                0, 0, 'system')
        ), b AS (
            SELECT gen_random_uuid() AS id, * FROM unnest($6::timestamptz[], $7::timestamptz[])
                WITH ORDINALITY AS b (begins, ends, place)
        ), l AS (
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, staff_id, name, price,
                quantity, discount_amount, total)
            SELECT $1, id, $2, place, 'service', $5, $4, 'x', 0, 1, 0, 0 FROM b
        )
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
        SELECT $1, id, $2, id, $4, $5, id::text, tstzrange(begins, ends), tstzrange(begins, ends) FROM b
        RETURNING set_busy(tenant_id, staff_id, during, true)
        """,
        uuid4(),
        branch_id,
        staff_id,
        service_id,
        [begin for begin, _ in times],
        [end for _, end in times],
    )
