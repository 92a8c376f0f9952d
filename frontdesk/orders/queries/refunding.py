"""Statements that refunds and invoices are made with."""

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.money_types import NewInvoice, RefundableLine, RefundablePayment, RefundAllocation, RefundLine
from frontdesk.orders.queries.numbers import NEXT_NUMBER
from frontdesk.orders.types import Actor, Cashier, LockedOrder
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7


async def list_sold_lines(conn: Connection, tenant_id: UUID, order_id: UUID) -> list[RefundableLine]:
    """The lines of a sale, and how many units of each have been returned already."""
    rows = await conn.fetch(
        """
        SELECT l.id, l.type, l.name, l.price, l.quantity, l.discount_amount, l.total,
               coalesce((SELECT sum(r.returned) FROM order_lines r
                         WHERE r.tenant_id = $1 AND r.parent_line_id = l.id), 0)::integer AS refunded,
               coalesce(i.name, p.name)::text AS names
        FROM order_lines l
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
        WHERE l.tenant_id = $1 AND l.order_id = $2 ORDER BY l.position
        """,
        tenant_id,
        order_id,
    )
    return [RefundableLine(*row.values()) for row in rows]


async def list_refundable_payments(conn: Connection, tenant_id: UUID, order_id: UUID) -> list[RefundablePayment]:
    """The payments of a sale that still have something to give back, the newest first."""
    rows = await conn.fetch(
        """
        SELECT t.id, t.payment_method_id, t.amount + coalesce(sum(r.amount), 0) AS remaining
        FROM transactions t LEFT JOIN transactions r ON r.tenant_id = t.tenant_id AND r.refund_of_id = t.id
        WHERE t.tenant_id = $1 AND t.order_id = $2 AND t.status = 'confirmed' AND t.refund_of_id IS NULL
        GROUP BY t.id, t.payment_method_id, t.amount, t.transaction_no
        HAVING t.amount + coalesce(sum(r.amount), 0) > 0 ORDER BY t.transaction_no DESC
        """,
        tenant_id,
        order_id,
    )
    return [RefundablePayment(*row.values()) for row in rows]


async def insert_refund_order(
    conn: Connection,
    tenant: TenantContext,
    sale: LockedOrder,
    lines: Sequence[RefundLine],
    actor: Actor,
    cashier: Cashier,
) -> UUID:
    """The child order of a refund: its lines have the signs turned; it is completed from the start."""
    child_id: UUID = await conn.fetchval(
        f"""
        WITH numbered AS ({NEXT_NUMBER.format("order_number")}
        ), line AS (
            SELECT * FROM unnest(
                $4::uuid[], $5::integer[], $6::numeric[], $7::numeric[], $8::uuid[], $13::numeric[], $14::integer[]
                ) WITH ORDINALITY AS l (sold_id, quantity, discount, total, id, price, returned, place)
        ), sums AS (
            SELECT -sum(total) AS total, -sum(discount) AS discount FROM line
        ), child AS (
            INSERT INTO orders (tenant_id, id, order_number, parent_id, branch_id, customer_id, status, source,
                currency, sub_total, discount_amount, total, paid_amount, created_by_type, created_by_id,
                created_at, updated_at, cashier, cashier_code)
            SELECT $1, $3, n.value, o.id, o.branch_id, o.customer_id, 'completed',
                CASE $9 WHEN 'key' THEN 'pos' WHEN 'app' THEN 'api' ELSE 'dashboard' END, o.currency,
                sums.total + sums.discount, sums.discount, sums.total, sums.total, $9, $10,
                n.assigned_at, n.assigned_at, $11, $12
            FROM numbered n, sums, orders o WHERE o.tenant_id = $1 AND o.id = $2 RETURNING id, created_at
        ), lines AS (
            INSERT INTO order_lines (tenant_id, id, order_id, position, parent_line_id, type, item_id, package_id,
                option_ids, staff_id, name, price, quantity, discount_amount, total, returned)
            SELECT $1, line.id, $3, line.place - 1, s.id, s.type, s.item_id, s.package_id, s.option_ids, s.staff_id,
                s.name, line.price, -line.quantity, -line.discount, -line.total, line.returned
            FROM line JOIN order_lines s ON s.tenant_id = $1 AND s.id = line.sold_id
        ), history AS (
            INSERT INTO order_status_history
                (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
            SELECT $1, $3, id, 'completed', $9, $10, created_at FROM child
        )
        SELECT id FROM child
        """,
        tenant.tenant_id,
        sale.id,
        uuid7(),
        [line.sold_id for line in lines],
        [line.quantity for line in lines],
        [line.discount_amount for line in lines],
        [line.total for line in lines],
        [uuid7() for _ in lines],
        actor.type,
        actor.id,
        *cashier,
        [line.price for line in lines],
        [line.returned for line in lines],
    )
    return child_id


