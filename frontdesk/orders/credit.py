"""Credit notes: each refund of an order with an invoice gets one, numbered and referring to the invoice."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from frontdesk.orders.invoice_content import invoice_lines, make_qr
from frontdesk.orders.money_types import InvoiceToCredit, NewCreditNote, RefundToCredit
from frontdesk.orders.tax import main_rate
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum


def credit_notes(
    invoice: InvoiceToCredit,
    refunds: Sequence[RefundToCredit],
    issued_by: UUID | None,
    now: datetime,
    decimals: int,
) -> list[NewCreditNote]:
    """For refunds without a credit note, in the order in which they were made."""
    notes = []
    for refund in refunds:
        tax = exact_sum(line.tax_amount for line in refund.lines)
        notes.append(
            NewCreditNote(
                id=uuid7(),
                child_id=refund.child_id,
                lines=invoice_lines(refund.lines, decimals),
                tax_rate=main_rate((line.tax_rate, line.total) for line in refund.lines),
                tax_amount=tax,
                total=refund.amount,
                qr=make_qr(invoice.seller, refund.amount, tax, now, decimals),
                issued_by=issued_by,
                issued_at=now,
            )
        )
    return notes
