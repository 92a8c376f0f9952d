"""A business with the sums of two years of sales: 1,000,000 lines in the last one, 600,000 in the one before."""

from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from bench.tenants import add_member, make_small_tenant
from frontdesk.postgres.pool import Connection

LAST_DAY = date(2026, 10, 31)
FIRST_DAY = date(2025, 11, 1)
_PROVIDERS, _ITEMS = 20, 60
_RATES, _RATE_DAYS = 50, 13


class Business(NamedTuple):
    session: str  # of the owner
    item_rows: int
    customer_rows: int


async def make_business(conn: Connection, visits: int) -> Business:
    """Every provider sells every item on each day of the last year, which is the most rows that so many lines can have.
    `visits` are those of customers in the last year; every customer has 15 in a year.
    """
    tenant = await make_small_tenant(conn, 0, services=1, providers=_PROVIDERS)
    tenant_id = tenant.access.tenant_id
    await _add_catalogue(conn, tenant_id)
    days = (tenant_id, FIRST_DAY - timedelta(days=365), FIRST_DAY, LAST_DAY)
    items = await conn.execute(
        """
        INSERT INTO item_sums (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
        SELECT $1, false, d.day, s.branch_id, i.id, s.id, 2, 23.45 + (d.day - $2), 3.05
        FROM (SELECT $2::date + n AS day FROM generate_series(0, $4::date - $2::date) n) d,
            (SELECT id, branch_id, row_number() OVER (ORDER BY id) AS number FROM staff WHERE tenant_id = $1) s,
            (SELECT id, row_number() OVER (ORDER BY id) AS number FROM items WHERE tenant_id = $1) i
        WHERE d.day >= $3::date OR (s.number + i.number + (d.day - $2)) % 5 < 3
        ORDER BY d.day, random()
        """,
        *days,
    )
    customers = await conn.execute(
        """
        INSERT INTO customer_sums (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
        SELECT $1, c.id, false, c.day, b.id, min(c.day) OVER (PARTITION BY c.id), 1, 58.5
        FROM branches b, (
            SELECT DISTINCT md5((random() * $5::integer / 15)::integer::text)::uuid AS id, CASE WHEN n <= $5
                THEN $3::date + (random() * ($4::date - $3))::integer
                ELSE $2::date + (random() * ($3 - $2 - 1))::integer END AS day
            FROM generate_series(1, $5 * 8 / 5) n) c
        WHERE b.tenant_id = $1 ORDER BY c.day, random()
        """,
        *days,
        visits,
    )
    await _add_months(conn, tenant_id)
    await _add_the_rest(conn, days)
    # There are sums and no orders, so commissions are those of what was booked.
    await conn.execute("UPDATE tenants SET commission_basis = 'booked' WHERE id = $1", tenant_id)
    session = await add_member(conn, tenant_id, "owner")
    return Business(session, int(items.split()[-1]), int(customers.split()[-1]))


async def _add_catalogue(conn: Connection, tenant_id: UUID) -> None:
    """Items, and rates that start on several days."""
    await conn.execute(
        """
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration)
        SELECT $1, gen_random_uuid(), b.id, 'service', jsonb_build_object('ar', 'خدمة ' || n, 'en', 'Service ' || n),
               'service ' || n, 'service-' || n, 50, 30
        FROM generate_series(2, $2::integer) n, branches b WHERE b.tenant_id = $1
        """,
        tenant_id,
        _ITEMS,
    )
    await conn.execute("SELECT add_row_count($1, 'items', $2)", tenant_id, _ITEMS - 1)
    await conn.execute(
        """
        INSERT INTO commission_rates (tenant_id, id, staff_id, item_id, starts_on, percent)
        SELECT $1, gen_random_uuid(), s.id, CASE WHEN n % 3 > 0 THEN i.id END, $2::date - 700 + n % $4 * 53, 5 + n % 7
        FROM generate_series(1, $3::integer) n
        JOIN (SELECT id, row_number() OVER (ORDER BY id) AS number FROM staff WHERE tenant_id = $1) s
            ON s.number = 1 + n % 20
        JOIN (SELECT id, row_number() OVER (ORDER BY id) AS number FROM items WHERE tenant_id = $1) i
            ON i.number = n
        UNION ALL SELECT $1, gen_random_uuid(), NULL, NULL, $2::date - 1000, 10
        """,
        tenant_id,
        LAST_DAY,
        _RATES,
        _RATE_DAYS,
    )


async def _add_months(conn: Connection, tenant_id: UUID) -> None:
    await conn.execute(
        """
        INSERT INTO item_sums (tenant_id, is_month, day, branch_id, item_id, staff_id, quantity, total, tax_amount)
        SELECT $1, true, date_trunc('month', day::timestamp), branch_id, item_id, staff_id, sum(quantity), sum(total),
            sum(tax_amount)
        FROM item_sums WHERE tenant_id = $1 GROUP BY 3, branch_id, item_id, staff_id
        """,
        tenant_id,
    )
    await conn.execute(
        """
        INSERT INTO customer_sums (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
        SELECT $1, customer_id, true, date_trunc('month', day::timestamp) AS month, branch_id, min(first_day),
            sum(orders), sum(total)
        FROM customer_sums WHERE tenant_id = $1 GROUP BY customer_id, month, branch_id ORDER BY month, random()
        """,
        tenant_id,
    )


async def _add_the_rest(conn: Connection, days: tuple[object, ...]) -> None:
    """Sales by source, payments, tips, and booked time."""
    await conn.execute(
        """
        INSERT INTO source_sums (tenant_id, day, branch_id, source, client_id, tax_rate, kind, orders, total,
            tax_amount, discount_amount)
        SELECT $1, $2::date + n, b.id, 'pos', '00000000-0000-0000-0000-000000000000', rate, kind::sale_kind, 500, 58.5,
            7.63, 0
        FROM generate_series(0, $4::date - $2) n, branches b, unnest(ARRAY[0, 5, 15]) rate,
            unnest(ARRAY['sale', 'cancellation', 'refund']) kind
        WHERE b.tenant_id = $1 AND $3::date IS NOT NULL
        """,
        *days,
    )
    await conn.execute(
        """
        INSERT INTO method_sums (tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount)
        SELECT $1, $2::date + n, b.id, m.id, kind::payment_kind, s.id, 20, 1170
        FROM generate_series(0, $4::date - $2) n, branches b, payment_methods m, staff s,
            unnest(ARRAY['payment', 'tip']) kind
        WHERE b.tenant_id = $1 AND m.tenant_id = $1 AND s.tenant_id = $1 AND $3::date IS NOT NULL
        """,
        *days,
    )
    await conn.execute(
        """
        INSERT INTO staff_busy_days (tenant_id, staff_id, day, minutes)
        SELECT $1, s.id, $2::date + n, repeat('110111111011101', 96)::bit(1440)
        FROM generate_series(0, $4::date - $2) n, staff s WHERE s.tenant_id = $1 AND $3::date IS NOT NULL
        """,
        *days,
    )
