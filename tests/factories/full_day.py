"""A busy day: many providers, each with bookings one after another, of one customer each."""

from datetime import datetime
from uuid import UUID

from tests.factories.tenant_rows import TenantRows


async def fill_day(rows: TenantRows, branch_id: UUID, service_id: UUID, staff_ids: list[UUID], first: datetime) -> None:
    """Fifteen bookings of 45 minutes for each provider. A third are paid, and all statuses occur."""
    await rows.sql(
        """
        WITH places AS (
            SELECT gen_random_uuid() AS id, s.staff_id, place,
                   $5::timestamptz + (place - 1) * interval '45 minutes' AS begins,
                   row_number() OVER (ORDER BY s.staff_id, place) AS number
            FROM unnest($4::uuid[]) AS s (staff_id), generate_series(1, 15) AS place
        ), c AS (
            INSERT INTO customers (tenant_id, id, first_name, last_name, name_search)
            SELECT $1, id, 'Jawaher', 'Al-Mutairi ' || number, 'jawaher al-mutairi ' || number FROM places
        ), o AS (
            INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency,
                sub_total, discount_amount, total, paid_amount, starts_at, created_by_type, list_items)
            SELECT $1, id, -number, $2, id, (ARRAY['confirmed', 'in-progress', 'completed'])[1 + number % 3], 'api',
                'SAR', 120, 0, 120, CASE WHEN number % 3 = 0 THEN 120 ELSE 0 END, begins, 'system',
                json_build_array(json_build_object('id', id, 'name', 'Cut and blow-dry'))
            FROM places
        ), l AS (
            INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, staff_id, name, price, quantity,
                discount_amount, total, duration)
            SELECT $1, id, id, 0, 'service', $3, staff_id, 'Cut and blow-dry', 120, 1, 0, 120, 45 FROM places
        )
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
        SELECT $1, id, id, id, staff_id, $3, id::text, tstzrange(begins, begins + interval '45 minutes'),
            tstzrange(begins, begins + interval '45 minutes') FROM places
        RETURNING set_busy(tenant_id, staff_id, during, true)
        """,
        branch_id,
        service_id,
        staff_ids,
        first,
    )
