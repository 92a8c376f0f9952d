"""Statements that an order is held, changed and paid with."""

from uuid import UUID

import msgspec

from frontdesk.errors import not_found
from frontdesk.orders.json_sql import BOOKING_REFERENCE, LocalTimeFormat, transaction_document
from frontdesk.orders.queries.numbers import NEXT_NUMBER
from frontdesk.orders.types import Actor, Booking, Cashier, DraftService, LockedOrder, NewOrder, Payment, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7

# The lines of order $2 with what no refund has returned of them.
LINES_HELD = """
            SELECT l.id AS line_id, l.quantity - coalesce(sum(r.returned), 0)::integer AS quantity
            FROM order_lines l
            LEFT JOIN order_lines r ON r.tenant_id = l.tenant_id AND r.parent_line_id = l.id
            WHERE l.tenant_id = $1 AND l.order_id = $2
            GROUP BY l.id, l.quantity HAVING l.quantity > coalesce(sum(r.returned), 0)"""


async def lock_order(conn: Connection, tenant_id: UUID, order_id: UUID) -> LockedOrder:
    """The order as it stands, held until the transaction ends: what is decided from it stays true.

    Held by one statement and read by the next, since a statement that waited sees other tables as they were before:
    an invoice issued meanwhile would be missed.
    """
    await conn.execute("SELECT FROM orders WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE", tenant_id, order_id)
    row = await conn.fetchrow(
        """
        SELECT o.*,
            EXISTS (SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = o.id) AS invoiced,
            EXISTS (SELECT FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id) AS refunded,
            EXISTS (SELECT FROM bookings b WHERE b.tenant_id = $1 AND b.order_id = o.id) AS booked,
            (SELECT min(lower(b.during)) FROM bookings b
             WHERE b.tenant_id = $1 AND b.order_id = o.id AND b.is_active) AS begins
        FROM orders o WHERE o.tenant_id = $1 AND o.id = $2
        """,
        tenant_id,
        order_id,
    )
    if row is None:
        raise not_found("order")
    return LockedOrder(
        id=row["id"],
        status=Status(row["status"]),
        branch_id=row["branch_id"],
        customer_id=row["customer_id"],
        parent_id=row["parent_id"],
        currency=row["currency"],
        total=row["total"],
        paid_amount=row["paid_amount"],
        refunded_amount=row["refunded_amount"],
        payment_status=row["payment_status"],
        starts_at=row["starts_at"],
        begins=row["begins"],
        booked=row["booked"],
        invoiced=row["invoiced"],
        refunded=row["refunded"],
    )


async def lock_staff_and_stock(conn: Connection, tenant_id: UUID, order_id: UUID) -> None:
    """Providers by id, then products by id: whoever touches bookings or stock takes them in this order."""
    await conn.execute(
        """
        WITH providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1
            AND id IN (SELECT staff_id FROM bookings WHERE tenant_id = $1 AND order_id = $2)
            ORDER BY id FOR NO KEY UPDATE
        )
        SELECT id FROM items WHERE tenant_id = $1 AND (SELECT count(*) FROM providers) >= 0
        AND id IN (SELECT item_id FROM order_line_stock WHERE tenant_id = $1 AND order_id = $2)
        ORDER BY id FOR NO KEY UPDATE
        """,
        tenant_id,
        order_id,
    )


async def update_bookings_active(conn: Connection, tenant_id: UUID, order_id: UUID, *, is_active: bool) -> None:
    await conn.execute(
        "UPDATE bookings SET is_active = $3 WHERE tenant_id = $1 AND order_id = $2 AND is_active <> $3",
        tenant_id,
        order_id,
        is_active,
    )