async def insert_refund_transaction(
    conn: Connection, tenant: TenantContext, child_id: UUID, part: RefundAllocation, cashier: Cashier
) -> None:
    """Money given back on one payment. A payment given back wholly, and what gave it back, leave the confirmed."""
    await conn.execute(
        f"""
        WITH numbered AS ({NEXT_NUMBER.format("transaction_no")}
        ), settled AS (
            UPDATE transactions SET status = 'refunded', updated_at = (SELECT assigned_at FROM numbered)
            WHERE tenant_id = $1 AND $7 AND (id = $4 OR refund_of_id = $4)
        )
        INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, refund_of_id, amount,
            currency, status, date, created_at, updated_at, cashier, cashier_code)
        SELECT $1, $2, value, $3, $5, $4, -$6::numeric, $8, CASE WHEN $7 THEN 'refunded' ELSE 'confirmed' END,
            assigned_at, assigned_at, assigned_at, $9, $10 FROM numbered
        """,
        tenant.tenant_id,
        uuid7(),
        child_id,
        part.payment_id,
        part.method_id,
        part.amount,
        part.wholly,
        tenant.currency,
        *cashier,
    )


async def insert_refund(
    conn: Connection,
    tenant_id: UUID,
    sale_id: UUID,
    child_id: UUID,
    amount: Decimal,
    *,
    restocked: bool,
    reason: str | None,
    actor: Actor,
) -> None:
    await conn.execute(
        """
        WITH sale AS (
            UPDATE orders SET refunded_amount = refunded_amount + $5, updated_at = clock_timestamp()
            WHERE tenant_id = $1 AND id = $2
        )
        INSERT INTO refunds (tenant_id, id, order_id, child_order_id, amount, restocked, reason, created_by)
        VALUES ($1, $3, $2, $4, $5, $6, $7, $8)
        """,
        tenant_id,
        sale_id,
        uuid7(),
        child_id,
        amount,
        restocked,
        reason,
        actor.id,
    )


async def restock_lines(conn: Connection, tenant_id: UUID, lines: Sequence[RefundLine]) -> None:
    """Products by id, as everywhere, then the returned units go back into stock."""
    await conn.execute(
        """
        WITH back AS (
            SELECT s.item_id, sum(s.units * l.quantity)::integer AS units
            FROM unnest($2::uuid[], $3::integer[]) AS l (id, quantity)
            JOIN order_line_stock s ON s.tenant_id = $1 AND s.line_id = l.id GROUP BY s.item_id
        ), held AS MATERIALIZED (
            SELECT id FROM items WHERE tenant_id = $1 AND id IN (SELECT item_id FROM back) ORDER BY id FOR NO KEY UPDATE
        ), options AS (
            UPDATE item_options v SET quantity = v.quantity + o.units
            FROM (SELECT s.option_id, sum(s.units * l.quantity)::integer AS units
                  FROM unnest($2::uuid[], $3::integer[]) AS l (id, quantity)
                  JOIN order_line_stock s ON s.tenant_id = $1 AND s.line_id = l.id GROUP BY s.option_id) o
            WHERE v.tenant_id = $1 AND v.id = o.option_id AND v.item_id IN (SELECT id FROM held)
        )
        UPDATE items i SET stock = i.stock + back.units, updated_at = now() FROM back
        WHERE i.tenant_id = $1 AND i.id = back.item_id AND i.id IN (SELECT id FROM held)
        """,
        tenant_id,
        [line.sold_id for line in lines if line.returned],
        [line.returned for line in lines if line.returned],
    )


async def insert_invoice(conn: Connection, tenant_id: UUID, new: NewInvoice) -> int:
    """Numbered per business without gaps; what it shows is copied into it."""
    number: int = await conn.fetchval(
        f"""
        WITH numbered AS ({NEXT_NUMBER.format("invoice_number")}
        )
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, buyer, lines, currency, tax_rate,
            tax_amount, total, qr, issued_by, issued_at)
        SELECT $1, $2, value, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 FROM numbered RETURNING invoice_number
        """,
        tenant_id,
        new.id,
        new.order_id,
        new.seller,
        new.buyer,
        new.lines,
        new.currency,
        new.tax_rate,
        new.tax_amount,
        new.total,
        new.qr,
        new.issued_by,
        new.issued_at,
    )
    return number


async def get_invoice_parties(conn: Connection, tenant_id: UUID, order_id: UUID) -> tuple[Decimal, str, str | None]:
    """The tax rate, and seller and buyer as they are today, as JSON."""
    row = await conn.fetchrow(
        """
        SELECT n.tax_rate,
            json_build_object('name', n.name, 'tax_registration_number', n.tax_registration_number,
                'branch', b.name, 'address', b.address, 'phone', b.phone, 'timezone', n.timezone)::text AS seller,
            CASE WHEN c.id IS NOT NULL THEN json_build_object(
                'id', c.id, 'name', concat_ws(' ', c.first_name, c.last_name), 'type', c.type, 'address', c.address,
                'city', c.city, 'tax_registration_number', c.tax_registration_number)::text END AS buyer
        FROM orders o
        JOIN tenants n ON n.id = o.tenant_id
        JOIN branches b ON b.tenant_id = o.tenant_id AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
        WHERE o.tenant_id = $1 AND o.id = $2
        """,
        tenant_id,
        order_id,
    )
    if row is None:
        raise LookupError(order_id)
    return row["tax_rate"], row["seller"], row["buyer"]
