"""Copies of an order with a booking, for tomorrow, in a database whose tenants the test does not know."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncpg

_COLUMNS = """
SELECT string_agg(column_name, ', ') FROM information_schema.columns
WHERE table_name = 'orders' AND is_generated = 'NEVER'
"""
# The reminders of all of them are looked for again each time.
_COPY_ORDERS = """
WITH customer AS (
        UPDATE customers c SET email = 'sara@example.com', reminders_stopped_at = NULL
        FROM (SELECT tenant_id, customer_id FROM orders WHERE starts_at IS NOT NULL AND status <> 'canceled'
              ORDER BY tenant_id, id LIMIT 1) o
        WHERE c.tenant_id = o.tenant_id AND c.id = o.customer_id RETURNING c.tenant_id, c.id),
    original AS (
        SELECT o FROM orders o JOIN customer c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
        WHERE o.starts_at IS NOT NULL ORDER BY o.id LIMIT 1),
    progress AS (UPDATE reminder_progress SET starts_until = now(), checked_at = '-infinity' RETURNING 1)
INSERT INTO orders ({columns}) SELECT {columns}
FROM original, generate_series(1, $2::int) number, LATERAL jsonb_populate_record(o, jsonb_build_object(
    'id', gen_random_uuid(), 'status', 'confirmed', 'order_number', $1::int + number,
    'starts_at', now() + interval '23 hours', 'created_at', now(), 'created_by_type', 'user', 'created_by_id', null,
    'contact_email', null)) copy
RETURNING tenant_id, id
"""
# A booking takes no time of its provider.
_COPY_BOOKINGS = """
WITH booking AS (SELECT b FROM bookings b WHERE b.tenant_id = $1 ORDER BY b.id LIMIT 1),
    lines AS (
        INSERT INTO order_lines SELECT copy.*
        FROM booking, unnest($2::uuid[]) o, order_lines l, LATERAL jsonb_populate_record(l, jsonb_build_object(
            'id', gen_random_uuid(), 'order_id', o)) copy
        WHERE l.tenant_id = $1 AND l.id = (b).line_id RETURNING order_lines.id, order_lines.order_id)
INSERT INTO bookings SELECT copy.* FROM booking, lines l, LATERAL jsonb_populate_record(b, jsonb_build_object(
    'id', gen_random_uuid(), 'order_id', l.order_id, 'line_id', l.id, 'reference', l.id, 'is_active', false)) copy
"""


async def copy_orders(
    raw: "asyncpg.Connection[asyncpg.Record]", last_number: int, count: int
) -> "list[asyncpg.Record]":
    """Their numbers follow the given one. Inside a transaction of the test."""
    columns = await raw.fetchval(_COLUMNS)
    orders = await raw.fetch(_COPY_ORDERS.format(columns=columns), last_number, count)
    await raw.execute(_COPY_BOOKINGS, orders[0]["tenant_id"], [order["id"] for order in orders])
    return orders
