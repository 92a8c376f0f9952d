"""Statements that credit notes are made with."""

from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.money_types import NewCreditNote, RefundedLine, RefundToCredit
from frontdesk.orders.queries.numbers import NEXT_NUMBER
from frontdesk.postgres.pool import Connection


class InvoiceToCredit(NamedTuple):
    id: UUID
    tax_rate: Decimal
    seller: str  # as JSON
    credited: Decimal  # by earlier credit notes


async def get_invoice_to_credit(conn: Connection, tenant_id: UUID, order_id: UUID) -> InvoiceToCredit:
    row = await conn.fetchrow(
        """
        SELECT i.id, i.tax_rate, i.seller::text AS seller, coalesce((
            SELECT sum(c.total) FROM credit_notes c WHERE c.tenant_id = $1 AND c.invoice_id = i.id), 0) AS credited
        FROM invoices i WHERE i.tenant_id = $1 AND i.order_id = $2
        """,
        tenant_id,
        order_id,
    )
    if row is None:
        raise LookupError(order_id)
    return InvoiceToCredit(*row.values())


async def list_refunds_to_credit(conn: Connection, tenant_id: UUID, order_id: UUID) -> list[RefundToCredit]:
    """In the order in which they were made."""
    rows = await conn.fetch(
        """
        SELECT r.child_order_id, r.amount FROM refunds r
        JOIN orders o ON o.tenant_id = $1 AND o.id = r.child_order_id
        WHERE r.tenant_id = $1 AND r.order_id = $2
          AND NOT EXISTS (SELECT FROM credit_notes c WHERE c.tenant_id = $1 AND c.order_id = r.child_order_id)
        ORDER BY o.order_number
        """,
        tenant_id,
        order_id,
    )
    return [RefundToCredit(*row.values()) for row in rows]


async def list_refunded_lines(conn: Connection, tenant_id: UUID, child_id: UUID) -> list[RefundedLine]:
    rows = await conn.fetch(
        """
        SELECT l.name, coalesce(i.name, p.name)::text AS names, l.type, -l.quantity, l.price,
            -l.discount_amount, -l.total
        FROM order_lines l
        LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
        LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
        WHERE l.tenant_id = $1 AND l.order_id = $2 ORDER BY l.position
        """,
        tenant_id,
        child_id,
    )
    return [RefundedLine(*row.values()) for row in rows]


async def insert_credit_note(conn: Connection, tenant_id: UUID, new: NewCreditNote) -> None:
    """Numbered per business without gaps; the parties, the currency and the tax rate are those of the invoice."""
    await conn.execute(
        f"""
        WITH numbered AS ({NEXT_NUMBER.format("credit_note_number")}
        )
        INSERT INTO credit_notes (tenant_id, id, credit_note_number, invoice_id, order_id, seller, buyer, lines,
            currency, tax_rate, tax_amount, total, qr, issued_by, issued_at)
        SELECT $1, $2, numbered.value, i.id, $4, i.seller, i.buyer, $5, i.currency, i.tax_rate, $6, $7, $8, $9, $10
        FROM numbered, invoices i WHERE i.tenant_id = $1 AND i.id = $3
        """,
        tenant_id,
        new.id,
        new.invoice_id,
        new.child_id,
        new.lines,
        new.tax_amount,
        new.total,
        new.qr,
        new.issued_by,
        new.issued_at,
    )
