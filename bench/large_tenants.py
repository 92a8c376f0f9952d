"""A sandbox with many customers and orders, inserted in bulk."""

import asyncio
from uuid import UUID

from bench.tenants import TenantAccess, make_sandbox
from bench.triggers import triggers_disabled
from frontdesk.postgres.pool import Connection, connect

# A second apart, up to now; ids in the order of time, as the service's own are.
_NUMBERED = """(
            SELECT n, lpad(to_hex(n), 32, '0')::uuid AS id, now() - ($2::bigint - n) * interval '1 second' AS created_at
            FROM generate_series(1, $2::bigint) n) m"""
# In an order in which they can be deleted.
_SANDBOX_TABLES = (
    "order_status_history",
    "transactions",
    "refunds",
    "order_line_stock",
    "bookings",
    "order_lines",
    "orders",
    "customer_tags",
    "customers",
)


async def make_large_tenant(dsn: str, conn: Connection, rows: int) -> TenantAccess:
    """This many customers, and as many orders of one line each. Two connections insert at the same time."""
    access = await make_sandbox(conn)
    tenant_id = access.tenant_id
    async with triggers_disabled(conn):
        for table in _SANDBOX_TABLES:
            await conn.execute(f"DELETE FROM {table} WHERE tenant_id = $1", tenant_id)
        await asyncio.gather(_insert_orders(conn, tenant_id, rows), _insert_customers_and_lines(dsn, tenant_id, rows))
        await conn.execute(
            """
            INSERT INTO tenant_counters (tenant_id, name, value, assigned_at, summed)
            VALUES ($1, 'rows:customers', $2, NULL, 0), ($1, 'order_number', $2, now(), $2)
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = excluded.value, assigned_at = excluded.assigned_at, summed = excluded.summed
            """,
            tenant_id,
            rows,
        )
    return access


async def _insert_orders(conn: Connection, tenant_id: UUID, rows: int) -> None:
    await conn.execute(
        f"""
        INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency, sub_total,
                            discount_amount, total, paid_amount, created_by_type, created_at, updated_at, list_items)
        SELECT $1, m.id, n, b.id, m.id, 'completed', 'pos', 'SAR', 50, 0, 50, 50, 'system', m.created_at, m.created_at,
            order_list_items_json(jsonb_build_array(jsonb_build_object(
                'item_id', i.id, 'name', 'Shampoo', 'type', 'product', 'price', 50, 'quantity', 1,
                'discount_amount', 0, 'total', 50)), 2)
        FROM {_NUMBERED}, branches b, (SELECT id FROM items WHERE tenant_id = $1 AND type = 'product' LIMIT 1) i
        WHERE b.tenant_id = $1
        """,
        tenant_id,
        rows,
    )


async def _insert_customers_and_lines(dsn: str, tenant_id: UUID, rows: int) -> None:
    raw = await connect(dsn)
    conn = Connection(raw)
    await conn.execute("SET statement_timeout = 0")
    async with triggers_disabled(conn):
        await conn.execute(
            f"""
            INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country, city,
                                   created_at, updated_at)
            SELECT $1, id, 'Customer', n::text, 'customer ' || n, 'customer-' || n || '@bench.example',
                   '+9665' || lpad(n::text, 8, '0'), 'SA', 'Riyadh', m.created_at, m.created_at
            FROM {_NUMBERED}
            """,
            tenant_id,
            rows,
        )
        await conn.execute(
            f"""
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, name, price, quantity,
                                     discount_amount, total)
            SELECT $1, m.id, m.id, 0, 'product', i.id, 'Shampoo', 50, 1, 0, 50
            FROM {_NUMBERED}, (SELECT id FROM items WHERE tenant_id = $1 AND type = 'product' LIMIT 1) i
            """,
            tenant_id,
            rows,
        )
    await raw.close()
