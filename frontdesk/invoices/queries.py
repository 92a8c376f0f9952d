"""Queries for invoices and credit notes. They are inserted when issued and never changed."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.invoices.types import Buyer, Invoice, Line, Seller
from frontdesk.postgres.query import Query, optional
from frontdesk.postgres.records import from_row
from frontdesk.values.money import currency_decimals, round_half_up

_INVOICE = """
    SELECT i.id, i.invoice_number, i.order_id, o.order_number, i.seller, i.buyer, i.lines, i.currency, i.tax_rate,
        i.tax_amount, i.total, i.qr, i.issued_at
    FROM invoices i JOIN orders o ON o.tenant_id = $1 AND o.id = i.order_id
"""


_OF_BRANCH = "o.branch_id = coalesce(context.branch_id, o.branch_id)"


def invoice_of_order(order_id: UUID) -> Query[Invoice | None]:
    """A key of one branch finds no invoices of another."""
    return Query(
        f"{_INVOICE} WHERE i.tenant_id = $1 AND i.order_id = $2 AND {_OF_BRANCH}", (order_id,), optional(_read)
    )


def credit_note_of_refund(order_id: UUID) -> Query[Invoice | None]:
    """By the id of the refund's order, or of the order that was canceled."""
    return Query(
        f"""
        SELECT c.id, c.credit_note_number AS invoice_number, c.order_id, o.order_number, c.seller, c.buyer, c.lines,
            c.currency, c.tax_rate, c.tax_amount, c.total, c.qr, c.issued_at, i.invoice_number AS credits,
            r.reason, r.id IS NOT NULL AS is_refund
        FROM credit_notes c
        JOIN invoices i ON i.tenant_id = $1 AND i.id = c.invoice_id
        LEFT JOIN refunds r ON r.tenant_id = $1 AND r.child_order_id = c.order_id
        JOIN orders o ON o.tenant_id = $1 AND o.id = c.order_id
        WHERE c.tenant_id = $1 AND c.order_id = $2 AND {_OF_BRANCH}
        """,
        (order_id,),
        optional(_read),
    )


def _read(row: Record) -> Invoice:
    return from_row(
        Invoice,
        row,
        number=row["invoice_number"],
        seller=msgspec.json.decode(row["seller"], type=Seller),
        buyer=msgspec.json.decode(row["buyer"], type=Buyer) if row["buyer"] else None,
        lines=msgspec.json.decode(row["lines"], type=list[Line]),
        tax_amount=round_half_up(row["tax_amount"], currency_decimals(row["currency"])),
        total=round_half_up(row["total"], currency_decimals(row["currency"])),
        credits=row.get("credits"),
        reason=row.get("reason"),
        is_refund=row.get("is_refund", False),
    )