async def update_stock(conn: Connection, tenant_id: UUID, order_id: UUID, *, sign: int) -> None:
    """Give back (+1) or take again (−1) everything that the order's lines hold, of products and of their options.

    Pieces that a refund returned are settled: whether they went back into stock was decided then.
    """
    await conn.execute(
        f"""
        WITH l AS ({LINES_HELD}), options AS (
            UPDATE item_options v SET quantity = v.quantity + $3 * held.units
            FROM (SELECT s.option_id, sum(s.units * l.quantity)::integer AS units FROM order_line_stock s
                  JOIN l ON l.line_id = s.line_id
                  WHERE s.tenant_id = $1 AND s.order_id = $2 GROUP BY s.option_id) held
            WHERE v.tenant_id = $1 AND v.id = held.option_id
        )
        UPDATE items i SET stock = i.stock + $3 * held.units, updated_at = now()
        FROM (SELECT s.item_id, sum(s.units * l.quantity)::integer AS units FROM order_line_stock s
              JOIN l ON l.line_id = s.line_id
              WHERE s.tenant_id = $1 AND s.order_id = $2 GROUP BY s.item_id) held
        WHERE i.tenant_id = $1 AND i.id = held.item_id
        """,
        tenant_id,
        order_id,
        sign,
    )


async def update_status(
    conn: Connection, tenant_id: UUID, order: LockedOrder, status: Status, note: str | None, actor: Actor
) -> None:
    """The counter is locked first, so that a day is closed before the change or after it, and never in between."""
    await conn.execute(
        "SELECT FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number' FOR NO KEY UPDATE", tenant_id
    )
    await conn.execute(
        """
        WITH changed AS (
            UPDATE orders SET status = $3, updated_at = clock_timestamp() WHERE tenant_id = $1 AND id = $2
            RETURNING updated_at
        )
        INSERT INTO order_status_history
            (tenant_id, id, order_id, from_status, to_status, note, changed_by_type, changed_by_id, created_at)
        SELECT $1, $4, $2, $5, $3, $6, $7, $8, updated_at FROM changed
        """,
        tenant_id,
        order.id,
        status,
        uuid7(),
        order.status,
        note,
        actor.type,
        actor.id,
    )


async def insert_payment(
    conn: Connection, tenant: TenantContext, order_id: UUID, payment: Payment, cashier: Cashier
) -> str:
    """The transaction and the order's paid amount, together."""
    document: str = await conn.fetchval(
        f"""
        WITH numbered AS ({NEXT_NUMBER.format("transaction_no")}
        ), t AS (
            INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, amount, currency,
                status, is_deposit, note, reference_number, date, created_at, updated_at, tendered_amount, cashier,
                cashier_code)
            SELECT $1, $3, value, $2, $4, $5, $11, 'confirmed', $6, $7, $8, $9, assigned_at, assigned_at, $13, $14, $15
            FROM numbered RETURNING *
        ), o AS (
            UPDATE orders SET paid_amount = paid_amount + $5, updated_at = numbered.assigned_at FROM numbered
            WHERE tenant_id = $1 AND id = $2 RETURNING orders.*
        )
        SELECT {transaction_document("$10", LocalTimeFormat("$12"))}::text
        FROM t, o JOIN payment_methods m ON m.tenant_id = $1 AND m.id = $4
        """,
        tenant.tenant_id,
        order_id,
        payment.id,
        payment.method_id,
        payment.amount,
        payment.is_deposit,
        payment.note,
        payment.reference_number,
        payment.date,
        tenant.currency_decimals,
        tenant.currency,
        tenant.timezone,
        payment.tendered,
        *cashier,
    )
    return document


# How long a line `l` of the service `i` takes with the provider `ss`.
MINUTES_OF_LINE = """l.quantity * coalesce(
                   (SELECT nullif(sum(v.duration), 0) FROM item_options v
                    WHERE v.tenant_id = $1 AND v.id = ANY(l.option_ids)), ss.duration, i.duration)::integer"""


async def list_draft_services(conn: Connection, tenant_id: UUID, order_id: UUID) -> list[DraftService]:
    """Every service line of a draft with whoever may perform it, be it nobody, and the minutes that they need."""
    rows = await conn.fetch(
        f"""
        SELECT l.id, l.item_id, array_agg(s.id) FILTER (WHERE s.id IS NOT NULL) AS staff_ids,
               array_agg({MINUTES_OF_LINE}) FILTER (WHERE s.id IS NOT NULL) AS lengths
        FROM order_lines l
        JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id
        JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN staff_services ss ON ss.tenant_id = $1 AND ss.item_id = l.item_id
             AND (l.staff_id IS NULL OR ss.staff_id = l.staff_id)
        LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active AND s.branch_id = o.branch_id
        WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.type = 'service'
        GROUP BY l.id, l.item_id, l.position ORDER BY l.position
        """,
        tenant_id,
        order_id,
    )
    return [
        DraftService(row["id"], row["item_id"], dict(zip(row["staff_ids"] or (), row["lengths"] or (), strict=True)))
        for row in rows
    ]


async def insert_bookings(conn: Connection, tenant_id: UUID, order_id: UUID, bookings: list[Booking]) -> None:
    """Providers are locked by id first, as everywhere; the lines learn who performs them and how long it takes."""
    await conn.execute(
        f"""
        WITH providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1 AND id = ANY($5) ORDER BY id FOR NO KEY UPDATE
        ), b AS (
            SELECT * FROM unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[], $8::timestamptz[])
                WITH ORDINALITY AS b (id, line_id, staff_id, item_id, starts, ends, place)
            WHERE (SELECT count(*) FROM providers) > 0
        ), lines AS (
            UPDATE order_lines l SET staff_id = b.staff_id, duration = extract(epoch FROM b.ends - b.starts) / 60
            FROM b WHERE l.tenant_id = $1 AND l.id = b.line_id
        )
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during)
        SELECT $1, b.id, $2, b.line_id, b.staff_id, b.item_id, {BOOKING_REFERENCE}, tstzrange(b.starts, b.ends)
        FROM b JOIN orders o ON o.tenant_id = $1 AND o.id = $2
        """,
        tenant_id,
        order_id,
        [booking.id for booking in bookings],
        [booking.line_id for booking in bookings],
        [booking.staff_id for booking in bookings],
        [booking.item_id for booking in bookings],
        [booking.start for booking in bookings],
        [booking.end for booking in bookings],
    )


async def replace_draft(conn: Connection, tenant_id: UUID, new: NewOrder) -> None:
    """Lines and sums of a draft, written anew."""
    await conn.execute("DELETE FROM order_lines WHERE tenant_id = $1 AND order_id = $2", tenant_id, new.id)
    await conn.execute(
        """
        UPDATE orders SET customer_id = $3, starts_at = $4, sub_total = $5, discount_amount = $6, total = $7,
            discount = $8, cashier = $9, cashier_code = $10, updated_at = clock_timestamp()
        WHERE tenant_id = $1 AND id = $2
        """,
        tenant_id,
        new.id,
        new.asked.customer_id,
        new.asked.start,
        new.sub_total,
        new.discount_amount,
        new.total,
        None if new.asked.discount is None else msgspec.json.encode(new.asked.discount).decode(),
        *new.asked.cashier,
    )
    await conn.copy_rows(
        "order_lines",
        (
            "tenant_id", "order_id", "position", "id", "type", "item_id", "package_id", "option_ids", "staff_id",
            "name", "price", "quantity", "discount_amount", "total", "apply_discount", "duration",
        ),
        [(tenant_id, new.id, place, *line) for place, line in enumerate(new.lines)],
    )  # fmt: skip
    await conn.copy_rows(
        "order_line_stock",
        ("tenant_id", "order_id", "line_id", "item_id", "units", "option_id"),
        [(tenant_id, new.id, use.line_id, use.item_id, use.units, use.option_id) for use in new.stock],
    )


async def choose_draft_options(conn: Connection, tenant_id: UUID, order_id: UUID) -> None:
    """The option of each product that a draft takes its units from: the one that a line names, else the first that has
    enough. The products are locked.
    """
    await conn.execute(
        """
        UPDATE order_line_stock s SET option_id = coalesce(
            (SELECT v.id FROM item_options v WHERE v.tenant_id = $1 AND v.id = ANY (l.option_ids)
             AND v.item_id = s.item_id AND v.quantity IS NOT NULL ORDER BY v.sort_order, v.id LIMIT 1),
            (SELECT v.id FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = s.item_id
             AND NOT EXISTS (SELECT FROM item_options u
                             WHERE u.tenant_id = $1 AND u.item_id = s.item_id AND u.quantity IS NULL)
             ORDER BY v.quantity >= s.units * l.quantity DESC, v.is_active DESC, v.sort_order, v.id LIMIT 1))
        FROM order_lines l
        WHERE s.tenant_id = $1 AND s.order_id = $2 AND l.tenant_id = $1 AND l.id = s.line_id AND s.option_id IS NULL
        """,
        tenant_id,
        order_id,
    )
